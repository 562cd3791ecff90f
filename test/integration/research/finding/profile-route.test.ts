import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type SearchPart, startSearch } from "../../../../scripts/stack/search.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import { ledgerOf } from "../../../support/ledger.ts";

let search: SearchPart;
let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  const url = "https://se.linkedin.com/in/anna-lind-1";
  const title = "Anna Lind - CTO - Nordwind | LinkedIn";
  search = await startSearch({ web: { pages: [{ url, title, snippet: "" }], people: [] } });
  api = await startApi(search.env);
});
afterAll(() => Promise.all([api.close(), search.close()]));
beforeEach(async () => {
  tenant = await api.tenant({ credits: 2 });
});
afterEach(() => {
  search.faults.clear();
  search.log.clear();
});

const find = (body: object) => tenant.call("POST", "/api/v1/profile-finder/find", body);
const left = async () => (await ledgerOf(api, tenant).balance()).available;

test("a profile that is found costs a credit", async () => {
  const { status, body } = await find({ name: "Anna Lind", company: "Nordwind", location: "SE" });
  const profile = "https://www.linkedin.com/in/anna-lind-1";
  expect([status, body]).toEqual([
    200,
    {
      status: "found",
      profile_url: profile,
      linkedin_url: profile,
      match_confidence: 1,
      profiles: [
        {
          profile_url: profile,
          title: "Anna Lind - CTO - Nordwind | LinkedIn",
          snippet: null,
          match_confidence: 1,
        },
      ],
    },
  ]);
  expect(await left()).toBe(1);
});

test("nobody, and no engine that answers, cost nothing", async () => {
  const nobody = await find({ name: "Ingrid Solberg" });
  expect([nobody.status, nobody.body]).toEqual([
    200,
    {
      status: "not_found",
      profile_url: null,
      linkedin_url: null,
      match_confidence: null,
      profiles: [],
    },
  ]);
  search.faults.order("unavailable", 3);
  const down = await find({ name: "Anna Lind" });
  expect([down.status, down.body.detail]).toEqual([503, "SEARCH_UNAVAILABLE"]);
  expect(await left()).toBe(2);
});

test("the free plan may look for profiles as long as it has credits", async () => {
  const body = { name: "Anna Lind", company: "Nordwind" };
  tenant = await api.tenant({ plan: "free", credits: 1 });
  const ask = () => tenant.callAsUser("POST", "/api/v1/profile-finder/find", body);
  expect((await ask()).status).toBe(200);
  expect((await ask()).body.detail).toBe("INSUFFICIENT_CREDITS");
  expect(search.log.entries()).toHaveLength(1);
});

test("names of every kind are searched for as text, and long ones are refused", async () => {
  for (const name of ['"', "site:evil.zz", "田中 太郎", "-", "a OR b", "%00", "é".repeat(200)])
    expect((await find({ name, company: "", location: "" })).status).toBe(200);
  expect((await find({ name: "a".repeat(201) })).status).toBe(422);
  for (const { summary } of search.log.entries())
    expect(summary).toMatch(
      /^\w+: site:linkedin\.com\/in "[^"]*"|^\w+: site:linkedin\.com\/in [^"]*$/,
    );
});

test("a deployment without a search engine says so, and wrong settings are named at its start", async () => {
  const without = await startApi();
  const other = await without.tenant();
  const reply = await other.call("POST", "/api/v1/profile-finder/find", { name: "Anna Lind" });
  expect([reply.status, reply.body.detail]).toEqual([503, "SEARCH_UNAVAILABLE"]);
  expect(reply.body.message).toContain("SEARCH_ENGINES");
  await without.close();
  await expect(startApi({ SEARCH_ENGINES: "brave,serper" })).rejects.toThrow(
    /BRAVE_API_KEY[^]*SERPER_API_KEY/,
  );
});
