import {
  deletePlacementTest,
  getPlacementTest,
  listPlacementMails,
  listPlacementTests,
  type PlacementMail,
  type PlacementTest,
} from "#db/messages/placement-tests.ts";
import type { PlacementState } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requires } from "#src/domain/owned.ts";
import { notFound } from "#src/errors.ts";

export { PLACEMENT_DAYS as KEPT_DAYS } from "#db/base/retention.ts";
export { CATEGORIES, PLACES } from "#src/providers/inbox/index.ts";
export type { PlacementMail, PlacementTest } from "#db/messages/placement-tests.ts";

export interface ReadTest {
  test: PlacementTest;
  mails: PlacementMail[];
}

/** What callers see of a mail: one that is being handed over still waits. */
export const PLACEMENT_STATUSES = [
  "waiting",
  "looking",
  "found",
  "missing",
  "bounced",
  "not_sent",
  "unreadable",
  "unknown",
] as const;
type PlacementStatus = (typeof PLACEMENT_STATUSES)[number];

const STATUS_OF: Record<PlacementState, PlacementStatus> = {
  queued: "waiting",
  transmitting: "waiting",
  looking: "looking",
  found: "found",
  missing: "missing",
  bounced: "bounced",
  not_sent: "not_sent",
  unreadable: "unreadable",
  unknown: "unknown",
};
export const statusOf = ({ state }: Pick<PlacementMail, "state">): PlacementStatus =>
  STATUS_OF[state];

export const isOpen = (mail: Pick<PlacementMail, "state">): boolean =>
  ["waiting", "looking"].includes(statusOf(mail));

const requireTest = requires("Placement test", getPlacementTest);

export async function requirePlacementTest(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<ReadTest> {
  const test = await requireTest(deps, principal, id);
  return { test, mails: await listPlacementMails(deps.db, [test.id]) };
}

/** One more than `limit`, newest first. */
export async function findPlacementTests(
  { db }: Deps,
  { workspaceId }: Principal,
  page: { before: string | undefined; limit: number },
): Promise<ReadTest[]> {
  const tests = await listPlacementTests(db, workspaceId, page);
  const mails = await listPlacementMails(
    db,
    tests.map(({ id }) => id),
  );
  const byTest = Map.groupBy(mails, ({ testId }) => testId);
  return tests.map((test) => ({ test, mails: byTest.get(test.id) ?? [] }));
}

/** What has not left does not leave any more, and nothing is looked for. */
export async function removePlacementTest(
  { db, clock }: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  if (!(await deletePlacementTest(db, workspaceId, id, clock.now())))
    throw notFound("Placement test");
}
