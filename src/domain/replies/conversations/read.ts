import {
  changeConversation,
  countConversations,
  findPage,
  getConversation,
  getListed,
  type ListedConversation,
  listConversations,
  messagesOf,
  PERSON_CLASSES,
  setRead,
  type ThreadMessage,
  type Writer,
} from "#db/replies/conversations.ts";
import type { ConversationState, ReplyIntent } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { inWorkspace, requireFound } from "#src/domain/owned.ts";
import { AppError, notFound, unprocessable } from "#src/errors.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { sanitizeHtml } from "#src/mime/sanitize-html.ts";

export { CONVERSATION_STATES, REPLY_INTENTS, type ReplyIntent } from "#db/schema/index.ts";
export type Conversation = ListedConversation;
/** `expired`: its text was kept long enough and is gone; that it was sent is still known. */
export type Message = Omit<ThreadMessage, "text"> & { text: string; expired: boolean };

/** A thread that is longer shows its end. */
const MAX_MESSAGES = 500;

export const findConversations = inWorkspace(listConversations);

/** A conversation with its messages, oldest first; their HTML is sanitised for display. */
export async function requireConversation(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<{ conversation: Conversation; messages: Message[] }> {
  const found = await getListed(deps.db, workspaceId, id);
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

/** A message's page, sanitised for display. Throws 404, which says why where the message is known and has none. */
export async function requirePage(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
  messageId: string,
): Promise<string> {
  const conversation = requireFound(
    await getConversation(deps.db, workspaceId, id),
    "Conversation",
  );
  const html = await findPage(deps.db, conversation, messageId);
  if (html === undefined) throw notFound("Message");
  if (html === null)
    throw new AppError(
      "not_found",
      "HTML_NOT_KEPT",
      "The message came without HTML, or was kept long enough. The conversation has what is known of its text.",
    );
  return sanitizeHtml(html);
}

/** Counts as read from now on, until something comes in again. */
export async function markRead(deps: Deps, { workspaceId }: Principal, id: string): Promise<void> {
  if (!(await setRead(deps.db, workspaceId, id, deps.clock.now()))) throw notFound("Conversation");
}

export interface ConversationChange {
  /** Instead of what was suggested; null for nothing. */
  intent?: ReplyIntent | null | undefined;
  class?: string | undefined;
  state?: ConversationState | undefined;
  snoozeUntil?: Date | undefined;
}

/** What a person says of a conversation, and makes of it. */
export async function change(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
  { intent, class: heard, state, snoozeUntil }: ConversationChange,
): Promise<Conversation> {
  const now = deps.clock.now();
  if (snoozeUntil !== undefined && snoozeUntil <= now)
    throw unprocessable(
      "SNOOZE_OVER",
      "A conversation is snoozed until an instant to come, and snooze_until is over.",
    );
  const set = {
    ...(intent !== undefined && { intent }),
    ...(heard !== undefined && { class: heard }),
    ...(state !== undefined && {
      state,
      snoozedUntil: state === "snoozed" ? (snoozeUntil ?? null) : null,
    }),
  };
  return requireFound(await changeConversation(deps.db, workspaceId, id, set, now), "Conversation");
}

/** The characters of a snippet. */
const SNIPPET = 140;

/** How its newest message begins, on one line; null where nothing of it is kept. */
export function snippetOf({ beginning, isPage }: Conversation): string | null {
  const text = isPage ? htmlToText(beginning ?? "") : (beginning ?? "");
  return text.replace(/\s+/g, " ").trim().slice(0, SNIPPET).toWellFormed() || null;
}

/** A snooze that is over is none. */
export const stateOf = (
  { state, snoozedUntil }: Pick<Conversation, "state" | "snoozedUntil">,
  now: Date,
): ConversationState =>
  state === "snoozed" && snoozedUntil !== null && snoozedUntil <= now ? "open" : state;

export interface ConversationCounts {
  states: Record<ConversationState, number>;
  unread: number;
  /** Of the open ones. */
  classes: Record<string, number>;
  writers: Record<Writer, Record<ConversationState, number>>;
}

const none = (): Record<ConversationState, number> => ({ open: 0, done: 0, snoozed: 0 });

export async function countAll(
  { db, clock }: Deps,
  { workspaceId }: Principal,
): Promise<ConversationCounts> {
  const counts: ConversationCounts = {
    states: none(),
    unread: 0,
    classes: {},
    writers: { person: none(), machine: none() },
  };
  for (const row of await countConversations(db, workspaceId, clock.now())) {
    counts.states[row.state] += row.count;
    counts.unread += row.unread;
    if (row.class === null) continue;
    if (row.state === "open")
      counts.classes[row.class] = (counts.classes[row.class] ?? 0) + row.count;
    const writer = PERSON_CLASSES.includes(row.class) ? "person" : "machine";
    counts.writers[writer][row.state] += row.count;
  }
  return counts;
}
