import { isFenced } from "#db/base/fence.ts";
import { isUsable } from "#db/base/fragments/usable.ts";
import {
  findSeeds,
  insertPlacementTest,
  type NewPlacementMail,
  oldestTestSince,
  type PlacementTest,
} from "#db/messages/placement-tests.ts";
import { recipientsOf } from "#db/people/suppressions.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { AppError, conflict, notFound, unprocessable } from "#src/errors.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { previewLetter, type Sender } from "../deliver.ts";
import { findSender } from "../find-sender.ts";
import { refuse } from "../preview-step.ts";
import { letterTo, type PlacementText, writeTest } from "./letter.ts";
import { enqueueSeeds } from "./queue.ts";
import { lookUntilFrom } from "./times.ts";

export const MOST_SEEDS = 20;
export const MOST_SENDERS = 5;
export const TESTS_A_DAY = 10;

export interface PlacementWish {
  aliasIds: readonly string[];
  /** Aliases whose inbox is connected, by id or by address. */
  seeds: { ids: readonly string[] } | { emails: readonly string[] };
  text: PlacementText;
  deleteAfter: boolean;
}

interface FoundSeed {
  id: string;
  email: string;
}

/** Begins a test: everything that can be refused is refused here, before anything is sent. */
export async function beginPlacementTest(
  deps: Deps,
  principal: Principal,
  wish: PlacementWish,
): Promise<PlacementTest> {
  const senders = await requireSenders(deps, principal, wish.aliasIds);
  const seeds = await requireSeeds(deps, principal, wish.seeds);
  const { letter, ...written } = await writeTest(deps, principal, wish.text);
  const now = deps.clock.now();
  const { workspaceId, userId } = principal;
  const test: PlacementTest = {
    ...{ id: deps.ids.uuid(), workspaceId, userId, createdAt: now, updatedAt: now },
    ...written,
    ...{ letter, subject: letter.subject, deleteAfter: wish.deleteAfter, deletedAt: null },
  };
  const mails = mailsOf(deps, test, senders, seeds);
  // A text that makes no message of one of the senders is refused now, and not in ten mails.
  for (const sender of senders)
    await previewLetter(deps, sender, letterTo(sender, letter, mails[0]!, now)).catch(refuse);
  await keep(deps, test, mails);
  const asked = [...new Set(mails.map(({ seedAliasId }) => seedAliasId))];
  await enqueueSeeds(
    deps,
    asked.map((seedAliasId) => ({ testId: test.id, seedAliasId })),
    now,
  );
  return test;
}

async function keep(
  deps: Deps,
  test: PlacementTest,
  mails: readonly NewPlacementMail[],
): Promise<void> {
  const since = new Date(test.createdAt.getTime() - DAY_MS);
  try {
    await insertPlacementTest(deps.db, test, mails, { limit: TESTS_A_DAY, since });
  } catch (error) {
    if (!isFenced(error)) throw error;
    const oldest = (await oldestTestSince(deps.db, test.workspaceId, since)) ?? since;
    const retryAfter = Math.ceil((oldest.getTime() - since.getTime()) / 1000) + 1;
    throw new AppError(
      "rate_limited",
      "PLACEMENT_TESTS_USED_UP",
      `A workspace begins ${TESTS_A_DAY} placement tests in 24 hours; deleted ones count.`,
      { retryAfter },
    );
  }
}

const requireSenders = (
  { db }: Deps,
  { workspaceId }: Principal,
  ids: readonly string[],
): Promise<Sender[]> =>
  Promise.all(
    [...new Set(ids)].map(async (aliasId) => {
      const sender = requireFound(await findSender(db, { workspaceId, aliasId }), "Mail alias");
      const { status, email } = sender.alias;
      if (!isUsable(status))
        throw conflict("ALIAS_NOT_READY", `${email} is ${status}; only an active alias sends.`);
      return sender;
    }),
  );

async function requireSeeds(
  deps: Deps,
  { workspaceId }: Principal,
  wish: PlacementWish["seeds"],
): Promise<FoundSeed[]> {
  const ids = "ids" in wish ? [...new Set(wish.ids)] : [];
  const emails =
    "emails" in wish ? [...new Set(wish.emails.map((each) => each.toLowerCase()))] : [];
  const found = await findSeeds(deps.db, workspaceId, { ids, emails });
  if (ids.some((id) => !found.some((seed) => seed.id === id))) throw notFound("Mail alias");
  const known = new Set(found.map(({ email }) => email.toLowerCase()));
  const strange = emails.find((email) => !known.has(email));
  if (strange !== undefined) throw notASeed(strange, "is no alias of this workspace");
  const unread = found.find(({ hasInbox }) => !hasInbox);
  if (unread !== undefined) throw notASeed(unread.email, "has no inbox that is read");
  await requireUnsuppressed(deps, workspaceId, found);
  return found;
}

const notASeed = (email: string, why: string): AppError =>
  unprocessable(
    "SEED_NOT_READABLE",
    `${email} ${why}, so that nobody could look into it. A seed is an alias with an \`inbox\` (Gmail, Microsoft or any IMAP): PATCH /api/v1/mailer/aliases/{alias_id}.`,
  );

async function requireUnsuppressed(
  { db, clock }: Deps,
  workspaceId: string,
  seeds: readonly FoundSeed[],
): Promise<void> {
  const keys = seeds.map(({ email }) => keyOf(email));
  const known = await recipientsOf(db, workspaceId, keys, clock.now());
  for (const key of keys) {
    const reason = known.get(key)?.suppressionReason ?? null;
    if (reason !== null)
      throw conflict("SUPPRESSED", `${key} is suppressed (${reason}); nothing is sent to it.`);
  }
}

/** An alias's address was read when it was made. */
const keyOf = (email: string): string => emailKey(email) ?? email.toLowerCase();

/** From each sender to each seed, but for itself: what a mailbox writes to itself passes no filter. */
function mailsOf(
  { ids }: Deps,
  { id: testId, workspaceId, createdAt }: PlacementTest,
  senders: readonly Sender[],
  seeds: readonly FoundSeed[],
): NewPlacementMail[] {
  const mails = seeds.flatMap((seed) =>
    senders
      .filter(({ alias }) => alias.id !== seed.id)
      .map(({ alias }): NewPlacementMail => {
        const id = ids.uuid();
        return {
          ...{ id, testId, workspaceId, aliasId: alias.id, fromEmail: alias.email },
          ...{ seedAliasId: seed.id, toEmail: seed.email, emailKey: keyOf(seed.email) },
          ...{ state: "queued", messageId: `${id}@${alias.email.split("@")[1]!}` },
          ...{ dueAt: createdAt, attempts: 0, lookUntil: lookUntilFrom(createdAt), copies: 0 },
        };
      }),
  );
  if (mails.length > 0) return mails;
  throw unprocessable(
    "SEED_IS_SENDER",
    "The only seed is the sending alias itself; what a mailbox writes to itself passes no filter.",
  );
}
