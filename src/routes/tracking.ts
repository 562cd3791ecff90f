import type { Settings } from "#src/deps.ts";
import {
  createTrackTokens,
  type TrackToken,
  type TrackTokens,
} from "#src/domain/messages/tracking/track-token.ts";
import { type Hit, newHit } from "#src/domain/messages/tracking/hit.ts";
import { createHitGatherer, type HitGatherer } from "#src/domain/messages/tracking/gather-hits.ts";
import { unsubscribe } from "#src/domain/messages/tracking/unsubscribe.ts";
import { readCapped } from "#src/http/body.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { sayNotHere } from "#src/http/cell-header.ts";
import { page, QUIET } from "#src/http/page.ts";

/** A transparent GIF of one pixel, 43 bytes. */
const PIXEL = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  (character) => character.charCodeAt(0),
);

/**
 * The URLs in sent mail: pixel, links, unsubscription. Never rate-limited, no
 * credential; a token that this service did not sign is a plain 404.
 */
export function mountTracking(app: App): void {
  const hits = createHitGatherer();
  const readToken = createTokenReader();

  app.get("/o/:token", async (c) => {
    const token = await readToken(c, "open");
    if (token === null) return notOurs(c);
    note(c, hits, { sendId: token.sendId, kind: "open", linkIndex: 0, url: null });
    return c.body(PIXEL, 200, { ...QUIET, "Content-Type": "image/gif" });
  });

  app.get("/c/:token", async (c) => {
    const token = await readToken(c, "click");
    // The scheme is looked at again: a template could have put anything into a link.
    if (token?.kind !== "click" || !/^https?:\/\//i.test(token.url)) return notOurs(c);
    const { sendId, linkIndex, url } = token;
    note(c, hits, { sendId, kind: "click", linkIndex, url });
    for (const [name, value] of Object.entries(QUIET)) c.header(name, value);
    return c.redirect(locationOf(url), 302);
  });

  // A scanner that follows the link must not unsubscribe the recipient: GET asks, POST acts (RFC 8058).
  app.get("/u/:token", async (c) => {
    const token = await readToken(c, "unsubscribe");
    if (token === null) return notOurs(c);
    return page(
      c,
      200,
      "Unsubscribe",
      `<p>Do you want no more mail from this sender?</p><form method="post"><button>Unsubscribe</button></form>`,
    );
  });

  app.post("/u/:token", async (c) => {
    const token = await readToken(c, "unsubscribe");
    if (token === null) return notOurs(c);
    const isOneClick = await saysOneClick(c.req.raw);
    if (!(await unsubscribe(c.get("deps"), token.sendId, isOneClick))) {
      sayNotHere(c);
      return notOurs(c);
    }
    return page(
      c,
      200,
      "You are unsubscribed",
      "<p>This sender will not write to you again. You can close this page.</p>",
    );
  });
}

/**
 * What a browser makes of the link; one in ASCII stays as it is, byte for byte. Hono would encode the whole, a `%20` in
 * it to `%2520`, or send Latin-1 as it is. What was signed can be parsed.
 */
const locationOf = (url: string): string => (/^[\x20-\x7e]*$/.test(url) ? url : new URL(url).href);

/** Reads the token of a request if it is of that kind. Its key is imported once, not with each request. */
function createTokenReader() {
  let imported: { secrets: Settings["trackingSecrets"]; tokens: TrackTokens } | undefined;
  return async (c: AppContext, kind: TrackToken["kind"]): Promise<TrackToken | null> => {
    const { trackingSecrets: secrets } = c.get("deps").settings;
    if (imported?.secrets !== secrets) imported = { secrets, tokens: createTrackTokens(secrets) };
    const text = (c.req.param("token") ?? "").replace(/\.gif$/, "");
    const token = await imported.tokens.read(text);
    return token?.kind === kind ? token : null;
  };
}

const LONGEST_FORM = 4096;

/**
 * Whether a program posts for its user, as a form of either kind (RFC 8058 section 3.2); our own page sends none. It ends
 * the mail either way, so a body that cannot be read is no such form.
 */
async function saysOneClick(request: Request): Promise<boolean> {
  try {
    const body = new TextDecoder().decode(await readCapped(request, LONGEST_FORM));
    return /(^|&)List-Unsubscribe=One-Click(&|\s*$)|"?List-Unsubscribe"?\s+One-Click\s/i.test(body);
  } catch {
    return false;
  }
}

/** Headers by which browsers announce a prefetch, before the user asks for the page. */
const PREFETCH_HEADERS = ["purpose", "sec-purpose", "x-purpose", "x-moz"];

/** After the answer; HEAD is answered and not counted. */
function note(
  c: AppContext,
  hits: HitGatherer,
  token: Pick<Hit, "sendId" | "kind" | "linkIndex" | "url">,
): void {
  if (c.req.method === "HEAD") return;
  const deps = c.get("deps");
  const { cf } = c.req.raw as Request & { cf?: { asn?: number } };
  const hit = newHit(deps, {
    ...token,
    userAgent: c.req.header("user-agent") ?? null,
    prefetch: PREFETCH_HEADERS.some((name) =>
      /prefetch|prerender|preview/i.test(c.req.header(name) ?? ""),
    ),
    asn: cf?.asn ?? null,
  });
  deps.background(hits.note(deps, hit));
}

function notOurs(c: AppContext): Response {
  return page(
    c,
    404,
    "This link does not work",
    "<p>The address is incomplete or was changed on its way. Try the link in the original message.</p>",
  );
}
