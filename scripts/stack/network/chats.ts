import { act, limitRefusal } from "./acts.ts";
import { digest, newId, pair, type State } from "./books.ts";
import { NetworkRefusal } from "./errors.ts";
import { tellMessage } from "./events.ts";
import { relationOf } from "./invitations.ts";
import type { Account, Chat, Message } from "./model.ts";
import { isUnreachable, mannersOf } from "./people.ts";

const LONGEST_TEXT = 8000;

/** The same for the same two. */
const chatId = (owner: string, person: string) =>
  digest("chat", pair(owner, person)).toString("base64url", 0, 16);

export function chatOf({ books }: State, owner: string, person: string): Chat {
  const id = chatId(owner, person);
  return books.chats.get(id) ?? { id, owner, person, lastAt: 0, unread: 0 };
}

/** What the member says to a person of their connections. */
export function say(state: State, account: Account, person: string, text: string): Message {
  const { owner } = account;
  if (text === "")
    throw new NetworkRefusal("missing_parameters", "Provide a text or an attachment.");
  if ([...text].length > LONGEST_TEXT)
    throw new NetworkRefusal("too_many_characters", `The text is longer than ${LONGEST_TEXT}.`);
  if (isUnreachable(person))
    throw new NetworkRefusal("user_unreachable", "This user cannot be reached.");
  if (relationOf(state, owner, person) === undefined)
    throw new NetworkRefusal(
      "no_connection_with_recipient",
      "The recipient appears not to be a first degree connection.",
    );
  if (state.faults.take("limit_exceeded")) throw limitRefusal("limit_exceeded");
  act(state, account, { kind: "message", person, text });
  const chat = chatOf(state, owner, person);
  planAnswer(state, chat);
  return write(state, { ...chat, unread: 0 }, owner, text);
}

/** Whoever answers does so once, some time after the first that he is told. */
function planAnswer(state: State, { id, owner, person, lastAt }: Chat): void {
  const { answers_after: seconds, answer: text } = mannersOf(state, owner, person);
  if (seconds === null || lastAt > 0) return;
  const dueAt = Date.now() + seconds * 1000;
  state.books.agenda.put(`answer ${id}`, {
    kind: "answer",
    chat: pair(owner, person),
    text,
    dueAt,
  });
}

/** What the person says; by itself, too, whether it was asked or not. */
export function answer(state: State, owner: string, person: string, text: string): Message {
  const chat = chatOf(state, owner, person);
  state.books.agenda.delete(`answer ${chat.id}`);
  return write(state, { ...chat, unread: chat.unread + 1 }, person, text);
}

function write(state: State, chat: Chat, sender: string, text: string): Message {
  const at = Date.now();
  const message = { id: newId(), chat: chat.id, sender, text, at };
  const told = { ...chat, lastAt: at };
  state.books.messages.add(message.id, message);
  state.books.chats.put(chat.id, told);
  tellMessage(state, told, message);
  return message;
}

/** Oldest first. */
export const messagesOf = ({ books }: State, chat: string) => books.messages.of(chat);
