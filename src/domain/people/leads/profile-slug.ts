import { readProfileUrl } from "./profile-url.ts";

/**
 * The name in a member's page (`/in/<slug>`) as it is compared; null where the page is of another kind. Twin of
 * `slugOf` in db/base/fragments/person-leads.ts.
 */
export function profileSlug(profileUrl: string): string | null {
  const key = readProfileUrl(profileUrl)?.key ?? "";
  return /\/in\/([^/]+)/.exec(key)?.[1] ?? null;
}

/** The same of the public identifier alone. */
export const identifierSlug = (identifier: string): string | null =>
  profileSlug(`https://network.invalid/in/${identifier}`);
