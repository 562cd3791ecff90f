import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { findProfile } from "#src/domain/research/finding/profile/find-profile.ts";
import { systemClock } from "#src/platform/system.ts";
import { createSearchEngine } from "#src/providers/search/engines.ts";
import { type SearchPart, startSearch } from "../../../../scripts/stack/search.ts";

const ANNA = "https://se.linkedin.com/in/anna-lind-1";
const asked = { name: "Anna Lind", company: "Corp", location: "SE" };

let part: SearchPart;
beforeAll(async () => {
  part = await startSearch({
    web: {
      pages: [
        { url: ANNA, title: "Anna Lind - CTO - Corp | LinkedIn", snippet: "Anna & Corp" },
        {
          url: "https://www.linkedin.com/in/bob",
          title: "Robert Miller - Corp | LinkedIn",
          snippet: "",
        },
        {
          url: "https://www.linkedin.com/in/eva",
          title: "Eva Berg - Other | LinkedIn",
          snippet: "",
        },
      ],
      people: [],
    },
  });
});
afterAll(() => part.close());
afterEach(() => {
  part.faults.clear();
  part.log.clear();
});

const engine = (
  name: "brave" | "serper" | "searxng",
  { baseUrl = part.url, key = "search-key" } = {},
) => createSearchEngine(fetch, name === "searxng" ? { name, baseUrl } : { name, baseUrl, key });
const NAMES = ["brave", "serper", "searxng"] as const;
const notes: unknown[] = [];
const log = { info: (_: string, fields?: unknown) => void notes.push(fields), error() {} };

const find = (names: readonly (typeof NAMES)[number][], who = asked, clock = systemClock) =>
  findProfile(
    { clock, log, searchEngines: names.map((name) => engine(name)) },
    who,
    new Date(clock.now().getTime() + 10_000),
  );
const searches = () => part.log.entries().map(({ summary }) => summary.split(":")[0]);

test("each engine finds her by its own protocol", async () => {
  for (const name of NAMES)
    expect(await find([name])).toEqual([
      {
        profileUrl: "https://www.linkedin.com/in/anna-lind-1",
        title: "Anna Lind - CTO - Corp | LinkedIn",
        snippet: "Anna & Corp",
        confidence: 1,
      },
    ]);
});

test("the first answer that is good enough ends it: one search is paid", async () => {
  await find(NAMES);
  expect(searches()).toEqual(["brave"]);
});

test("every failure of an engine has its name, and the next engine answers", async () => {
  const reasons = {
    unavailable: "unavailable",
    rate_limited: "rate_limited",
    json_disabled: "refused",
    page: "unreadable",
    other_shape: "unreadable",
  };
  for (const [fault, reason] of Object.entries(reasons)) {
    notes.length = 0;
    part.faults.order(fault, 1);
    expect(await find(["brave", "serper"])).toHaveLength(1);
    expect(notes).toMatchObject([{ engine: "brave", reason }]);
  }
});

test("a wrong key is refused, and nobody at the address is unavailable", async () => {
  const signal = new AbortController().signal;
  const query = { text: "anna", country: null };
  const key = "wrong";
  expect(await engine("brave", { key }).search(query, signal)).toMatchObject({
    kind: "failed",
    reason: "refused",
  });
  expect(await engine("serper", { key }).search(query, signal)).toMatchObject({
    reason: "refused",
  });
  const baseUrl = "http://127.0.0.1:1";
  for (const name of NAMES)
    expect(await engine(name, { baseUrl }).search(query, signal)).toMatchObject({
      reason: "unavailable",
    });
});

test("an engine that says nothing gets company, and is not waited for", async () => {
  let slept = 0;
  const hedging = {
    now: () => new Date(),
    // The first wait passes at once, the others last.
    sleepUntil: (_: Date, signal?: AbortSignal) =>
      slept++ === 0
        ? Promise.resolve()
        : systemClock.sleepUntil(new Date(Date.now() + 60_000), signal),
  };
  part.faults.order("hang", 1);
  expect(await find(["brave", "serper"], asked, hedging)).toHaveLength(1);
  expect(searches()).toEqual(["brave", "serper"]);
});

test("no engine, or none that answers, is no answer: nobody is charged for it", async () => {
  await expect(find([])).rejects.toMatchObject({ kind: "unavailable", code: "SEARCH_UNAVAILABLE" });
  part.faults.order("unavailable", 3);
  await expect(find(NAMES)).rejects.toMatchObject({
    kind: "unavailable",
    code: "SEARCH_UNAVAILABLE",
  });
  expect(searches()).toEqual(["brave", "serper", "searxng"]);
});

test("nor is it one that nothing was found by a SearXNG whose own engines are blocked", async () => {
  notes.length = 0;
  part.faults.order("engines_blocked", 1);
  await expect(find(["searxng"])).rejects.toMatchObject({ code: "SEARCH_UNAVAILABLE" });
  expect(notes).toMatchObject([{ reason: "unavailable", detail: "no answer of google, bing" }]);
});

test("what some of its engines found counts, whatever the others say", async () => {
  const results = [{ url: ANNA, title: "Anna Lind", content: "" }];
  const answers = [[["bing", "timeout"]], ["bing"], "none"].map((unresponsive_engines) =>
    createSearchEngine(async () => Response.json({ results, unresponsive_engines }), {
      name: "searxng",
      baseUrl: part.url,
    }).search({ text: "anna", country: null }, new AbortController().signal),
  );
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ kind: "hits" });
});

test("what takes longer than the deadline is no answer either", async () => {
  const passed = { now: () => new Date(), sleepUntil: () => Promise.resolve() };
  part.faults.order("hang", 3);
  await expect(find(["brave"], asked, passed)).rejects.toMatchObject({
    code: "SEARCH_UNAVAILABLE",
  });
});

test("nobody who fits: another engine is asked more loosely, and at most two searches are paid", async () => {
  expect(await find(["brave", "serper"], { ...asked, name: "Nobody Known" })).toEqual([]);
  expect(part.log.entries().map(({ summary }) => summary)).toEqual([
    'brave: site:linkedin.com/in "Nobody Known" Corp',
    "serper: site:linkedin.com/in Nobody Known Corp",
  ]);
  part.log.clear();
  expect(await find(["brave"], { ...asked, name: "Nobody Known" })).toEqual([]);
  expect(searches()).toEqual(["brave", "brave"]);
});

test("who is written otherwise is found by the looser question", async () => {
  const found = await find(["brave", "serper"], { ...asked, name: "Bob Miller" });
  expect(found[0]?.profileUrl).toBe("https://www.linkedin.com/in/bob");
});

test("an engine that finds strangers finds nobody", async () => {
  part.faults.order("strangers", 3);
  expect(await find(NAMES, { ...asked, name: "Ingrid Solberg" })).toEqual([]);
});

test("a failure after an answer takes nothing from it", async () => {
  part.faults.order("strangers", 1);
  const broken = {
    ...engine("serper"),
    search: engine("serper", { baseUrl: "http://127.0.0.1:1" }).search,
  };
  const found = await findProfile(
    { clock: systemClock, log, searchEngines: [engine("brave"), broken] },
    { ...asked, name: "Ingrid Solberg" },
    new Date(Date.now() + 10_000),
  );
  expect(found).toEqual([]);
});
