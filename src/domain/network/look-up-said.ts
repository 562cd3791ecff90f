import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import type { Answer, NetworkFailure, SentMessage } from "#src/providers/network/index.ts";
import { requireNetwork } from "./require-network.ts";
import { saysTheSame } from "./same-text.ts";

/** By how much the provider's clock may be behind ours. */
const SKEW_MS = 60_000;

/** Nobody knows whether it was said, and only a person should decide what to do about it. */
export const inDoubt = (why: string): { ok: false; failure: NetworkFailure } => ({
  ok: false,
  failure: {
    kind: "unknown",
    code: "message_in_doubt",
    detail: `The provider's answer was lost, and ${why}: look into the chat before you send it again`,
  },
});

/** What may be a message whose answer was lost: ours, of that text, since then, the earliest first. */
export async function lookUpSaid(
  deps: Deps,
  account: AccountRow,
  { personId, text, since }: { personId: string | null; text: string; since: Date },
): Promise<Answer<SentMessage[]>> {
  if (personId === null) return inDoubt("it is not known with whom the chat is");
  const { chats } = requireNetwork(deps);
  const from = new Date(since.getTime() - SKEW_MS);
  const answer = await chats.messagesWith(account.providerAccountId, personId, from);
  if (!answer.ok) return inDoubt("it cannot be asked what became of the message");
  const same = answer.value.filter(
    (each) => each.direction === "out" && saysTheSame(each.text, text),
  );
  return {
    ok: true,
    value: same.toReversed().map(({ id, chatId }) => ({ messageId: id, chatId })),
  };
}
