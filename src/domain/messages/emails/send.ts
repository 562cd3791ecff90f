import { isFenced } from "#db/base/fence.ts";
import { getConversation } from "#db/replies/conversations.ts";
import {
  type EmailRow,
  insertEmails,
  type NewConversation,
  type NewEmail,
} from "#db/messages/emails.ts";
import type { AliasRow } from "#db/senders/aliases.ts";
import { type Recipient, recipientsOf } from "#db/people/suppressions.ts";
import type { StoredAttachment } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import { requireFound } from "#src/domain/owned.ts";
import { requireAlias } from "#src/domain/senders/aliases.ts";
import { AppError, conflict } from "#src/errors.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { nextHop, type QueueMessage } from "#src/providers/queue/index.ts";

export type Email = EmailRow;
export const SEND_EMAIL = "send-email";

const NOBODY = { toEmail: "", emailKey: "", subject: "", body: "", inReplyTo: null };

export interface EmailInput {
  aliasId: string;
  toEmail: string;
  emailKey: string;
  subject: string;
  body: string;
  trackOpens: boolean;
  trackClicks: boolean;
  clickTrackingPatterns: string[];
  /** Null or past: at once. */
  sendAt: Date | null;
  conversationId: string | null;
  /** A Message-ID without brackets. */
  inReplyTo: string | null;
  attachments: StoredAttachment[];
}

/**
 * Saves a message and queues its delivery; never sends inline. A suppressed
 * recipient is an answer, not an error: the message is saved as suppressed and
 * not sent. For an erased recipient it is saved without the address.
 */
export async function sendEmail(
  deps: Deps,
  principal: Principal,
  wish: EmailInput,
  keep?: Keep,
): Promise<Email> {
  return judgedAgain(async () => {
    const checked = await checkAll(deps, principal, [wish]);
    for (const [, refusal] of refusalsOf(checked)) throw refusal;
    const [sent] = await save(deps, principal, checked.filter(isChecked), keep);
    return sent!;
  });
}

/** Once more where a recipient or a thread was erased between judgement and write, which then took no effect. */
const judgedAgain = <T>(send: () => Promise<T>): Promise<T> =>
  send().catch((error: unknown) => {
    if (isFenced(error)) return send();
    throw error;
  });

/** How messages and the conversations that they open are kept: all or none, in the order given. */
type Keep = (
  made: readonly { email: NewEmail; opened: NewConversation | null }[],
) => Promise<EmailRow[]>;

/** `strict`: all or none; `permissive`: all that can be. */
export type BatchMode = "strict" | "permissive";

/** Each as `sendEmail` does it, or why it is refused, in the order given. What is saved is saved together. */
export const sendEmails = (...order: Parameters<typeof sendAll>): Promise<(Email | AppError)[]> =>
  judgedAgain(() => sendAll(...order));

async function sendAll(
  deps: Deps,
  principal: Principal,
  wishes: readonly EmailInput[],
  mode: BatchMode,
): Promise<(Email | AppError)[]> {
  const checked = await checkAll(deps, principal, wishes);
  if (mode === "strict")
    for (const [index, { kind, code, message }] of refusalsOf(checked))
      throw new AppError(kind, code, `emails[${index}]: ${message}`, { detail: { index } });
  const passed = checked.filter(isChecked);
  const saved = passed.length === 0 ? [] : await save(deps, principal, passed);
  const sent = new Map(passed.map((each, at) => [each, saved[at]!]));
  return checked.map((each) => (isChecked(each) ? sent.get(each)! : each));
}

async function save(
  deps: Deps,
  principal: Principal,
  checked: readonly Checked[],
  keep: Keep = (made) => insertEmails(deps.db, made),
): Promise<Email[]> {
  const made = checked.map((each) => compose(deps, principal, each));
  const saved = await keep(made);
  const leaving = saved.filter(({ state }) => state !== "suppressed");
  if (leaving.length > 0)
    await wakeUp(
      deps,
      leaving.map((email) => callFor(deps, email)),
    );
  // Its sender is told what they wrote to an erased person, which is kept nowhere.
  return saved.map((email, at) => {
    const { wish, recipient } = checked[at]!;
    return hides(recipient) ? { ...email, toEmail: wish.toEmail, subject: wish.subject } : email;
  });
}

interface Checked {
  wish: EmailInput;
  alias: AliasRow;
  recipient: Recipient;
}

const isChecked = (each: Checked | AppError): each is Checked => !(each instanceof AppError);

const refusalsOf = (checked: readonly (Checked | AppError)[]): [number, AppError][] =>
  checked.flatMap((each, index) => (isChecked(each) ? [] : [[index, each]]));

const hides = ({ suppressionReason, isErased }: Recipient) =>
  suppressionReason !== null && isErased;

async function checkAll(
  deps: Deps,
  principal: Principal,
  wishes: readonly EmailInput[],
): Promise<(Checked | AppError)[]> {
  const { db, clock } = deps;
  const { workspaceId } = principal;
  const aliases = once((id) => usableAlias(deps, principal, id));
  const conversations = once(async (id) =>
    requireFound(await getConversation(db, workspaceId, id), "Conversation"),
  );
  const keys = wishes.map(({ emailKey }) => emailKey);
  const recipients = recipientsOf(db, workspaceId, keys, clock.now());
  const check = async (wish: EmailInput): Promise<Checked> => {
    const alias = await aliases(wish.aliasId);
    if (wish.conversationId !== null) await conversations(wish.conversationId);
    return { wish, alias, recipient: (await recipients).get(wish.emailKey)! };
  };
  return Promise.all([recipients, ...wishes.map((wish) => check(wish).catch(refusal))]).then(
    ([, ...checked]) => checked,
  );
}

function refusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Looked up once, however many messages name it. */
function once<T>(find: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const found = new Map<string, Promise<T>>();
  return (id) => {
    const known = found.get(id) ?? find(id);
    found.set(id, known);
    return known;
  };
}

async function usableAlias(deps: Deps, principal: Principal, id: string): Promise<AliasRow> {
  const alias = await requireAlias(deps, principal, id);
  if (alias.status === "active") return alias;
  throw conflict("ALIAS_NOT_READY", `The mail alias is ${alias.status}; only an active one sends.`);
}

function compose(
  { clock, ids }: Deps,
  { workspaceId, userId }: Principal,
  { wish, alias, recipient }: Checked,
): { email: NewEmail; opened: NewConversation | null } {
  const now = clock.now();
  const { suppressionReason } = recipient;
  const id = ids.uuid();
  const isLater = wish.sendAt !== null && wish.sendAt > now;
  const owner = { workspaceId, userId, createdAt: now, updatedAt: now };
  const conversationId = wish.conversationId ?? ids.uuid();
  const isHidden = hides(recipient);
  const { sendAt, ...content } = isHidden ? { ...wish, ...NOBODY } : wish;
  const opens = wish.conversationId === null && !isHidden;
  return {
    email: {
      ...owner,
      ...content,
      id,
      conversationId,
      fromEmail: alias.email,
      format: bodyFormat(wish.body),
      scheduledAt: isLater ? sendAt : null,
      dueAt: isLater && sendAt !== null ? sendAt : now,
      state: suppressionReason !== null ? "suppressed" : isLater ? "scheduled" : "queued",
      attachments: suppressionReason !== null ? [] : wish.attachments,
      suppressionReason,
      messageId: `${id}@${alias.email.split("@")[1]!}`,
      attempts: 0,
      opens: 0,
      clicks: 0,
      machineOpens: 0,
      machineClicks: 0,
    },
    opened: opens
      ? {
          ...owner,
          id: conversationId,
          aliasId: alias.id,
          peerKey: wish.emailKey,
          channel: "email",
          subject: wish.subject,
          lastMessageAt: now,
          unread: 0,
        }
      : null,
  };
}

/** Asks to be woken for a message, or on the way when it is due later than the queue can wait. */
export const enqueueEmail = (deps: Deps, email: Waiting, part = ""): Promise<void> =>
  wakeUp(deps, callFor(deps, email, part));

type Waiting = Pick<EmailRow, "id" | "dueAt" | "attempts">;

function callFor({ clock }: Deps, { id, dueAt, attempts }: Waiting, part = ""): QueueMessage {
  const at = nextHop(clock.now(), dueAt);
  return {
    callback: SEND_EMAIL,
    payload: { email_id: id, version: 1 },
    notBefore: at,
    deduplicationId: `email-${id}-${attempts}-${at.getTime()}${part}`,
  };
}
