import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyHits, countsAsPerson } from "#src/domain/messages/tracking/classify.ts";
import type { Hit } from "#src/domain/messages/tracking/hit.ts";

const ACCEPTED = new Date("2026-03-02T10:00:00Z");
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const GMAIL =
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
const AMAZON = 16509;

type Seen = Partial<Omit<Hit, "at">> & { afterMs?: number };

const hit = ({ afterMs = 60_000, ...more }: Seen = {}) => ({
  kind: "open" as const,
  linkIndex: 0,
  userAgent: CHROME,
  prefetch: false,
  asn: null,
  ...more,
  at: new Date(ACCEPTED.getTime() + afterMs),
});
const click = (afterMs: number, linkIndex = 0, more: Seen = {}) =>
  hit({ kind: "click", afterMs, linkIndex, ...more });
const judge = (...hits: ReturnType<typeof hit>[]) => classifyHits(ACCEPTED, hits);
const classes = (...hits: ReturnType<typeof hit>[]) =>
  judge(...hits).map(({ classification }) => classification);

/** Verdict on a single hit, and whether people's counts have it. */
function verdict(seen: Seen) {
  const [found] = judge(hit(seen));
  return [found!.classification, found!.reasons, countsAsPerson(found!)];
}

describe("a hit by itself", () => {
  test.each<[string, Seen, unknown[]]>([
    ["a browser a minute later is a person", {}, ["human", [], true]],
    ["4.999 s after acceptance is a bot", { afterMs: 4_999 }, ["bot", ["within_5_seconds"], false]],
    ["5 s after acceptance is a person", { afterMs: 5_000 }, ["human", [], true]],
    ["before acceptance is a bot", { afterMs: -800 }, ["bot", ["within_5_seconds"], false]],
    ["an announced prefetch is a bot", { prefetch: true }, ["bot", ["prefetch"], false]],
    ["no user agent is suspect", { userAgent: null }, ["suspect", ["no_user_agent"], false]],
    ["a blank user agent is suspect", { userAgent: "  " }, ["suspect", ["no_user_agent"], false]],
    ["a datacentre is suspect", { asn: AMAZON }, ["suspect", ["datacentre_network"], false]],
    ["an access network is not", { asn: 3320 }, ["human", [], true]],
    [
      "every reason is told",
      { asn: AMAZON, userAgent: "curl/8.5.0", afterMs: 100, prefetch: true },
      ["bot", ["prefetch", "within_5_seconds", "scanner_user_agent", "datacentre_network"], false],
    ],
  ])("%s", (_name, seen, expected) => expect(verdict(seen)).toEqual(expected));

  test.each([
    "curl/8.5.0",
    "Wget/1.21.4",
    "python-requests/2.32.3",
    "Go-http-client/2.0",
    "Java/17.0.2",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/129.0.0.0 Safari/537.36",
    "Microsoft Office Existence Discovery",
    "BarracudaCentral/1.0",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  ])("the scanner %s is suspect", (userAgent) =>
    expect(verdict({ userAgent })).toEqual(["suspect", ["scanner_user_agent"], false]),
  );

  test.each([
    "Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.17328; ms-office; MSOffice 16)",
    "Outlook-iOS/729.2131934.prod.iphone (4.1.0)",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.3.1",
  ])("%s is a person's", (userAgent) =>
    expect(verdict({ userAgent })).toEqual(["human", [], true]),
  );

  test.each([
    GMAIL,
    "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
    "OutlookImageProxy/1.0",
  ])("the image proxy %s counts as its reader, though it works in a datacentre", (userAgent) =>
    expect(verdict({ userAgent, asn: 8075 })).toEqual(["proxy", ["image_proxy"], true]),
  );

  test("an image proxy within 5 s of acceptance is a bot", () =>
    expect(verdict({ userAgent: GMAIL, afterMs: 2_000 })).toEqual([
      "bot",
      ["within_5_seconds", "image_proxy"],
      false,
    ]));

  test("Apple's privacy proxy is a proxy that no person's count has; the name has to be exact", () => {
    expect(verdict({ userAgent: "Mozilla/5.0" })).toEqual([
      "proxy",
      ["apple_privacy_proxy"],
      false,
    ]);
    expect(verdict({ userAgent: "Mozilla/5.0 (Macintosh)" })).toEqual(["human", [], true]);
  });

  test("Gmail's prefetch by its impossible browser name is a bot", () =>
    expect(
      verdict({
        userAgent:
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
      }),
    ).toEqual(["bot", ["gmail_prefetch"], false]));

  test("without a time of acceptance nothing is too soon", () =>
    expect(classifyHits(null, [hit({ afterMs: 0 })])[0]!.classification).toBe("human"));
});

describe("a click after a machine's open of the same message", () => {
  const opened = (more: Seen = {}) => hit({ afterMs: 4_000, ...more });

  test("within 9 s and by the same user agent is a bot's", () => {
    expect(classes(opened(), click(13_000))).toEqual(["bot", "bot"]);
    expect(judge(opened(), click(13_000))[1]!.reasons).toEqual(["after_machine_open"]);
  });
  test("later than 9 s is a person's", () =>
    expect(classes(opened(), click(13_001))).toEqual(["bot", "human"]));
  test("by another user agent is a person's", () =>
    expect(classes(opened({ userAgent: "Other/1.0" }), click(13_000))).toEqual(["bot", "human"]));
  test("before that open is a person's", () =>
    expect(classes(hit({ afterMs: 20_000, prefetch: true }), click(19_999))).toEqual([
      "bot",
      "human",
    ]));
  test("after a person's open is a person's", () =>
    expect(classes(hit({ afterMs: 10_000 }), click(13_000))).toEqual(["human", "human"]));
});

describe("clicks on several links", () => {
  test("three within 2 s are all a bot's, the first ones too", () => {
    const verdicts = judge(click(60_000, 0), click(61_000, 1), click(62_000, 2));
    expect(verdicts.map(({ classification }) => classification)).toEqual(["bot", "bot", "bot"]);
    expect(verdicts[0]!.reasons).toEqual(["three_links_in_2_seconds"]);
  });
  test("three within 2.001 s are a person's", () =>
    expect(classes(click(60_000, 0), click(61_000, 1), click(62_001, 2))).toEqual(
      Array(3).fill("human"),
    ));
  test("three times the same link is a person's", () =>
    expect(classes(click(60_000), click(60_100), click(60_200))).toEqual(Array(3).fill("human")));
  test("two of them and an open are a person's", () =>
    expect(
      classes(hit({ afterMs: 60_000, linkIndex: 7 }), click(60_100, 1), click(60_200, 2)),
    ).toEqual(Array(3).fill("human")));
  test("windows overlap: each click that is in any such 2 s", () =>
    expect(
      classes(
        click(60_000, 0),
        click(61_500, 1),
        click(62_000, 2),
        click(63_500, 0),
        click(64_001, 1),
      ),
    ).toEqual(["bot", "bot", "bot", "bot", "human"]));
  test("different user agents make no difference", () =>
    expect(
      classes(
        click(60_000, 0),
        click(60_500, 1, { userAgent: "A" }),
        click(61_000, 2, { userAgent: "B" }),
      ),
    ).toEqual(Array(3).fill("bot")));
});

test("bursts are what a look at every 2 seconds finds", () => {
  const clicks = fc.array(
    fc.record({ ms: fc.integer({ min: 0, max: 9_000 }), link: fc.integer({ min: 0, max: 4 }) }),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(clicks, (given) => {
      const found = classes(...given.map(({ ms, link }) => click(60_000 + ms, link)));
      const windows = given
        .map(({ ms }) => given.filter((one) => one.ms >= ms && one.ms <= ms + 2_000))
        .filter((window) => new Set(window.map(({ link }) => link)).size >= 3);
      const expected = given.map((one) =>
        windows.some((window) => window.includes(one)) ? "bot" : "human",
      );
      expect(found).toEqual(expected);
    }),
  );
});
