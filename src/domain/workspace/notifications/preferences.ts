import type { Preferences } from "#db/base/fragments/preferences.ts";
import { findPreferences, savePreferences } from "#db/workspace/notification-preferences.ts";
import type { Deps, Principal } from "#src/deps.ts";

export type { Preferences };

/** The preferences of a user who never chose any, and the values of fields left out. */
export const DEFAULT_PREFERENCES: Preferences = {
  emailEnabled: true,
  personalEmail: null,
  whatsappEnabled: false,
  whatsappNumber: null,
  notifyOnReply: true,
  notifyOnBounce: false,
  notifyOnComplaint: false,
};

/** ITU-T E.164: a plus sign, a country code, at most 15 digits in all. */
export const isE164 = (number: string): boolean => /^\+[1-9]\d{1,14}$/.test(number);

/** The caller's own preferences; with an API key, those of the user who made it. */
export async function readPreferences(deps: Deps, { userId }: Principal): Promise<Preferences> {
  const row = await findPreferences(deps.db, userId);
  if (row === undefined) return DEFAULT_PREFERENCES;
  const { userId: _, updatedAt: __, ...preferences } = row;
  return preferences;
}

export async function replacePreferences(
  deps: Deps,
  { userId }: Principal,
  preferences: Preferences,
): Promise<Preferences> {
  await savePreferences(deps.db, { ...preferences, userId, updatedAt: deps.clock.now() });
  return preferences;
}
