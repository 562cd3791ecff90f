import * as z from "zod";
import { MAX_HANDED_OVER, RECORD_HITS } from "#src/domain/messages/tracking/requeue-hits.ts";
import { recordHits } from "#src/domain/messages/tracking/record.ts";
import { callback } from "#src/http/callback.ts";

const hit = z.object({
  id: z.uuid(),
  sendId: z.uuid(),
  kind: z.enum(["open", "click"]),
  at: z.iso.datetime().transform((at) => new Date(at)),
  linkIndex: z.int(),
  url: z.string().nullable(),
  userAgent: z.string().nullable(),
  prefetch: z.boolean(),
  asn: z.int().nullable(),
});

/** Opens and clicks that found the database away. */
export const recordHandedOver = callback({
  name: RECORD_HITS,
  payload: z.object({ hits: z.array(hit).max(MAX_HANDED_OVER), version: z.literal(1) }),
  run: (deps, { hits }) => recordHits(deps, hits),
});
