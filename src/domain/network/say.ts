import type { AccountRow } from "#db/network/account-lookup.ts";
import { findPersonLeads, type PersonLead } from "#db/network/person-leads.ts";
import { keepSaid } from "#db/network/said.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import { describeError } from "#src/platform/log.ts";
import type { Answer, Network, SentMessage } from "#src/providers/network/index.ts";
import { requireConnectedAccount } from "./choose-account.ts";
import { lookUpSaid } from "./look-up-said.ts";
import { accountName, type Peer, peerKeyOf, peerName, slugOfPeer } from "./peer.ts";
import { refusalOf } from "./provider-refusal.ts";
import { requireNetwork } from "./require-network.ts";

/** To whom: in a chat of the account, or to a person by the provider's id or by their public identifier. */
export type Target =
  | { by: "chat"; chatId: string }
  | { by: "person"; personId: string }
  | { by: "identifier"; identifier: string };

export type Said = { ok: true; message: SentMessage; at: Date } | { ok: false; error: string };

/**
 * Says something to somebody, at once, and keeps it in their thread. In a chat nothing is said before the provider has
 * said that it is the account's. What was lost on the way is looked up, and never said twice.
 */
export async function say(
  deps: Deps,
  principal: Principal,
  order: { accountId: string | undefined; target: Target; text: string },
): Promise<Said> {
  const network = requireNetwork(deps);
  const account = await requireConnectedAccount(deps, principal, order.accountId);
  const found = await findPeer(network, account, order.target);
  if (!found.ok) return { ok: false, error: refusalOf(deps, found.failure) };
  const peer = found.value;
  const startedAt = deps.clock.now();
  const saying = peer.inChat
    ? network.chats.send(peer.chatId, order.text)
    : network.chats.start(account.providerAccountId, peer.personId, order.text);
  const person = { personId: peer.personId, slug: slugOfPeer(peer) };
  const [answer, leads] = await Promise.all([saying, findPersonLeads(deps.db, account, person)]);
  const message =
    !answer.ok && answer.failure.kind === "unknown"
      ? await lookUpSaid(deps, account, { ...peer, text: order.text, since: startedAt })
      : answer;
  if (!message.ok) return { ok: false, error: refusalOf(deps, message.failure) };
  const at = deps.clock.now();
  await keep(deps, account, peer, leads, { ...message.value, text: order.text, at });
  return { ok: true, message: message.value, at };
}

/** In which chat it is said, or to whom, where one is opened if need be. */
type Addressee = Peer & ({ inChat: true; chatId: string } | { inChat: false; personId: string });

async function findPeer(
  { chats, people }: Network,
  { providerAccountId }: AccountRow,
  target: Target,
): Promise<Answer<Addressee>> {
  const unknown = { chatId: null, name: null, profileUrl: null, inChat: false } as const;
  switch (target.by) {
    case "person":
      return { ok: true, value: { ...unknown, personId: target.personId } };
    case "identifier": {
      const answer = await people.profile(providerAccountId, target.identifier);
      if (!answer.ok) return answer;
      const { id: personId, name, profileUrl } = answer.value;
      return { ok: true, value: { ...unknown, personId, name, profileUrl } };
    }
    case "chat": {
      const answer = await chats.get(target.chatId);
      if (!answer.ok) return answer;
      // Another account's is not found either, whoever has it.
      if (answer.value?.accountId !== providerAccountId) throw notFound("Chat");
      const { id: chatId, attendee } = answer.value;
      return { ok: true, value: { ...attendee, inChat: true, chatId } };
    }
  }
}

/** Said is said: what cannot be kept is no reason to have it said again. */
async function keep(
  deps: Deps,
  account: AccountRow,
  peer: Peer,
  leads: readonly PersonLead[],
  said: SentMessage & { text: string; at: Date },
): Promise<void> {
  const [lead = null] = leads;
  const whom = { ...peer, chatId: said.chatId };
  try {
    await keepSaid(
      deps.db,
      {
        account,
        conversationId: deps.ids.uuid(),
        peerKey: lead?.emailKey ?? peerKeyOf(whom),
        lead,
      },
      {
        id: deps.ids.uuid(),
        direction: "out",
        class: "sent",
        from: accountName(account),
        to: peerName(whom, leads[0]),
        text: said.text,
        sentAt: said.at,
        messageId: said.messageId,
        now: said.at,
      },
    );
  } catch (error) {
    deps.log.error("network_message_not_kept", {
      account_id: account.id,
      message_id: said.messageId,
      ...describeError(error),
    });
  }
}
