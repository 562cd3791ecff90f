import * as z from "zod";
import { WRITE_DRAFT } from "#src/domain/messages/drafts/queue.ts";
import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import { callback } from "#src/http/callback.ts";

export const writeDraft = callback({
  name: WRITE_DRAFT,
  payload: z.object({ generation_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { generation_id }) => runGeneration(deps, generation_id),
});
