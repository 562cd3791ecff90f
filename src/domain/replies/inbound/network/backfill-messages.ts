import type { AccountRow } from "#db/network/accounts.ts";
import { knownMessages } from "#db/network/messages.ts";
import { noteBackfill } from "#db/network/sync.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { requireNetwork } from "#src/domain/network/require-network.ts";
import type { Answer, IncomingMessage, Page } from "#src/providers/network/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { isEventId } from "./event-id.ts";
import { takeMessage } from "./take-message.ts";

/** Messages written while a session was lost reach the provider late, under the instant at which they were written. */
const MARGIN_MS = DAY_MS;
/** Of 250 messages each; no person gets more between two looks. */
const MAX_PAGES = 10;

/**
 * Takes in messages to an account that no webhook delivered: it was lost, or the session was not open. Known messages
 * change nothing, so that after a worker's death the next look repeats the whole.
 */
export async function backfillMessages(deps: Deps, account: AccountRow): Promise<void> {
  const began = deps.clock.now();
  const missed = await missedMessages(deps, account);
  if (missed === null) return;
  if (await takeAll(deps, account, missed)) await noteBackfill(deps.db, account.id, began);
  if (missed.length > 0)
    deps.log.info("network_messages_heard", { account_id: account.id, count: missed.length });
}

/** The latest first; null where the provider could not say. */
async function missedMessages(deps: Deps, account: AccountRow): Promise<IncomingMessage[] | null> {
  const { chats } = requireNetwork(deps);
  const since = beginOf(account);
  const missed: IncomingMessage[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer: Answer<Page<IncomingMessage>> = await chats.heard(
      account.providerAccountId,
      since,
      cursor,
    );
    if (!answer.ok) {
      const { code } = answer.failure;
      deps.log.info("network_messages_unknown", { account_id: account.id, code });
      return null;
    }
    const items = answer.value.items.filter(isReadable);
    const known = await knownMessages(
      deps.db,
      account,
      items.map(({ messageId }) => messageId),
    );
    missed.push(...items.filter(({ messageId }) => !known.has(messageId)));
    cursor = answer.value.nextCursor;
    if (cursor === null) return missed;
  }
  deps.log.error("network_messages_too_many", { account_id: account.id });
  return missed;
}

/** Nothing from before the account was connected here: such messages answer no campaign. */
function beginOf({ heardUntil, warmupFrom, createdAt }: AccountRow): Date {
  const first = (warmupFrom ?? createdAt).getTime();
  return new Date(heardUntil === null ? first : Math.max(first, heardUntil.getTime() - MARGIN_MS));
}

const isReadable = ({ messageId, chatId, personId }: IncomingMessage): boolean =>
  [messageId, chatId, personId].every(isEventId);

/** Takes in messages in the order in which they were written. False where one failed: then all are read again. */
async function takeAll(
  deps: Deps,
  account: AccountRow,
  latestFirst: readonly IncomingMessage[],
): Promise<boolean> {
  let isWhole = true;
  for (const heard of latestFirst.toReversed()) {
    try {
      const { providerAccountId: accountId } = account;
      const nameless = { name: null, profileUrl: null };
      await takeMessage(deps, account, { kind: "message", accountId, ...heard, ...nameless });
    } catch (error) {
      isWhole = false;
      deps.log.error("network_message_failed", { account_id: account.id, ...describeError(error) });
    }
  }
  return isWhole;
}
