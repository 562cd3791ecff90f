import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { INJECTIONS } from "./injections.ts";
import { CYRILLIC_PAGE, SHIFT_JIS_PAGE } from "./other-encodings.ts";

/** Answers one request for a site; `path` begins with a slash and has no query. */
export type SiteAnswer = (
  path: string,
  response: ServerResponse,
  request: IncomingMessage,
) => void | Promise<void>;

const MIB = 1024 * 1024;

const html = (
  response: ServerResponse,
  body: string | Buffer,
  type = "text/html; charset=utf-8",
) => {
  response.writeHead(200, { "content-type": type }).end(body);
};
const onlyAt = (at: string, answer: SiteAnswer): SiteAnswer => {
  return (path, response, request) =>
    path === at ? answer(path, response, request) : void response.writeHead(404).end();
};
const front = (answer: SiteAnswer): SiteAnswer => onlyAt("/", answer);
const page = (body: string) => front((_, response) => html(response, body));

/** This machine and its neighbours in spellings that people have got past guards with. */
export const INWARD_TARGETS = [
  "http://127.0.0.1/",
  "http://localhost/",
  "http://localhost./",
  "http://LOCALHOST/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://0/",
  "http://0.0.0.0/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[0:0:0:0:0:ffff:7f00:1]/",
  "http://127.0.0.1.nip.zz/",
  "http://127%E3%80%820%E3%80%820%E3%80%821/",
  "http://%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1/",
  "http://localhost%2e/",
  "http://somebody.localhost/",
  "http://metadata.google.internal/",
  "http://169.254.169.254/latest/meta-data/",
  "http://10.0.0.1/",
  "http://[fe80::1]/",
  "http://[fd00::1]/",
  "http://93.184.216.34/",
  "//127.0.0.1/",
  "http://nordwind-robotics.zz@127.0.0.1/",
  "http://user:password@nordwind-robotics.zz/",
  "http://nordwind-robotics.zz:22/",
  "http://nordwind-robotics.zz:8025/",
  "http://inward-name.zz/",
  "http://router.lan/",
  "http://intranet/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/html,<p>hello</p>",
  "ftp://nordwind-robotics.zz/",
] as const;

const DRIP = Buffer.from("<p>another drop of a page that never ends</p>\n");

/** One site each for what a stranger's server does to its reader. */
export const HOSTILE_SITES: Readonly<Record<string, SiteAnswer>> = {
  "huge.zz": front(async (_, response, request) => {
    response.writeHead(200, { "content-type": "text/html" });
    await pour(response, request, Buffer.alloc(MIB, "<p>A hundred megabytes of this.</p> "), 100);
  }),
  "gzip-bomb.zz": front(async (_, response, request) => {
    // Members of one gzip file after each other (RFC 1952 section 2.2): 5 GB of spaces in 5 MB.
    const member = gzipSync(Buffer.alloc(10 * MIB, " "));
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
    await pour(response, request, member, 500);
  }),
  "endless.zz": (path, response) => {
    const hop = Number(/^\/hop\/(\d+)$/.exec(path)?.[1] ?? 0);
    if (path === "/robots.txt" || hop >= 10_000) return void response.writeHead(404).end();
    response.writeHead(302, { location: `/hop/${hop + 1}` }).end();
  },
  "inward.zz": (path, response) => {
    const target = INWARD_TARGETS[Number(/^\/(\d+)$/.exec(path)?.[1] ?? 0)];
    if (path === "/robots.txt" || target === undefined) return void response.writeHead(404).end();
    response.writeHead(302, { location: target }).end();
  },
  "inward-robots.zz": (path, response) => {
    if (path === "/robots.txt") response.writeHead(302, { location: "http://127.0.0.1/" }).end();
    else html(response, "<p>A site whose robots.txt leads to this machine.</p>");
  },
  "shift-jis.zz": front((_, response) => html(response, SHIFT_JIS_PAGE, "text/html")),
  "cyrillic.zz": front((_, response) =>
    html(response, CYRILLIC_PAGE, "text/html; charset=windows-1251"),
  ),
  "scripted.zz": page(
    `<!doctype html><title>App</title><body><noscript>You need JavaScript.</noscript><div id="root"></div><script>fetch("/everything")</script>`,
  ),
  "short.zz": page("<title>Soon</title><h1>Under construction</h1>"),
  "not-for-robots.zz": (path, response) =>
    path === "/robots.txt"
      ? html(response, "User-agent: *\nDisallow: /\n", "text/plain")
      : html(response, "<p>Not for robots.</p>"),
  "partly-for-robots.zz": (path, response) => {
    if (path === "/robots.txt")
      return html(response, "User-agent: OvertureBot\nDisallow: /news\nAllow: /\n", "text/plain");
    html(
      response,
      `<a href="/about">About</a><a href="/news">News</a><p>This is ${path}, and it goes on until there is enough of it to be worth reading for anybody: ${"word ".repeat(30)}</p>`,
    );
  },
  "robots-in-trouble.zz": (path, response) => {
    if (path === "/robots.txt") response.writeHead(500).end();
    else html(response, "<p>Nobody could say whether this may be read.</p>");
  },
  "gone.zz": (_, response) => void response.writeHead(404, { "content-type": "text/html" }).end(),
  "in-trouble.zz": front((_, response) => void response.writeHead(503).end()),
  "brochure.zz": front((_, response) => html(response, "%PDF-1.7", "application/pdf")),
  "slow-drip.zz": front(async (_, response, request) => {
    response.writeHead(200, { "content-type": "text/html" });
    await pour(response, request, DRIP, Number.POSITIVE_INFINITY, 50);
  }),
  "silent.zz": () => {},
  "cut-short.zz": front((_, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "100000" });
    response.write("<p>It breaks off in the mid");
    setTimeout(() => response.destroy(), 5);
  }),
  "deep.zz": page(`<p>Before the deep.</p>${"<div><b>".repeat(200_000)}deep`),
  "deep-data.zz": page(
    `<script type="application/ld+json">${"[".repeat(60_000)}</script><script type="application/ld+json">{"@type":{"toString":1,"valueOf":1}}</script><p>Data nested beyond reason, and types that are no words.</p>`,
  ),
  "cookies.zz": (path, response, request) => {
    if (path === "/robots.txt") return void response.writeHead(404).end();
    const headers = { location: "/two", "set-cookie": "seen=1; Path=/" };
    if (path === "/") return void response.writeHead(302, headers).end();
    const said = request.headers.cookie ?? "no cookie";
    const agent = request.headers["user-agent"] ?? "";
    html(response, `<p>${said}</p><p>${agent}</p><p>${"A page of some length. ".repeat(12)}</p>`);
  },
  "leads-elsewhere.zz": front(
    (_, response) => void response.writeHead(301, { location: "https://not-for-robots.zz/" }).end(),
  ),
  "control-characters.zz": page(
    `<p>\u0000 zero\u200b-\u200dwidth and \ud800 half a pair, \u202e turned \u0007</p><p>${"Enough text to be read. ".repeat(12)}</p>`,
  ),
  "injected.zz": page(
    `<title>Palisade Partners</title><meta name="description" content="${INJECTIONS[0]}">${INJECTIONS.map((text) => `<p>${text}</p>`).join("")}<p style="display:none">${INJECTIONS[1]}</p><p>Palisade Partners has advised family firms on their succession since 1974, from 14 offices.</p>`,
  ),
};

/** Writes a piece so many times, as fast as it is read or at this pace, until it is no longer read. */
async function pour(
  response: ServerResponse,
  request: IncomingMessage,
  piece: Buffer,
  times: number,
  paceMs = 0,
): Promise<void> {
  const closed = new Promise<void>((resolve) => response.once("close", () => resolve()));
  for (let count = 0; count < times && !request.destroyed && response.writable; count++) {
    const drained = Promise.withResolvers<void>();
    if (response.write(piece)) drained.resolve();
    else response.once("drain", () => drained.resolve());
    await Promise.race([drained.promise, closed]);
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
  }
  response.end();
}
