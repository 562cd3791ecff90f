import * as z from "zod";
import { PREFETCH_DRAFTS } from "#src/domain/campaigns/enqueue-prefetch.ts";
import { prefetchDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { callback } from "#src/http/callback.ts";

export const prefetch = callback({
  name: PREFETCH_DRAFTS,
  payload: z.object({ version: z.literal(1) }),
  run: (deps) => prefetchDrafts(deps),
});
