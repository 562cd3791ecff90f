import { chatOf, messagesOf, say } from "./chats.ts";
import {
  findChat,
  listAllAttendees,
  listAllMessages,
  listAttendees,
  listChats,
  listChatsWith,
  listMessages,
} from "./chat-lists.ts";
import { chatView, messageView } from "./chat-views.ts";
import { NetworkRefusal } from "./errors.ts";
import { type Asked, formText, operation } from "./operation.ts";
import { findById } from "./people.ts";
import { requireSession } from "./sessions.ts";

function sendMessage(asked: Asked): object {
  const { state, parts } = asked;
  const chat = findChat(state, parts[0] ?? "");
  const account = requireSession(state, chat.accountId);
  const { id } = say(state, account, chat.person, formText(asked, "text"));
  return { status: 201, body: { object: "MessageSent", message_id: id } };
}

function startChat(asked: Asked): object {
  const { state, form } = asked;
  const accountId = formText(asked, "account_id");
  if (accountId === "")
    throw new NetworkRefusal("missing_parameters", "The parameter account_id is missing.");
  const account = requireSession(state, accountId);
  const [attendee, ...others] = form?.getAll("attendees_ids").map(String) ?? [];
  if (attendee === undefined)
    throw new NetworkRefusal("missing_parameters", "The parameter attendees_ids is missing.");
  if (others.length > 0) throw new NetworkRefusal("missing_feature", "Groups are not spoken here.");
  if (form?.get("linkedin[inmail]") === "true")
    throw new NetworkRefusal("insufficient_credits", "You don't have enough InMail credits.");
  const person = findById(attendee);
  if (person === null)
    throw new NetworkRefusal("invalid_recipient", "The recipient appears not to be valid.");
  const { id } = say(state, account, person.slug, formText(asked, "text"));
  const chat = chatOf(state, account.owner, person.slug);
  return { status: 201, body: { object: "ChatStarted", chat_id: chat.id, message_id: id } };
}

/** Alone, a chat says what was said last; in a list it does not. */
function oneChat({ state, parts: [id = ""] }: Asked): object {
  const chat = findChat(state, id);
  const last = messagesOf(state, chat.id).at(-1);
  return { ...chatView(chat), lastMessage: last === undefined ? null : messageView(chat, last) };
}

export const chatOperations = [
  operation("GET", "chats", listChats),
  operation("POST", "chats", startChat),
  operation("GET", "chats/:", oneChat),
  operation("GET", "chats/:/messages", (asked) =>
    listMessages(asked, [findChat(asked.state, asked.parts[0] ?? "")]),
  ),
  operation("POST", "chats/:/messages", sendMessage),
  operation("GET", "chats/:/attendees", listAttendees),
  operation("GET", "chat_attendees", listAllAttendees),
  operation("GET", "chat_attendees/:/chats", listChatsWith),
  operation("GET", "messages", listAllMessages),
];
