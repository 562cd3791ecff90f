import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createDohDns } from "#src/providers/dns/doh.ts";
import { createWeb } from "#src/providers/web/http.ts";
import type { WebReading } from "#src/providers/web/index.ts";
import { type DnsPart, startDns } from "../../../../scripts/stack/dns.ts";
import { INWARD_TARGETS } from "../../../../scripts/stack/web/hostile-sites.ts";
import { fetchAtSites } from "../../../../scripts/stack/web/site-fetch.ts";
import { startWeb, type WebPart } from "../../../../scripts/stack/web/web.ts";

let web: WebPart;
let dns: DnsPart;
beforeAll(async () => {
  web = await startWeb();
  dns = await startDns({ names: web.names });
});
afterAll(() => Promise.all([web.close(), dns.close()]));
afterEach(() => {
  web.faults.clear();
  web.log.clear();
  fetched.length = 0;
});

/** Every URL that the reader has asked the platform for. */
const fetched: string[] = [];
const PAGE: WebReading = { what: "page" };
const NEVER = new AbortController().signal;

/** The product's own reader over real sockets; a reading may take so long. */
function reader(timeoutMs = 5_000) {
  const toSites = fetchAtSites(fetch, web.ports);
  return createWeb({
    fetch: (input, init) => {
      fetched.push(String(input));
      return toSites(input, init);
    },
    dns: createDohDns({ fetch, resolverUrls: dns.resolverUrls }),
    userAgent: "OvertureBot/1.0 (+https://overture.zz)",
    ownHosts: ["api.overture.zz"],
    timeoutMs,
  });
}
const read = (url: string, how = PAGE, signal = NEVER, timeoutMs?: number) =>
  reader(timeoutMs).read(url, how, signal);

test("a page is read, and its reader says who it is and brings no cookies along", async () => {
  const page = await read("https://cookies.zz/");
  expect(page).toMatchObject({ kind: "read", url: "https://cookies.zz/two", isHtml: true });
  const { text } = page as { text: string };
  expect(text).toContain("<p>no cookie</p>");
  expect(text).toContain("OvertureBot/1.0 (+https://overture.zz)");
});

test("no spelling of this machine or its neighbours is ever fetched, as a redirect's target or as the URL itself", async () => {
  for (const [at, target] of INWARD_TARGETS.entries()) {
    fetched.length = 0;
    const from = `http://inward.zz/${at}`;
    expect([target, await read(from)]).toMatchObject([target, { kind: "refused" }]);
    expect(fetched).toEqual([from]);
    fetched.length = 0;
    expect([target, await read(target)]).toMatchObject([target, { kind: "refused" }]);
    expect(fetched).toEqual([]);
  }
});

test("a name of which one address is private is refused, and one that leads to this service too", async () => {
  for (const url of [
    "http://half-inward.zz/",
    "http://inward-name.zz/",
    "https://api.overture.zz/api/v1/health",
  ])
    expect([url, await read(url)]).toMatchObject([url, { kind: "refused" }]);
  expect(fetched).toEqual([]);
});

test("ten thousand redirects are three", async () => {
  expect(await read("http://endless.zz/")).toMatchObject({
    kind: "failed",
    reason: "too_many_redirects",
  });
  expect(web.log.entries()).toHaveLength(4);
});

test("of a page of 100 MB one is read, and of five unpacked gigabytes one", async () => {
  for (const host of ["huge.zz", "gzip-bomb.zz"]) {
    const page = await read(`http://${host}/`);
    expect(page.kind).toBe("read");
    expect((page as { text: string }).text).toHaveLength(1024 * 1024);
    await expect.poll(() => web.bytesSent(host)).toBeGreaterThan(0);
    // What the sockets on both sides held when the line was closed comes on top.
    expect(web.bytesSent(host)).toBeLessThan(12 * 1024 * 1024);
  }
});

test("what is no page is not read: files, errors, and answers that break off, drip or never come", async () => {
  expect(await read("http://brochure.zz/")).toEqual({
    kind: "other_type",
    type: "application/pdf",
  });
  expect(await read("http://gone.zz/")).toEqual({ kind: "status", status: 404 });
  expect(await read("http://in-trouble.zz/")).toEqual({ kind: "status", status: 503 });
  expect(await read("http://cut-short.zz/")).toMatchObject({
    kind: "failed",
    reason: "unreachable",
  });
  for (const host of ["slow-drip.zz", "silent.zz"])
    expect([host, await read(`http://${host}/`, PAGE, NEVER, 150)]).toMatchObject([
      host,
      { kind: "failed", reason: "timeout" },
    ]);
});

test("the caller's signal ends a reading, also while DNS is silent", async () => {
  const ended = AbortSignal.abort();
  expect(await read("http://silent.zz/", PAGE, ended)).toMatchObject({ reason: "timeout" });
  dns.faults.order("timeout", 4);
  expect(await read("http://nordwind-robotics.zz/", PAGE, AbortSignal.timeout(100))).toMatchObject({
    kind: "failed",
    reason: "timeout",
  });
  dns.faults.clear();
});

test("a host that DNS does not know, and one of which it cannot say, are not reached", async () => {
  expect(await read("http://nobody-has-this.zz/")).toMatchObject({ reason: "no_host" });
  expect(await read("http://servfail.zz/")).toMatchObject({ reason: "unreachable" });
  expect(fetched).toEqual([]);
});

test("pages are decoded by what they or their headers say", async () => {
  const japanese = await read("http://shift-jis.zz/");
  expect(japanese).toMatchObject({
    text: expect.stringContaining("1958年に大阪で創業した精密歯車"),
  });
  const russian = await read("http://cyrillic.zz/");
  expect(russian).toMatchObject({ text: expect.stringContaining("Компания основана в 2004 году") });
});

test("each URL on the way is held against the caller's rule before it is fetched", async () => {
  const asked: string[] = [];
  const answer = await read("http://leads-elsewhere.zz/", {
    what: "page",
    faultOf: async (url) => {
      asked.push(url.href);
      return url.host === "not-for-robots.zz" ? "robots_disallowed" : null;
    },
  });
  expect(answer).toEqual({ kind: "disallowed", why: "robots_disallowed" });
  expect(asked).toEqual(["http://leads-elsewhere.zz/", "https://not-for-robots.zz/"]);
  expect(fetched).toEqual(["http://leads-elsewhere.zz/"]);
});

test("text that is no URL is refused, however long or odd", async () => {
  for (const text of [
    "",
    "not a url",
    "http://",
    "https://a.zz:99999/",
    `http://${"a".repeat(100_000)}.zz/`,
    "http://a\u0000b.zz/",
  ])
    expect(await read(text)).toMatchObject({ kind: expect.stringMatching(/^(refused|failed)$/) });
  expect(fetched).toEqual([]);
});
