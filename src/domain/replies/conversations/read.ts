import {
  type ConversationRow,
  getConversation,
  listConversations,
  messagesOf,
  setIntent,
  setRead,
  type ThreadMessage,
} from "#db/replies/conversations.ts";
import type { ReplyIntent } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { inWorkspace, requireFound } from "#src/domain/owned.ts";
import { notFound } from "#src/errors.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { sanitizeHtml } from "#src/mime/sanitize-html.ts";

export { REPLY_INTENTS, type ReplyIntent } from "#db/schema/index.ts";
export type Conversation = ConversationRow;
/** `expired`: its text was kept long enough and is gone; that it was sent is still known. */
export type Message = Omit<ThreadMessage, "text"> & { text: string; expired: boolean };

/** A thread that is longer shows its beginning. */
const MAX_MESSAGES = 500;

export const findConversations = inWorkspace(listConversations);

/** A conversation with its messages, oldest first; their HTML is sanitised for display. */
export async function requireConversation(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<{ conversation: Conversation; messages: Message[] }> {
  const found = await getConversation(deps.db, workspaceId, id);
  const conversation = requireFound(found, "Conversation");
  const messages = await messagesOf(deps.db, conversation, MAX_MESSAGES);
  return {
    conversation,
    messages: messages.map(({ text, html, ...message }) => ({
      ...message,
      html: html === null ? null : sanitizeHtml(html),
      text: text ?? (html === null ? "" : htmlToText(html)),
      expired: text === null && html === null,
    })),
  };
}

/** Counts as read from now on, until something comes in again. */
export async function markRead(deps: Deps, { workspaceId }: Principal, id: string): Promise<void> {
  if (!(await setRead(deps.db, workspaceId, id, deps.clock.now()))) throw notFound("Conversation");
}

/** What a person says of a conversation, instead of what was suggested; null for nothing. */
export async function changeIntent(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
  intent: ReplyIntent | null,
): Promise<Conversation> {
  const change = { intent, now: deps.clock.now() };
  return requireFound(await setIntent(deps.db, workspaceId, id, change), "Conversation");
}
