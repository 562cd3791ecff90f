import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import {
  research,
  type ResearchOptions,
  subjectOf,
} from "#src/domain/research/personalization/research/research.ts";
import { type SearchPart, startSearch } from "../../../../scripts/stack/search.ts";
import { startWeb, type WebPart } from "../../../../scripts/stack/web/web.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import { queryOf } from "../../../support/query.ts";

const query = queryOf(() => api.sql);

let web: WebPart;
let search: SearchPart;
let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  web = await startWeb();
  const stranger = {
    url: "https://www.linkedin.com/in/anna-lind-9",
    title: "Anna Lind - Baker - Elsewhere Ltd",
    snippet: "Anna Lind bakes.",
  };
  search = await startSearch({
    web: { pages: [stranger], people: [] },
    more: web.pressPages,
  });
  api = await startApi(search.env, { web });
  tenant = await api.tenant();
});
afterAll(() => Promise.all([api.close(), web.close(), search.close()]));
afterEach(async () => {
  for (const part of [web, search]) {
    part.faults.clear();
    part.log.clear();
  }
  await query`delete from web_lookups`;
});

const NOTHING: ResearchOptions = { force: false, row: null, provided: null };
const NEVER = new AbortController().signal;
const ask = (
  fields: Record<string, unknown>,
  options: Partial<ResearchOptions> = {},
  { signal = NEVER, deps = api.deps } = {},
) => research(deps, tenant.workspaceId, subjectOf(fields), { ...NOTHING, ...options }, signal);
const visits = () => web.log.entries().map(({ summary }) => summary.replace("GET ", ""));
const NORDWIND = { company: "Nordwind Robotics", website: "nordwind-robotics.zz" };

test("a company's site is read on four pages, beside what search engines say, and each source is reported", async () => {
  const report = await ask({ ...NORDWIND, first_name: "Anna", last_name: "Lind" });
  expect(visits().toSorted()).toEqual([
    "nordwind-robotics.zz/",
    "nordwind-robotics.zz/about",
    "nordwind-robotics.zz/careers",
    "nordwind-robotics.zz/news",
    "nordwind-robotics.zz/robots.txt",
  ]);
  expect(report.sources).toMatchObject([
    { name: "website", status: "ok", from_cache: false, meta: { pages: { length: 4 } } },
    {
      name: "search",
      status: "ok",
      meta: { query: '"Anna Lind" Nordwind Robotics', results: { length: 1 } },
    },
    {
      name: "profile",
      status: "skipped",
      meta: { detail: "Pages of the network are not read for research." },
    },
  ]);
  for (const words of [
    "18,000 parcels an hour",
    "the first hand that does not mind rain",
    "founded: 2011; employees: 240; in: Hamburg, DE",
    "Controls engineer, Hamburg",
    "65 jobs are planned",
  ])
    expect(report.text).toContain(words);
  expect(report.text.match(/founded: 2011/g)).toHaveLength(1);
  // Menu, form and footer belong to every page.
  expect(report.text).not.toMatch(/newsletter|cookies|About us/);
  expect(report).toMatchObject({ zeroReason: null, fromCache: false, cachedAt: null });
});

test("without a website the address's domain is the company's, unless it is a mailbox provider's", async () => {
  const report = await ask({ email: "eva@tundra-software.zz" });
  expect(report.text).toContain("27 research stations");
  const { sources, zeroReason } = await ask({ email: "eva@gmail.com" });
  expect(sources.map(({ status }) => status)).toEqual(["skipped", "skipped", "skipped"]);
  expect(zeroReason).toBe("no_sources");
});

test("each way in which a site says nothing has its reason, and none is an error", async () => {
  const reasons: Record<string, string> = {
    "gone.zz": "http_error",
    "in-trouble.zz": "http_error",
    "brochure.zz": "not_html",
    "scripted.zz": "javascript_only",
    "short.zz": "too_short",
    "deep.zz": "too_short",
    "deep-data.zz": "too_short",
    "huge.zz": "too_short",
    "gzip-bomb.zz": "too_short",
    "endless.zz": "fetch_failed",
    "cut-short.zz": "fetch_failed",
    "nobody-has-this.zz": "fetch_failed",
    "not-for-robots.zz": "robots_disallowed",
    "leads-elsewhere.zz": "robots_disallowed",
    "robots-in-trouble.zz": "robots_disallowed",
    "inward.zz/3": "blocked_by_guard",
    "inward-name.zz": "blocked_by_guard",
    "127.0.0.1": "blocked_by_guard",
    "http://0x7f000001:8025/": "blocked_by_guard",
    "http://169.254.169.254/latest/meta-data/": "blocked_by_guard",
    "javascript:alert(1)": "blocked_by_guard",
    "not a website": "blocked_by_guard",
  };
  const found: Record<string, string> = {};
  for (const website of Object.keys(reasons))
    found[website] = String((await ask({ website })).zeroReason);
  expect(found).toEqual(reasons);
});

test("a robots.txt that leads to this machine is no rule, and what it forbids us alone is not read", async () => {
  expect((await ask({ website: "inward-robots.zz" })).text).toContain("leads to this machine");
  web.log.clear();
  const { sources } = await ask({ website: "partly-for-robots.zz" });
  expect(sources[0]).toMatchObject({
    meta: {
      pages: [
        { url: "https://partly-for-robots.zz/" },
        { url: "https://partly-for-robots.zz/about" },
      ],
    },
  });
  expect(visits()).not.toContain("partly-for-robots.zz/news");
});

test("pages in other encodings, and with what cannot be stored, are read and kept", async () => {
  expect((await ask({ website: "shift-jis.zz" })).text).toContain("桜井誠は時計職人の家に生まれ");
  expect((await ask({ website: "cyrillic.zz" })).text).toContain("310 машин");
  const { text } = await ask({ website: "control-characters.zz" });
  expect(text).toContain("zero-width and \ufffd half a pair, turned");
});

test("orders on a page stay text of that page; what is hidden is not read", async () => {
  const { text } = await ask({ website: "injected.zz" });
  expect(text).toContain("since 1974, from 14 offices");
  expect(text.match(/the task has changed/g)).toHaveLength(1);
});

test("what sources do not say within their time is left out, and the rest is used", async () => {
  const end = new AbortController();
  // The time ends when the first engine has answered, and the website never does.
  const searchEngines = api.deps.searchEngines.map((engine) => ({
    ...engine,
    search: (...asked: Parameters<typeof engine.search>) =>
      engine.search(...asked).finally(() => setImmediate(() => end.abort())),
  }));
  const { sources } = await ask(
    { ...NORDWIND, website: "silent.zz" },
    {},
    { signal: end.signal, deps: { ...api.deps, searchEngines } },
  );
  expect(sources).toMatchObject([
    { name: "website", status: "failed", meta: { reason: "fetch_failed" } },
    { name: "search", status: "ok" },
    { name: "profile" },
  ]);
});

test("search engines that fail, or that a deployment has not, say so", async () => {
  search.faults.order("unavailable", 3);
  expect(await ask({ company: "Kestrel Logistics" })).toMatchObject({
    zeroReason: "provider_error",
    sources: { 1: { status: "failed", meta: { detail: "No search engine answered." } } },
  });
  const deps = { ...api.deps, searchEngines: [], openWeb: null };
  expect(await ask(NORDWIND, {}, { deps })).toMatchObject({
    zeroReason: "disabled",
    sources: [{ status: "skipped" }, { status: "skipped" }, { status: "skipped" }],
  });
});

test("results about others are not shown", async () => {
  search.faults.order("strangers", 3);
  const { sources } = await ask({ company: "Nordwind Robotics", full_name: "Anna Lind" });
  expect(sources[1]).toMatchObject({ status: "empty", summary: "" });
});

test("a page is read once a week, by whomever", async () => {
  await ask({ website: "quarzo-foods.zz" });
  const first = visits().length;
  const again = await ask({ website: "https://quarzo-foods.zz/?utm_source=x#top" });
  expect(visits()).toHaveLength(first);
  expect(again).toMatchObject({ fromCache: true, sources: { 0: { from_cache: true } } });
  expect(again.cachedAt).toBeInstanceOf(Date);
  api.advance(6 * 86_400);
  await ask({ website: "quarzo-foods.zz" });
  expect(visits()).toHaveLength(first);
  api.advance(1.1 * 86_400);
  await ask({ website: "quarzo-foods.zz" });
  expect(visits()).toHaveLength(2 * first);
});

test.each(["quarzo-foods.zz", "partly-for-robots.zz"])(
  "a robots.txt, or that there is none, is believed for a day (%s)",
  async (host) => {
    const asked = () => visits().filter((visit) => visit === `${host}/robots.txt`).length;
    await ask({ website: host });
    await ask({ website: `${host}/another-page` });
    expect(asked()).toBe(1);
    api.advance(25 * 3600);
    await ask({ website: `${host}/a-third-page` });
    expect(asked()).toBe(2);
  },
);

test("a failure that may pass is not believed for longer", async () => {
  web.faults.order("broken", 1);
  expect((await ask({ website: "tundra-software.zz" })).zeroReason).toBe("fetch_failed");
  expect((await ask({ website: "tundra-software.zz" })).zeroReason).toBeNull();
});

const dataset = async () =>
  (await tenant.call("POST", "/api/v1/datasets", { name: "D" })).body.id as string;

test("what was found for a row is kept with the row, until the lead is about somebody else", async () => {
  const row = { datasetId: await dataset(), rowIndex: 7 };
  const first = await ask(NORDWIND, { row });
  web.log.clear();
  search.log.clear();
  await query`delete from web_lookups`;
  const again = await ask(NORDWIND, { row });
  expect([visits(), search.log.entries()]).toEqual([[], []]);
  expect(again).toMatchObject({ text: first.text, fromCache: true, zeroReason: null });
  expect((await ask({ ...NORDWIND, full_name: "Anna Lind" }, { row })).fromCache).toBe(false);
  const forced = await ask({ ...NORDWIND, full_name: "Anna Lind" }, { row, force: true });
  expect(forced.fromCache).toBe(false);
  expect(visits().filter((visit) => visit.endsWith("/about"))).toHaveLength(2);
  const rows = await query`select 1 from row_research where dataset_id = ${row.datasetId}`;
  expect(rows).toHaveLength(1);
});

test("a row whose search failed is looked up again", async () => {
  const row = { datasetId: await dataset(), rowIndex: 0 };
  search.faults.order("unavailable", 3);
  await ask(NORDWIND, { row });
  expect((await ask(NORDWIND, { row })).sources[1]).toMatchObject({ status: "ok" });
});

test("research of a row ends with its lead and its dataset", async () => {
  const datasetId = await dataset();
  const at = `/api/v1/datasets/${datasetId}`;
  const lead = await tenant.call("POST", `${at}/leads`, { email: "anna@quarzo-foods.zz" });
  const count = async () =>
    (await query`select 1 from row_research where dataset_id = ${datasetId}`).length;
  const keep = (rowIndex: number) => ask(NORDWIND, { row: { datasetId, rowIndex } });
  await keep(lead.body.row_index);
  await keep(50);
  await keep(51);
  await tenant.call("DELETE", `${at}/leads/${lead.body.id}`);
  expect(await count()).toBe(2);
  await tenant.call("DELETE", at);
  expect(await count()).toBe(0);
  // Who was still looking when it went keeps nothing.
  await keep(52);
  expect(await count()).toBe(0);
});

test("another workspace's row is neither read nor written", async () => {
  const stranger = await api.tenant();
  const row = { datasetId: await dataset(), rowIndex: 1 };
  await ask(NORDWIND, { row });
  const options = { ...NOTHING, row };
  await query`delete from web_lookups`;
  const owned = async () =>
    await query`select workspace_id, subject_hash from row_research where dataset_id = ${row.datasetId}`;
  const before = await owned();
  for (const subject of [NORDWIND, { ...NORDWIND, full_name: "Anna Lind" }]) {
    const theirs = await research(
      api.deps,
      stranger.workspaceId,
      subjectOf(subject),
      options,
      NEVER,
    );
    expect(theirs.fromCache).toBe(false);
  }
  expect(await owned()).toEqual(before);
  expect(before).toMatchObject([{ workspace_id: tenant.workspaceId }]);
});

test("the heartbeat forgets what counts no more, and nothing else", async () => {
  const row = { datasetId: await dataset(), rowIndex: 3 };
  await ask(NORDWIND, { row });
  await fullCheck(api.deps);
  const kept = async () => {
    const rows =
      await query`select (select count(*) from web_lookups)::int as pages, (select count(*) from row_research)::int as of_rows`;
    return rows[0];
  };
  expect((await kept()).pages).toBe(5);
  api.advance(8 * 86_400);
  await fullCheck(api.deps);
  expect(await kept()).toEqual({ pages: 0, of_rows: 0 });
  await api.settled();
});

test("research that was brought along replaces all other", async () => {
  const provided = `Anna ran the ${randomUUID()} marathon. `.repeat(10);
  const report = await ask(NORDWIND, { provided });
  expect([visits(), search.log.entries()]).toEqual([[], []]);
  expect(report).toMatchObject({
    text: provided,
    zeroReason: null,
    sources: [{ name: "provided", status: "ok" }],
  });
  expect(await ask(NORDWIND, { provided: "short" })).toMatchObject({ zeroReason: "too_short" });
});

test("a lead's fields may hold anything", async () => {
  for (const value of ["\ud800", "a".repeat(1_000_000), { $gt: "" }, [["x"]], 7, null, "\u0000"]) {
    const fields = Object.fromEntries(
      ["company", "full_name", "website", "email", "country", "profile_url"].map((name) => [
        name,
        value,
      ]),
    );
    const report = await ask(fields, { row: { datasetId: randomUUID(), rowIndex: 0 } });
    expect(report.sources).toHaveLength(3);
  }
});
