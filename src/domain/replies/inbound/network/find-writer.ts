import type { AccountRow } from "#db/network/accounts.ts";
import { findPersonLeads, type PersonLead } from "#db/base/fragments/person-leads.ts";
import type { Deps } from "#src/deps.ts";
import { identifierSlug } from "#src/domain/people/leads/profile-slug.ts";
import { slugOfPeer } from "#src/domain/network/peer.ts";
import { describeError } from "#src/platform/log.ts";
import type { MessageEvent } from "./take-message.ts";

/** For so long the provider is not asked again about a person who is no lead. */
const STRANGER_SECONDS = 86_400;

/**
 * The campaign leads of a message's author. An event often names a page by the network's own id, which is on no
 * list of leads: then the provider is asked once for the page's public name.
 */
export async function findWriter(
  deps: Deps,
  account: AccountRow,
  { personId, profileUrl }: Pick<MessageEvent, "personId" | "profileUrl">,
): Promise<PersonLead[]> {
  const slug = slugOfPeer({ profileUrl });
  const found = await findPersonLeads(deps.db, account, { personId, slug });
  if (found.length > 0 || personId === null) return found;
  if (slug !== null && slug !== identifierSlug(personId)) return found;
  const page = await askForPage(deps, account, personId);
  return page === null ? [] : findPersonLeads(deps.db, account, { personId, slug: page });
}

/** The page's public name; null where the provider does not say, or the cache says that it is no lead's. */
async function askForPage(
  { cache, network, log }: Deps,
  { id, providerAccountId }: AccountRow,
  personId: string,
): Promise<string | null> {
  const key = `network:stranger:${id}:${personId}`;
  if ((await cache.get(key).catch(() => null)) !== null) return null;
  const answer = await network?.people.profile(providerAccountId, personId);
  if (!answer?.ok) {
    log.info("network_writer_unknown", { account_id: id, code: answer?.failure.code ?? null });
    return null;
  }
  await cache
    .set(key, "asked", STRANGER_SECONDS)
    .catch((error: unknown) => log.info("network_writer_not_noted", describeError(error)));
  const { publicIdentifier, profileUrl } = answer.value;
  return (publicIdentifier && identifierSlug(publicIdentifier)) ?? slugOfPeer({ profileUrl });
}
