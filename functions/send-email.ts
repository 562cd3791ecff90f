import * as z from "zod";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { SEND_EMAIL } from "#src/domain/messages/emails/send.ts";
import { callback } from "#src/http/callback.ts";

export const sendEmail = callback({
  name: SEND_EMAIL,
  payload: z.object({ email_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { email_id }) => deliverEmail(deps, email_id),
});
