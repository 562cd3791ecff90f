import { browse, type BrowserResponse, explainFailure } from "./browser.ts";
import { imageUrls, linkUrls } from "./message-html.ts";
import { headerOf, type ParsedMessage } from "./message-parse.ts";

const MAX_HOPS = 5;

export interface LoadedImage {
  url: string;
  /** Null when no server answered; `error` says why. */
  status: number | null;
  content_type: string | null;
  bytes: number;
  error?: string;
}

export interface Hop {
  url: string;
  status: number | null;
  location?: string;
}

export interface Followed {
  final_url: string;
  status: number | null;
  hops: Hop[];
  error?: string;
}

/** Thrown when what was asked cannot be done with that message. */
export class ActionRefused extends Error {}

/** Loads every http(s) image of the HTML, as a mail client does that shows a message. */
export async function openMessage(
  message: ParsedMessage,
): Promise<{ images: LoadedImage[]; bodies: (Buffer | null)[] }> {
  const loads = imageUrls(message.html).map(async (url) => {
    try {
      const { status, headers, body } = await followImage(url);
      const loaded: LoadedImage = {
        url,
        status,
        content_type: headers["content-type"] ?? null,
        bytes: body.length,
      };
      return { loaded, body };
    } catch (error) {
      const loaded: LoadedImage = {
        url,
        status: null,
        content_type: null,
        bytes: 0,
        error: explainFailure(error),
      };
      return { loaded, body: null };
    }
  });
  const all = await Promise.all(loads);
  return { images: all.map(({ loaded }) => loaded), bodies: all.map(({ body }) => body) };
}

async function followImage(start: string): Promise<BrowserResponse> {
  let url = start;
  for (let hop = 1; ; hop += 1) {
    const response = await browse(url, "image");
    const next = redirectTarget(url, response);
    if (next === null || hop === MAX_HOPS) return response;
    url = next;
  }
}

/**
 * Clicks a link of the message and follows at most five hops. A hop that no server
 * answers (an outside site, offline) ends the journey with status null.
 */
export async function clickLink(message: ParsedMessage, url: string): Promise<Followed> {
  if (!linkUrls(message).includes(url)) throw new ActionRefused("not a link of this message");
  const hops: Hop[] = [];
  let at = url;
  for (;;) {
    let response: BrowserResponse;
    try {
      response = await browse(at, "page");
    } catch (error) {
      hops.push({ url: at, status: null });
      return { final_url: at, status: null, hops, error: explainFailure(error) };
    }
    const next = redirectTarget(at, response);
    hops.push({ url: at, status: response.status, ...(next === null ? {} : { location: next }) });
    if (next === null) return { final_url: at, status: response.status, hops };
    if (hops.length >= MAX_HOPS) {
      return { final_url: at, status: response.status, hops, error: "too many redirects" };
    }
    at = next;
  }
}

function redirectTarget(from: string, { status, headers }: BrowserResponse): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return null;
  const target = URL.parse(headers.location, from);
  return target !== null && /^https?:$/.test(target.protocol) ? target.href : null;
}

/** The https (here also http) address of a one-click unsubscribe, or null where RFC 8058 gives none. */
export function oneClickUrl(message: ParsedMessage): string | null {
  const post = headerOf(message, "list-unsubscribe-post") ?? "";
  if (!/^\s*List-Unsubscribe=One-Click\s*$/i.test(post)) return null;
  const list = headerOf(message, "list-unsubscribe") ?? "";
  const uris = [...list.matchAll(/<([^<>]+)>/g)].map((match) => match[1]?.replace(/\s/g, "") ?? "");
  return uris.find((uri) => /^https?:\/\//i.test(uri)) ?? null;
}

/** RFC 8058 section 3.1: one POST, no cookies, no redirects followed. */
export async function unsubscribe(
  message: ParsedMessage,
): Promise<{ url: string; status: number | null; error?: string }> {
  const url = oneClickUrl(message);
  if (url === null) throw new ActionRefused("the message offers no one-click unsubscribe");
  try {
    const { status } = await browse(url, "form", "List-Unsubscribe=One-Click");
    return { url, status };
  } catch (error) {
    return { url, status: null, error: explainFailure(error) };
  }
}
