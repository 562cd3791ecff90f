import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import type { Answer } from "#src/providers/network/index.ts";
import { knownChat, noteChat } from "./known-chats.ts";
import type { Peer } from "./peer.ts";
import { requireNetwork } from "./require-network.ts";

/** The recipient: a chat of the account, or a person by the provider's id or by their public identifier. */
export type Target =
  | { by: "chat"; chatId: string }
  | { by: "person"; personId: string }
  | { by: "identifier"; identifier: string };

/** The chat that a message goes to, or the person: then the chat with them, which is opened if need be. */
export type Addressee = Peer &
  ({ inChat: true; chatId: string } | { inChat: false; personId: string });

const UNKNOWN = { inChat: false, chatId: null, name: null, profileUrl: null } as const;

/** With as few questions as can be: none for a person's id or a chat that is known, one otherwise. */
export async function findAddressee(
  deps: Deps,
  account: AccountRow,
  target: Target,
): Promise<Answer<Addressee>> {
  const { chats, people } = requireNetwork(deps);
  switch (target.by) {
    case "person":
      return { ok: true, value: { ...UNKNOWN, personId: target.personId } };
    case "identifier": {
      const answer = await people.profile(account.providerAccountId, target.identifier);
      if (!answer.ok) return answer;
      const { id: personId, name, profileUrl } = answer.value;
      return { ok: true, value: { ...UNKNOWN, personId, name, profileUrl } };
    }
    case "chat": {
      const { chatId } = target;
      const known = await knownChat(deps, account, chatId);
      if (known !== null) return { ok: true, value: { ...known, inChat: true, chatId } };
      const answer = await chats.get(chatId);
      if (!answer.ok) return answer;
      // A chat of another account is not found either, even of the same workspace.
      if (answer.value?.accountId !== account.providerAccountId) throw notFound("Chat");
      const { attendee } = answer.value;
      deps.background(noteChat(deps, account, chatId, attendee));
      return { ok: true, value: { ...attendee, inChat: true, chatId } };
    }
  }
}
