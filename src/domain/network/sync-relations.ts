import { type AcceptedPerson, waitingPeople, type WaitingPerson } from "#db/network/acceptances.ts";
import type { Deps } from "#src/deps.ts";
import type { Relation } from "#src/providers/network/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { acceptInvitations } from "./accept-invitation.ts";

/** New relations are on the first pages; an account with thousands of them is not read to the end. */
const MAX_PAGES = 10;
/** The provider's clock may differ from this one, and it may see an acceptance late. */
const MARGIN_MS = DAY_MS;

export interface AccountSession {
  /** The account record's id, and its lane's. */
  id: string;
  /** The provider's. */
  providerAccountId: string;
}

/**
 * Marks invited people who are connected with the account by now: webhooks come late, or never. Does not ask the
 * provider while no lead waits. False when the provider did not answer.
 */
export async function syncRelations(deps: Deps, account: AccountSession): Promise<boolean> {
  const { network } = deps;
  const waiting = network === null ? [] : await waitingPeople(deps.db, account.id);
  if (network === null || waiting.length === 0) return true;
  const until = new Date(Math.min(...waiting.map(({ askedAt }) => askedAt.getTime())) - MARGIN_MS);
  const isAwaited = awaitedOf(waiting);
  const accepted: AcceptedPerson[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await network.people.relations(account.providerAccountId, cursor);
    if (!answer.ok) {
      deps.log.info("relations_unknown", { account_id: account.id, code: answer.failure.code });
      await acceptInvitations(deps, account.id, accepted);
      return false;
    }
    const { items, nextCursor } = answer.value;
    const found = items.filter(isAwaited);
    accepted.push(
      ...found.map((relation) => ({ ...relation, at: relation.since ?? deps.clock.now() })),
    );
    cursor = nextCursor;
    const isOld = items.some(({ since }) => since !== null && since < until);
    if (cursor === null || isOld || accepted.length >= waiting.length) break;
  }
  await acceptInvitations(deps, account.id, accepted);
  return true;
}

function awaitedOf(waiting: readonly WaitingPerson[]): (relation: Relation) => boolean {
  const ids = new Set(waiting.flatMap(({ personId }) => personId ?? []));
  const slugs = new Set(waiting.flatMap(({ publicIdentifier }) => publicIdentifier ?? []));
  return ({ personId, publicIdentifier }) =>
    ids.has(personId) || (publicIdentifier !== null && slugs.has(publicIdentifier.toLowerCase()));
}
