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

/** The caller's own preferences; with an API key, those of the user who made it, as they count in the key's workspace. */
export async function readPreferences(
  deps: Deps,
  { userId, workspaceId }: Principal,
): Promise<Preferences> {
  const row = await findPreferences(deps.db, userId);
  if (row === undefined) return DEFAULT_PREFERENCES;
  const { userId: _, updatedAt: __, addressesOf, ...preferences } = row;
  if (addressesOf === null || addressesOf === workspaceId) return preferences;
  const { personalEmail, whatsappNumber, whatsappEnabled } = DEFAULT_PREFERENCES;
  return { ...preferences, personalEmail, whatsappNumber, whatsappEnabled };
}

/**
 * What is told, and where. A user has one set of them for all workspaces; but a key is of one workspace, and where its
 * maker reads what happens in the others is not its affair: addresses that it gives count in its own alone.
 */
export async function replacePreferences(
  deps: Deps,
  principal: Principal,
  preferences: Preferences,
): Promise<Preferences> {
  const { userId, workspaceId, via } = principal;
  const before = via === "key" ? await findPreferences(deps.db, userId) : undefined;
  const isSame =
    (before?.personalEmail ?? null) === preferences.personalEmail &&
    (before?.whatsappNumber ?? null) === preferences.whatsappNumber;
  const addressesOf = via !== "key" ? null : isSame ? (before?.addressesOf ?? null) : workspaceId;
  const now = deps.clock.now();
  await savePreferences(deps.db, { ...preferences, userId, addressesOf, updatedAt: now });
  return preferences;
}
