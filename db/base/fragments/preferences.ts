import { type SQL, sql } from "drizzle-orm";
import { bool, orNull, rowReader, text } from "../rows.ts";

/** The columns of a joined row, as JSON. */
export const readPreferences = rowReader({
  emailEnabled: bool,
  personalEmail: orNull(text),
  whatsappEnabled: bool,
  whatsappNumber: orNull(text),
  notifyOnReply: bool,
  notifyOnBounce: bool,
  notifyOnComplaint: bool,
});
export type Preferences = ReturnType<typeof readPreferences>;

const NO_ADDRESSES = sql`'{"personal_email": null, "whatsapp_number": null, "whatsapp_enabled": false}'::jsonb`;

/** Preferences `p`, if there are any, as they count in a workspace: an address that a key of another one gave does not. */
export const preferencesIn = (
  p: SQL,
  workspaceId: SQL,
): SQL => sql`case when ${p}.user_id is not null then to_jsonb(${p})
  || case when ${p}.addresses_of <> ${workspaceId} then ${NO_ADDRESSES} else '{}' end end`;
