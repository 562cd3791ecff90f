import type { Preferences } from "#db/base/fragments/preferences.ts";
import { workspacesOf } from "#db/access/members.ts";
import {
  findPreferences,
  type PreferencesRow,
  savePreferences,
} from "#db/workspace/notification-preferences.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { forbidden } from "#src/errors.ts";

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
  const { userId, via } = principal;
  const byKey = via === "key" ? await addressesByKey(deps, principal, preferences) : {};
  const row = { ...preferences, addressesOf: null, ...byKey, userId };
  await savePreferences(deps.db, { ...row, updatedAt: deps.clock.now() });
  return preferences;
}

/** What becomes of the addresses by what a key wishes: what it was shown and puts back stays as it is, whosever it is. */
async function addressesByKey(
  { db }: Deps,
  { userId, workspaceId }: Principal,
  wish: Preferences,
): Promise<Partial<PreferencesRow>> {
  const before = {
    ...DEFAULT_PREFERENCES,
    addressesOf: null,
    ...(await findPreferences(db, userId)),
  };
  const { personalEmail, whatsappNumber, whatsappEnabled, addressesOf } = before;
  const isShown = addressesOf === null || addressesOf === workspaceId;
  const shown = isShown ? before : DEFAULT_PREFERENCES;
  if (shown.personalEmail === wish.personalEmail && shown.whatsappNumber === wish.whatsappNumber)
    return isShown
      ? { addressesOf }
      : { personalEmail, whatsappNumber, whatsappEnabled, addressesOf };
  const hasSome = personalEmail !== null || whatsappNumber !== null;
  if (hasSome && addressesOf !== workspaceId) {
    const joined = await workspacesOf(db, userId);
    // Of a workspace that its maker has left they count nowhere.
    if (joined.some(({ id }) => id !== workspaceId && (addressesOf ?? id) === id))
      throw forbidden(
        "JWT_REQUIRED",
        "The addresses that notices go to count in another workspace of this key's maker as well, and a key of this one does not replace them: change them with a login, or send the addresses that this key is shown.",
      );
  }
  return { addressesOf: workspaceId };
}
