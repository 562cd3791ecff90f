import * as z from "zod";
import { READ_INBOXES } from "#src/domain/replies/inbound/inbox/queue.ts";
import { readDueInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import { callback } from "#src/http/callback.ts";

export const readInboxes = callback({
  name: READ_INBOXES,
  payload: z.object({ version: z.literal(1), alias_id: z.uuid().optional() }),
  run: (deps, { alias_id }) => readDueInboxes(deps, alias_id),
});
