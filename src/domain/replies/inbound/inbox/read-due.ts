import * as z from "zod";
import {
  claimInboxes,
  type ClaimedInbox,
  recordLooks,
  releaseInboxes,
} from "#db/replies/inbox-reads.ts";
import type { Deps } from "#src/deps.ts";
import { define } from "#src/domain/job.ts";
import { INBOXES_A_MESSAGE, READ_INBOXES, enqueueReads } from "./queue.ts";
import { type Look, readInbox } from "./read-inbox.ts";
import { callsOf } from "./read-on.ts";
import { isBeforeRound, nextLooks } from "./rounds.ts";

/** Longer than all inboxes of a claim may take, and over when the next round but one begins. */
const LEASE_MS = 4 * 60_000;
/** After so long, or half of the calls that the platform allows, no further inbox is begun: one takes a minute at most. */
const WORK_MS = 2 * 60_000;
/** From a quarter of all places on a workspace is behind the others. */
const SHARES = 4;

/**
 * Reads the inboxes that are longest due, one after the other over one connection each, and asks for the looks that
 * are due before the next round. Safe to repeat and to overlap.
 */
export async function readDueInboxes(deps: Deps, first?: string): Promise<Record<string, number>> {
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const claims = await claimFairly(deps, { now, leaseUntil, first });
  const looks = await recordQuiet(deps, claims, await readAll(deps, claims, now));
  const left = claims.slice(looks.length);
  if (left.length > 0) await releaseInboxes(deps.db, left);
  await enqueueMore(deps, looks, left.length > 0);
  if (looks.some(({ taken }) => taken > 0)) await deps.wake();
  return report(deps, looks);
}

/**
 * What is longest due, but of a workspace that has its share of all workers in hand only what the other
 * workspaces leave: ten thousand inboxes that became due together, or that lie at a server which never answers, hold up
 * no other workspace's.
 */
async function claimFairly(
  deps: Deps,
  order: { now: Date; leaseUntil: Date; first: string | undefined },
): Promise<ClaimedInbox[]> {
  const places = deps.settings.inboxes.connections * INBOXES_A_MESSAGE;
  const share = Math.max(INBOXES_A_MESSAGE, Math.floor(places / SHARES));
  const { claims, passedOver } = await claimInboxes(deps.db, {
    ...order,
    limit: INBOXES_A_MESSAGE,
    share,
  });
  if (!passedOver || claims.length === INBOXES_A_MESSAGE) return claims;
  const limit = INBOXES_A_MESSAGE - claims.length;
  return [...claims, ...(await claimInboxes(deps.db, { ...order, limit })).claims];
}

async function readAll(deps: Deps, claims: readonly ClaimedInbox[], begun: Date): Promise<Look[]> {
  const open = deps.readInboxes();
  const looks: Look[] = [];
  let calls = 0;
  for (const claim of claims) {
    const isLate = deps.clock.now().getTime() - begun.getTime() > WORK_MS;
    if (isLate || calls > deps.settings.tick.limits.calls / 2) break;
    const look = await readInbox(deps, claim, open);
    looks.push(look);
    calls += callsOf(look);
  }
  return looks;
}

/** Records all looks without new mail in one statement. */
async function recordQuiet(
  deps: Deps,
  claims: readonly ClaimedInbox[],
  looks: readonly Look[],
): Promise<Look[]> {
  const quiet = looks.flatMap(({ failed, headers, position }, index) => {
    const { aliasId, leasedUntil } = claims[index]!;
    return !failed && headers === 0 && position !== null
      ? [{ aliasId, leasedUntil, position }]
      : [];
  });
  if (quiet.length === 0) return [...looks];
  const next = await recordLooks(deps.db, quiet, nextLooks(deps.clock.now()));
  return looks.map((look, index) => ({
    ...look,
    nextAt: look.nextAt ?? next.get(claims[index]!.aliasId),
  }));
}

/** One message for what is left now, and one for what is due soon, when all of that is due. */
async function enqueueMore(deps: Deps, looks: readonly Look[], isLeft: boolean): Promise<void> {
  const now = deps.clock.now();
  const early = looks.flatMap(({ nextAt }) =>
    nextAt !== undefined && isBeforeRound(nextAt, now) ? [nextAt.getTime()] : [],
  );
  if (isLeft || early.some((at) => at <= now.getTime())) await enqueueReads(deps, 1);
  const last = Math.max(...early);
  if (last > now.getTime()) await enqueueReads(deps, 1, { notBefore: new Date(last) });
}

/** One log line for all looks: of unrelated mail it has only the count. */
function report({ log }: Deps, looks: readonly Look[]): Record<string, number> {
  const sum = (of: (look: Look) => number) => looks.reduce((total, look) => total + of(look), 0);
  const counts = {
    inboxes: looks.length,
    failed: sum(({ failed }) => Number(failed)),
    headers: sum(({ headers }) => headers),
    fetched: sum(({ fetched }) => fetched),
    taken: sum(({ taken }) => taken),
  };
  if (looks.length > 0) log.info("inboxes_read", counts);
  return counts;
}

/** A message of this job never counts as lost: each round of the maintenance asks for what is due. */
export const readingInboxes = define(READ_INBOXES, {
  payload: z.object({ version: z.literal(1), alias_id: z.uuid().optional() }),
  run: (deps, { alias_id }) => readDueInboxes(deps, alias_id),
});
