import { json, notFound, pageFile, type Route, route, sharedFile } from "../page-routes.ts";
import type { TelephoneMessage, TelephoneStore } from "./message-store.ts";

export interface InboxOptions {
  store: TelephoneStore;
  /** Its owner looked at it. */
  read(message: TelephoneMessage): TelephoneMessage;
  deleteAll(): void;
  settings(): { number: string; mailbox_url: string | null };
}

/** How many of the newest messages the page lists; the JSON API knows no such bound. */
const LISTED_MESSAGES = 500;
const ONE_MESSAGE = "/api/messages/([^/]+)";

/** The page with the telephones, and the API that people, tests and tools read arrived messages by. */
export function inboxApi({ store, read, deleteAll, settings }: InboxOptions): Route[] {
  const find = (id = "") => store.find(decoded(id));
  return [
    pageFile("/", inPage("index.html")),
    ...["app.js", "telephone.css"].map((name) => pageFile(`/${name}`, inPage(name))),
    ...(["dom.js", "bubbles.js", "base.css", "panes.css", "bubbles.css"] as const).map(sharedFile),
    route("GET", "/api/settings", () => json(settings())),
    route("GET", "/api/conversations", () => json(conversations(store.all()))),
    route("GET", "/api/messages", ({ query }) => {
      const since = new Date(query.get("since") ?? 0);
      if (Number.isNaN(since.getTime()))
        return json({ error: "since must be an ISO 8601 instant" }, 422);
      return json(listMessages(store, { to: query.get("to"), since }));
    }),
    route("DELETE", "/api/messages", () => {
      const deleted = store.all().length;
      deleteAll();
      return json({ deleted });
    }),
    route("GET", ONE_MESSAGE, ({ captured: [id] }) => {
      const message = find(id);
      return message === undefined ? notFound() : json(message);
    }),
    route("POST", `${ONE_MESSAGE}/read`, ({ captured: [id] }) => {
      const message = find(id);
      return message === undefined ? notFound() : json(read(message));
    }),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const inPage = (name: string) => new URL(`./page/${name}`, import.meta.url);

export interface TelephoneFilter {
  /** With or without the plus. */
  to?: string | null;
  /** Received at this instant or later. */
  since?: Date;
}

/** Messages that match, oldest first. */
export function listMessages(
  store: TelephoneStore,
  { to, since }: TelephoneFilter,
): TelephoneMessage[] {
  const digits = (to ?? "").replace(/\D/g, "");
  const from = since?.toISOString() ?? "";
  return store
    .all()
    .filter((message) => message.received_at >= from)
    .filter((message) => digits === "" || message.to === `+${digits}`);
}

/** The newest messages by number, the number that heard last first. */
function conversations(all: TelephoneMessage[]) {
  const listed = all.slice(-LISTED_MESSAGES);
  const byNumber = Map.groupBy(listed.toReversed(), (message) => message.to);
  return {
    total: all.length,
    listed: listed.length,
    conversations: Array.from(byNumber, ([to, messages]) => ({
      to,
      messages: messages.toReversed(),
    })),
  };
}
