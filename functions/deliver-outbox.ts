import * as z from "zod";
import { deliverOutbox } from "#src/domain/workspace/notifications/deliver-outbox.ts";
import { DELIVER_OUTBOX } from "#src/domain/workspace/notifications/wake.ts";
import { callback } from "#src/http/callback.ts";

export const deliverOwed = callback({
  name: DELIVER_OUTBOX,
  payload: z.object({ version: z.literal(1) }),
  run: (deps) => deliverOutbox(deps),
});
