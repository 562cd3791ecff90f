import type { AccountRow } from "#db/network/accounts.ts";
import { findPersonLeads } from "#db/base/fragments/person-leads.ts";
import type { Deps, Principal } from "#src/deps.ts";
import type { Answer, Network, NetworkFailure, SentMessage } from "#src/providers/network/index.ts";
import { requireConnectedAccount } from "./choose-account.ts";
import { type Addressee, findAddressee, type Target } from "./find-addressee.ts";
import { saveMessage } from "./save-message.ts";
import { slugOfPeer } from "./peer.ts";
import { refusalOf } from "./provider-refusal.ts";
import { requireNetwork } from "./require-network.ts";
import { saysTheSame } from "./same-text.ts";

export interface Order {
  /** Absent: the default account's. */
  accountId: string | undefined;
  target: Target;
  text: string;
}

export type SendMessageResult =
  | { ok: true; message: SentMessage; at: Date }
  | { ok: false; error: string };

/**
 * Sends a message to a person at once, and saves it in their thread. Nothing goes into a chat before the provider has
 * said that it is the account's. A message whose answer was lost is looked up, and never sent twice.
 */
export async function sendMessage(
  deps: Deps,
  principal: Principal,
  order: Order,
): Promise<SendMessageResult> {
  requireNetwork(deps);
  const account = await requireConnectedAccount(deps, principal, order.accountId);
  const found = await findAddressee(deps, account, order.target);
  const answer = found.ok ? await sendTo(deps, account, found.value, order.text) : found;
  return answer.ok
    ? { ok: true, message: answer.value, at: deps.clock.now() }
    : { ok: false, error: refusalOf(deps, account, answer.failure) };
}

async function sendTo(
  deps: Deps,
  account: AccountRow,
  peer: Addressee,
  text: string,
): Promise<Answer<SentMessage>> {
  const startedAt = deps.clock.now();
  const person = { personId: peer.personId, slug: slugOfPeer(peer) };
  const [answer, leads] = await Promise.all([
    handOver(requireNetwork(deps), account, peer, text),
    findPersonLeads(deps.db, account, person),
  ]);
  const keep = (message: SentMessage) => saveMessage(deps, account, { peer, leads, text }, message);
  if (answer.ok) await keep(answer.value);
  if (answer.ok || answer.failure.kind !== "unknown") return answer;
  const found = await lookUpSent(deps, account, { ...peer, text, since: startedAt });
  if (!found.ok) return found;
  // The same text may have been sent before, or by another request at once: each message found is claimed by one.
  for (const message of found.value) if (await keep(message)) return { ok: true, value: message };
  return inDoubt("the message is not in the chat");
}

const handOver = ({ chats }: Network, account: AccountRow, peer: Addressee, text: string) =>
  peer.inChat
    ? chats.send(peer.chatId, text)
    : chats.start(account.providerAccountId, peer.personId, text);

/** By how much the provider's clock may be behind this one. */
const SKEW_MS = 60_000;

/** Whether the message was sent is unknown: the caller has to look and decide. */
const inDoubt = (why: string): { ok: false; failure: NetworkFailure } => ({
  ok: false,
  failure: {
    kind: "unknown",
    code: "message_in_doubt",
    detail: `The provider's answer was lost, and ${why}: look into the chat before you send it again`,
  },
});

/** Messages that may be the one whose answer was lost: of the account, with that text, since then, the earliest first. */
async function lookUpSent(
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
