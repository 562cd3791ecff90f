import type { AccountRow } from "#db/network/account-lookup.ts";
import { knownMessages } from "#db/network/messages.ts";
import type { Deps } from "#src/deps.ts";
import type { Answer, NetworkFailure, SentMessage } from "#src/providers/network/index.ts";
import { requireNetwork } from "./require-network.ts";

/** By how much the provider's clock may be behind ours. */
const SKEW_MS = 60_000;

const doubt = (detail: string): { ok: false; failure: NetworkFailure } => ({
  ok: false,
  failure: { kind: "unknown", code: "message_in_doubt", detail },
});

/**
 * Whether something was said whose answer was lost: a message of ours with that text since then, which is not one that
 * we know of already.
 */
export async function lookUpSaid(
  deps: Deps,
  account: AccountRow,
  { personId, text, since }: { personId: string | null; text: string; since: Date },
): Promise<Answer<SentMessage>> {
  if (personId === null)
    return doubt(
      "The provider's answer was lost, and the message may have been said: look into the chat before you send it again",
    );
  const { chats } = requireNetwork(deps);
  const from = new Date(since.getTime() - SKEW_MS);
  const answer = await chats.messagesWith(account.providerAccountId, personId, from);
  if (!answer.ok)
    return doubt(
      "The provider's answer was lost and it cannot be asked whether the message was said: look into the chat before you send it again",
    );
  const same = answer.value.filter(
    (each) => each.direction === "out" && sameText(each.text, text) && each.sentAt >= from,
  );
  const known = await knownMessages(
    deps.db,
    account,
    same.map(({ id }) => id),
  );
  const said = same.find(({ id }) => !known.has(id));
  if (said !== undefined) return { ok: true, value: { messageId: said.id, chatId: said.chatId } };
  return doubt(
    "The provider's answer was lost, and the message is not in the chat: look again before you send it once more",
  );
}

/** Networks trim what is said and have line ends of their own. */
const sameText = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
