import * as z from "zod";
import { storable } from "#src/platform/storable.ts";
import type { Hit } from "./hit.ts";

const text = z.string().refine((value) => storable(value) === value, "cannot be stored");

const hit = z.object({
  id: z.uuid(),
  sendId: z.uuid(),
  kind: z.enum(["open", "click"]),
  at: z.iso.datetime().transform((at) => new Date(at)),
  linkIndex: z.int32().min(0),
  url: text.nullable(),
  userAgent: text.nullable(),
  prefetch: z.boolean(),
  asn: z
    .int()
    .min(1)
    .max(2 ** 32 - 1)
    .nullable(),
});

/** Hits as a message of either queue holds them, as large as `packHits` makes it. */
export const packedHits = z.object({ hits: z.array(hit).max(1_000), version: z.literal(1) });

/** Below the 64 kB that Cloudflare counts as one operation (https://developers.cloudflare.com/queues/platform/pricing/). */
const MOST_BYTES = 60_000;
/** Hits of 100 to 12,000 bytes each: what is written at once stays within its bound. */
const MOST_HITS = 200;
const encoder = new TextEncoder();

/** The hits as messages, as few as hold them. */
export function packHits(hits: readonly Hit[]): { hits: Hit[]; version: 1 }[] {
  const packs: { hits: Hit[]; version: 1 }[] = [];
  let bytesLeft = 0;
  for (const each of hits) {
    const bytes = encoder.encode(JSON.stringify(each)).length + 1;
    if (bytes > bytesLeft || packs.at(-1)!.hits.length === MOST_HITS) {
      packs.push({ hits: [], version: 1 });
      bytesLeft = MOST_BYTES;
    }
    packs.at(-1)!.hits.push(each);
    bytesLeft -= bytes;
  }
  return packs;
}
