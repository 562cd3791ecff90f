import { type HttpRequest, json, type Route, route } from "../page-routes.ts";
import * as actions from "./message-actions.ts";
import * as returnMail from "./return-mail.ts";
import { type ParsedMessage, parseMessage, type StoredMessage } from "./message-parse.ts";
import type { MessageStore } from "./message-store.ts";
import type { SentBack, SentBackBook } from "./sent-back.ts";
import { forMessage, ONE_MESSAGE } from "./routes.ts";

/** Stack time that passes before a button takes effect: sooner, a click counts as a scanner's. */
const BUTTON_SECONDS = 60;

export interface MailboxApiOptions {
  store: MessageStore;
  advance: ((seconds: number) => Promise<void>) | undefined;
  /** Where mail goes that the mailbox's people send. */
  deliver: returnMail.DeliverMail;
  /** Told what went back. */
  wentBack: SentBackBook["add"];
  deleteAll(): void;
  /** Told which images opening a message has loaded. */
  opened(message: ParsedMessage, images: actions.LoadedImage[], bodies: (Buffer | null)[]): void;
}

export interface MessageFilter {
  /** An envelope recipient, in any case. */
  to?: string;
  /** Received at this instant or later. */
  since?: Date;
}

/** The API that people, tests and tools read arrived mail by. */
export function mailboxApi(options: MailboxApiOptions): Route[] {
  const { store, advance, deliver, deleteAll, opened } = options;
  /** A button of the mailbox: a person takes a moment before pressing it. */
  const button = (
    path: string,
    press: (message: ParsedMessage, request: HttpRequest) => Promise<unknown>,
  ) =>
    route(
      "POST",
      `${ONE_MESSAGE}/${path}`,
      forMessage(store, async (message, request) => {
        await advance?.(BUTTON_SECONDS);
        try {
          return json(await press(message, request));
        } catch (error) {
          if (error instanceof actions.ActionRefused) return json({ error: error.message }, 422);
          throw error;
        }
      }),
    );

  /** One that sends something back, of which the conversation is told. */
  const answer = (
    action: SentBack["action"],
    send: (message: ParsedMessage, request: HttpRequest) => Promise<returnMail.Returned>,
    textOf: (request: HttpRequest) => string | null = () => null,
  ) =>
    button(action, async (message, request) => {
      const returned = await send(message, request);
      options.wentBack(message.id, action, returned, textOf(request));
      return returned;
    });
  const replyText = ({ body }: HttpRequest) =>
    textField(body, "text", "Thank you, this sounds good.");

  return [
    route("GET", "/api/messages", async ({ query, origin }) => {
      const filter = readFilter(query);
      if (filter === null) return json({ error: "since must be an ISO 8601 instant" }, 422);
      return json(await listMessages(store, origin, filter));
    }),
    route("DELETE", "/api/messages", () => {
      const deleted = store.kept().length;
      deleteAll();
      return json({ deleted });
    }),
    route(
      "GET",
      ONE_MESSAGE,
      forMessage(store, (message, { origin }) => json(toStored(message, origin))),
    ),
    route(
      "GET",
      `${ONE_MESSAGE}/raw`,
      forMessage(store, (_, __, { raw }) => ({ status: 200, type: "message/rfc822", body: raw })),
    ),
    button("open", async (message) => {
      const { images, bodies } = await actions.openMessage(message);
      opened(message, images, bodies);
      return { images };
    }),
    button("click", (message, { body }) => actions.clickLink(message, readUrl(body))),
    button("unsubscribe", (message) => actions.unsubscribe(message)),
    answer(
      "reply",
      (message, request) => returnMail.reply(deliver, message, replyText(request)),
      replyText,
    ),
    answer("out-of-office", (message, { body }) =>
      returnMail.outOfOffice(deliver, message, readUntil(body)),
    ),
    answer("bounce", (message, { body }) =>
      returnMail.bounce(
        deliver,
        message,
        textField(body, "status", "5.1.1"),
        textField(body, "text", "User unknown"),
      ),
    ),
    answer("complain", (message) => returnMail.complain(deliver, message)),
    route("GET", "/api/log", () => json(store.entries())),
  ];
}

/** Stored messages that match, oldest first. */
export async function listMessages(
  store: MessageStore,
  origin: string,
  { to, since }: MessageFilter,
): Promise<StoredMessage[]> {
  const recipient = to?.trim().toLowerCase();
  const from = since?.toISOString();
  const messages: StoredMessage[] = [];
  for (const message of store.kept()) {
    const { envelope, at } = message.entry;
    if (from !== undefined && at < from) continue;
    if (recipient !== undefined && !envelope.to.some((one) => one.toLowerCase() === recipient)) {
      continue;
    }
    messages.push(toStored(await parseMessage(message), origin));
  }
  return messages;
}

function toStored(message: ParsedMessage, origin: string): StoredMessage {
  const { fromName: _, envelopeFrom: _e, headerBlock: _h, attachments: __, ...shown } = message;
  return { ...shown, raw_url: `${origin}/api/messages/${message.id}/raw` };
}

function readFilter(query: URLSearchParams): MessageFilter | null {
  const to = query.get("to");
  const sinceText = query.get("since");
  const since = sinceText ? new Date(sinceText) : null;
  if (since !== null && Number.isNaN(since.getTime())) return null;
  return { ...(to ? { to } : {}), ...(since === null ? {} : { since }) };
}

function readUrl(body: string): string {
  const { url } = readFields(body);
  if (typeof url === "string") return url;
  throw new actions.ActionRefused("the body must be {url}");
}

function readFields(body: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(body);
    if (typeof fields === "object" && fields !== null) return fields as Record<string, unknown>;
  } catch (error) {
    throw new actions.ActionRefused("the body is not JSON", { cause: error });
  }
  throw new actions.ActionRefused("the body must be a JSON object");
}

/** A text of the body, or what stands for it where there is none. */
function textField(body: string, name: string, otherwise: string): string {
  const value = body.trim() === "" ? undefined : readFields(body)[name];
  if (value === undefined || value === "") return otherwise;
  if (typeof value === "string") return value;
  throw new actions.ActionRefused(`${name} must be text`);
}

function readUntil(body: string): Date | null {
  const text = textField(body, "until", "");
  if (text === "") return null;
  const until = new Date(text);
  if (Number.isNaN(until.getTime())) throw new actions.ActionRefused("until must be a date");
  return until;
}
