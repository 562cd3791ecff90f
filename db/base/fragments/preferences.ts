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
