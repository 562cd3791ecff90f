import type { AccountRow } from "#db/network/accounts.ts";
import { findPersonLeads, type PersonLead } from "#db/base/fragments/person-leads.ts";
import type { Deps } from "#src/deps.ts";
import { identifierSlug } from "#src/domain/people/leads/profile-slug.ts";
import { slugOfPeer } from "#src/domain/network/peer.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { describeError } from "#src/platform/log.ts";
import type { MessageEvent } from "./take-message.ts";

/** For so long the provider is not asked again for a person's page. */
const PAGE_SECONDS = 86_400;
/** For so long a message waits for the provider to name its writer; then it is a stranger's, and holds up no look. */
const NAMELESS_MS = DAY_MS;

/**
 * The campaign leads of a message's author. An event often names a page by the network's own id, which is on no
 * list of leads: then the provider is asked once for the page's public name. Throws where it cannot say for now: a message that is kept
 * without its lead stays so.
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

/** The page's public name; null where there is none. */
async function askForPage(
  deps: Deps,
  { id, providerAccountId }: AccountRow,
  personId: string,
): Promise<string | null> {
  const { cache, network, log } = deps;
  const key = `network:page:${id}:${personId}`;
  const known = await cache.get(key).catch(() => null);
  // A stranger of this morning may be a lead by now: the name is kept, not that nobody had it.
  if (known !== null) return known === NO_PAGE ? null : known;
  const answer = await network?.people.profile(providerAccountId, personId);
  if (!answer?.ok) {
    const code = answer?.failure.code ?? null;
    log.info("network_writer_unknown", { account_id: id, code });
    const isFinal = answer === undefined || ["person", "request"].includes(answer.failure.kind);
    if (isFinal || (await isNamelessForLong(deps, `network:nameless:${id}:${personId}`)))
      return null;
    throw new Error(`The provider does not say who wrote: ${code}`);
  }
  const { publicIdentifier, profileUrl } = answer.value;
  const page = (publicIdentifier && identifierSlug(publicIdentifier)) ?? slugOfPeer({ profileUrl });
  await note(deps, key, page || NO_PAGE, PAGE_SECONDS);
  return page || null;
}

/** No name of a page has a slash. */
const NO_PAGE = "/";

/** Whether the provider has not named this person since the first time that it was asked, long enough ago. */
async function isNamelessForLong(deps: Deps, key: string): Promise<boolean> {
  const now = deps.clock.now().getTime();
  const since = await deps.cache.get(key).catch(() => null);
  if (since === null) await note(deps, key, String(now), (2 * NAMELESS_MS) / 1000);
  return since !== null && now - Number(since) >= NAMELESS_MS;
}

const note = ({ cache, log }: Deps, key: string, value: string, seconds: number) =>
  cache
    .set(key, value, seconds)
    .catch((error: unknown) => log.info("network_writer_not_noted", describeError(error)));
