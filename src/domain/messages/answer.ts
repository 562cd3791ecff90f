import type { EmailRow } from "#db/messages/emails.ts";
import {
  endOfThread,
  insertAnswer,
  type LastMessage,
  type ThreadEnd,
} from "#db/messages/answers.ts";
import { isFenced } from "#db/base/fence.ts";
import { recipientsOf } from "#db/people/suppressions.ts";
import { getConversation } from "#db/replies/conversations.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { profileSlug } from "#src/domain/people/leads/profile-slug.ts";
import type { Target } from "#src/domain/network/find-addressee.ts";
import { sendMessage } from "#src/domain/network/send-message.ts";
import { conflict, unprocessable } from "#src/errors.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { sendEmail } from "./emails/send.ts";
import { answerSubject, withQuote } from "./quote.ts";

export interface AnswerOrder {
  body: string;
  /** Null or past: at once. */
  sendAt: Date | null;
  /** Whether the newest message that came in stands below. */
  quote: boolean;
  /** The answer is kept only while this is the conversation's newest message. */
  ifLastMessageId: string | null;
}

export type Answered =
  | { channel: "email"; email: EmailRow }
  | { channel: "socialnet"; status: "sent" | "suppressed" | "failed"; error: string | null };

/**
 * Answers a conversation the way its newest message came, or went where nothing came: by mail from the alias that the
 * thread is with, as a single message that is suppressed and counted like any other, or on the network from the account.
 */
export async function answerConversation(
  deps: Deps,
  principal: Principal,
  id: string,
  order: AnswerOrder,
): Promise<Answered> {
  const conversation = requireFound(
    await getConversation(deps.db, principal.workspaceId, id),
    "Conversation",
  );
  const end = await endOfThread(deps.db, conversation);
  if (end === undefined)
    throw conflict("NOTHING_TO_ANSWER", "Nothing was said in this conversation yet.");
  if (order.ifLastMessageId !== null && order.ifLastMessageId !== end.last.id)
    throw movedOn(end.last);
  return destinationOf(end).channel === "email"
    ? byMail(deps, principal, conversation.id, end, order)
    : onNetwork(deps, principal, conversation.peerKey, end, order);
}

/** By which channel an answer goes, and by mail to which address: who wrote last need not be the lead. */
function destinationOf({ last, incoming, toEmail }: ThreadEnd) {
  const { channel } = incoming ?? last;
  return { channel, toEmail: channel === "email" ? incoming?.fromEmail || toEmail : null };
}

/** Where an answer would go now; null where nothing was said. */
export async function findDestination({ db }: Deps, { workspaceId }: Principal, id: string) {
  const end = await endOfThread(db, { id, workspaceId });
  return end === undefined ? null : destinationOf(end);
}

const movedOn = ({ id, direction, sentAt, text, html }: LastMessage) =>
  conflict(
    "CONVERSATION_MOVED_ON",
    "There is a newer message in this conversation: read it, and answer again with its id.",
    {
      detail: {
        newer_message: {
          id,
          direction,
          sent_at: sentAt.toISOString(),
          text: (text ?? (html === null ? "" : htmlToText(html))).slice(0, 10_000).trimEnd(),
        },
      },
    },
  );

async function byMail(
  deps: Deps,
  principal: Principal,
  conversationId: string,
  end: ThreadEnd,
  { body, sendAt, quote, ifLastMessageId }: AnswerOrder,
): Promise<Answered> {
  const { last, incoming, aliasId } = end;
  const answered = incoming ?? last;
  const { toEmail } = destinationOf(end);
  const key = toEmail === null ? null : emailKey(toEmail);
  if (toEmail === null || key === null)
    throw conflict("NO_ADDRESS", "The person's address is not kept any more.");
  if (aliasId === null)
    throw conflict("ALIAS_NOT_READY", "The mail alias of this conversation is gone.");
  try {
    const email = await sendEmail(
      deps,
      principal,
      {
        aliasId,
        toEmail,
        emailKey: key,
        subject: answerSubject(answered.subject ?? last.subject ?? ""),
        body: quote && incoming !== null ? withQuote(body, incoming) : body,
        trackOpens: false,
        trackClicks: false,
        clickTrackingPatterns: [],
        sendAt,
        conversationId,
        inReplyTo: answered.messageId,
        attachments: [],
      },
      ([made]) => insertAnswer(deps.db, made!.email, ifLastMessageId).then((email) => [email]),
    );
    return { channel: "email", email };
  } catch (error) {
    if (!isFenced(error)) throw error;
    const found = await endOfThread(deps.db, { id: conversationId, ...principal });
    throw movedOn(requireFound(found, "Conversation").last);
  }
}

async function onNetwork(
  deps: Deps,
  principal: Principal,
  peerKey: string,
  { accountId, personId, profileUrl, toEmail }: ThreadEnd,
  { body, sendAt, quote }: AnswerOrder,
): Promise<Answered> {
  if (sendAt !== null && sendAt > deps.clock.now())
    throw unprocessable(
      "SENT_AT_ONCE",
      "On the network a message is said at once: leave send_at out.",
    );
  if (quote) throw unprocessable("NO_QUOTES", "A network's chat has no quotes: leave quote out.");
  if (accountId === null)
    throw conflict("NO_CONNECTED_ACCOUNT", "The connected account of this conversation is gone.");
  const target = targetOf(peerKey, personId, profileUrl);
  if (target === null)
    throw conflict("NO_ADDRESS", "The person's name at the network is not kept any more.");
  const channel = "socialnet";
  const wish = await wishOf(deps, principal, toEmail);
  if (wish !== null) return { channel, status: "suppressed", error: suppressedBy(wish) };
  const result = await sendMessage(deps, principal, { accountId, target, text: body });
  return result.ok
    ? { channel, status: "sent", error: null }
    : { channel, status: "failed", error: result.error };
}

export const suppressedBy = (reason: string): string => `The person is suppressed: ${reason}.`;

/** Why a person whose address is known wants nothing more, by whatever way. */
async function wishOf(
  { db, clock }: Deps,
  { workspaceId }: Principal,
  email: string | null,
): Promise<string | null> {
  const key = email === null ? null : emailKey(email);
  if (key === null) return null;
  const found = await recipientsOf(db, workspaceId, [key], clock.now(), "network");
  return found.get(key)?.suppressionReason ?? null;
}

/** As a thread's key names the other side, or as the lead does. */
function targetOf(
  peerKey: string,
  personId: string | null,
  profileUrl: string | null,
): Target | null {
  if (personId !== null) return { by: "person", personId };
  const [, kind, name] = /^(person:|chat:|in\/)(.+)$/.exec(peerKey) ?? [];
  if (kind === "person:") return { by: "person", personId: name! };
  if (kind === "chat:") return { by: "chat", chatId: name! };
  const identifier = kind === "in/" ? name! : profileUrl === null ? null : profileSlug(profileUrl);
  return identifier === null ? null : { by: "identifier", identifier };
}
