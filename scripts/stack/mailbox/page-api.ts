import {
  type Answer,
  json,
  notFound,
  pageFile,
  type Route,
  route,
  sharedFile,
} from "../page-routes.ts";
import * as actions from "./message-actions.ts";
import { displayHtml } from "./message-html.ts";
import { headerOf, type ParsedMessage, parseMessage } from "./message-parse.ts";
import type { KeptMessage, MessageStore } from "./message-store.ts";
import { groupThreads } from "./message-threads.ts";
import { forMessage, ONE_MESSAGE } from "./routes.ts";
import type { SentBackBook } from "./sent-back.ts";

/** How many of the newest messages the page lists; the JSON API knows no such bound. */
const LISTED_MESSAGES = 500;

/** Nothing in a received file may run, whatever its type. */
const inert = {
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

export interface PageImages {
  opened(message: ParsedMessage, images: actions.LoadedImage[], bodies: (Buffer | null)[]): void;
  find(messageId: string, url: string): { type: string; body: Buffer } | undefined;
  clear(): void;
}

/** The images that opening has loaded: the page shows these, and fetches none a second time. */
export function createPageImages(): PageImages {
  const byMessage = new Map<string, Map<string, { type: string; body: Buffer }>>();
  return {
    opened(message, images, bodies) {
      const shown = new Map<string, { type: string; body: Buffer }>();
      for (const [index, { url, status, content_type: type }] of images.entries()) {
        const body = bodies[index];
        if (body != null && status === 200 && type?.startsWith("image/")) {
          shown.set(url, { type, body });
        }
      }
      byMessage.set(message.id, shown);
    },
    find: (messageId, url) => byMessage.get(messageId)?.get(url),
    clear: () => byMessage.clear(),
  };
}

export interface PageApiOptions {
  store: MessageStore;
  sentBack: Pick<SentBackBook, "about">;
  images: PageImages;
  settings(): {
    host: string;
    port: number;
    security: string;
    username: string;
    /** Where the telephones' inbox is, if there is one. */
    messaging_url: string | null;
  };
}

const inPage = (name: string) => new URL(`./page/${name}`, import.meta.url);

/** The page and what it alone needs. */
export function pageApi({ store, sentBack, images, settings }: PageApiOptions): Route[] {
  return [
    pageFile("/", inPage("index.html")),
    ...(["dom.js", "base.css", "panes.css"] as const).map(sharedFile),
    ...["style.css", "app.js", "buttons.js", "message.js"].map((name) =>
      pageFile(`/${name}`, inPage(name)),
    ),
    route("GET", "/api/settings", () => json(settings())),
    route("GET", "/api/threads", async ({ query }) =>
      json(await listThreads(store, sentBack, query.get("recipient") ?? "")),
    ),
    route(
      "GET",
      `${ONE_MESSAGE}/details`,
      forMessage(store, (message, _, kept) => json(details(message, kept))),
    ),
    route(
      "GET",
      `${ONE_MESSAGE}/frame`,
      forMessage(store, (message, { origin }) => frame(message, origin)),
    ),
    route(
      "GET",
      `${ONE_MESSAGE}/image`,
      forMessage(store, (message, { query }) => {
        const image = images.find(message.id, query.get("url") ?? "");
        if (image === undefined) return notFound();
        return { status: 200, type: image.type, body: image.body, headers: inert };
      }),
    ),
    route(
      "GET",
      `${ONE_MESSAGE}/attachments/(\\d+)`,
      forMessage(store, (message, { captured }) => attachment(message, Number(captured[1]))),
    ),
  ];
}

async function listThreads(
  store: MessageStore,
  sentBack: PageApiOptions["sentBack"],
  recipient: string,
) {
  const wanted = recipient.trim().toLowerCase();
  const kept = store.kept();
  const found = kept.filter(({ entry }) =>
    entry.envelope.to.some((to) => to.toLowerCase().includes(wanted)),
  );
  const listed = found.slice(-LISTED_MESSAGES);
  const grouped = groupThreads(await Promise.all(listed.map(parseMessage)));
  const threads = grouped.map((thread) => ({
    ...thread,
    sent_back: thread.messages.flatMap(({ id }) => sentBack.about(id)),
  }));
  return { total: kept.length, found: found.length, listed: listed.length, threads };
}

function details(message: ParsedMessage, { entry, raw }: KeptMessage) {
  const headerEnd = raw.indexOf("\r\n\r\n");
  return {
    id: message.id,
    from: message.from,
    from_name: message.fromName,
    to: message.to,
    subject: message.subject,
    received_at: message.received_at,
    text: message.text,
    has_html: message.html !== "",
    header_to: headerOf(message, "to") ?? "",
    header_block: raw.toString("utf8", 0, headerEnd < 0 ? raw.length : headerEnd),
    envelope: entry.envelope,
    size: entry.size,
    one_click: actions.oneClickUrl(message) !== null,
    attachments: message.attachments.map(({ filename, contentType, content }) => ({
      filename,
      content_type: contentType,
      size: content.length,
    })),
  };
}

/** The HTML for a frame in which nothing runs, loads or submits; a link only tells the page what was clicked. */
function frame(message: ParsedMessage, origin: string): Answer {
  const base = `${origin}/api/messages/${message.id}`;
  const body = displayHtml(message.html, {
    link: (url) => `${origin}/#/message/${message.id}/follow/${encodeURIComponent(url)}`,
    image: (url) => `${base}/image?url=${encodeURIComponent(url)}`,
    attachment(contentId) {
      const index = message.attachments.findIndex((one) => one.contentId === contentId);
      return index < 0 ? undefined : `${base}/attachments/${index}`;
    },
  });
  const policy = [
    "default-src 'none'",
    `img-src ${origin} data:`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-top-navigation-by-user-activation",
  ];
  return {
    status: 200,
    type: "text/html; charset=utf-8",
    body,
    headers: { "Content-Security-Policy": policy.join("; ") },
  };
}

function attachment(message: ParsedMessage, index: number): Answer {
  const found = message.attachments[index];
  if (found === undefined) return notFound();
  const name = encodeURIComponent(found.filename);
  return {
    status: 200,
    type: found.contentType,
    body: found.content,
    headers: { ...inert, "Content-Disposition": `attachment; filename*=UTF-8''${name}` },
  };
}
