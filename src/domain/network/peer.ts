import type { AccountRow } from "#db/network/accounts.ts";
import type { PersonLead } from "#db/base/fragments/person-leads.ts";
import { profileSlug } from "#src/domain/people/leads/profile-slug.ts";
import { storable } from "./storable.ts";

/** The other side of an account's chat, as far as the network identifies the person. */
export interface Peer {
  chatId: string | null;
  personId: string | null;
  name: string | null;
  profileUrl: string | null;
}

const MAX_NAME = 2_000;
const shown = (text: string | null | undefined): string | null =>
  storable(text ?? "").slice(0, MAX_NAME) || null;

/** Their page or else their name, as a conversation shows them. */
export const peerName = (peer: Peer, lead: PersonLead | undefined): string =>
  shown(peer.profileUrl) ?? lead?.profileUrl ?? shown(peer.name) ?? shown(peer.personId) ?? "";

export const accountName = ({ profileUrl, displayName }: AccountRow): string =>
  shown(profileUrl) ?? shown(displayName) ?? "";

/** The name in their page; null where that is no page of a member. */
export const slugOfPeer = ({ profileUrl }: Pick<Peer, "profileUrl">): string | null =>
  profileUrl === null ? null : profileSlug(profileUrl);

/** The key by which the thread with a person who is no lead is found again. */
export function peerKeyOf({ personId, profileUrl, chatId }: Peer): string {
  if (personId !== null) return `person:${personId}`;
  const slug = slugOfPeer({ profileUrl });
  return slug === null ? `chat:${chatId}` : `in/${slug}`;
}
