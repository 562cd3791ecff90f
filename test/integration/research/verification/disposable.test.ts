import { Client } from "pg";
import { expect, test } from "vitest";
import { domainAndParents, isDisposableDomain } from "#db/research/disposable-domains.ts";
import {
  CURATED_LIST,
  loadDisposableList,
  readCuratedList,
  readList,
} from "../../../../scripts/disposable-lists.ts";
import { api, useApi } from "../../../support/use-api.ts";

useApi();

const isDisposable = (domain: string) => isDisposableDomain(api.deps.db, domain);
const load = async (list: string, domains: string[]) => {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  return loadDisposableList(client, list, domains).finally(() => client.end());
};

test("a migrated database knows the curated list, and loading it again changes nothing", async () => {
  const curated = readCuratedList();
  expect(curated.length).toBeGreaterThan(8_000);
  expect(await isDisposable("mailinator.com")).toBe(true);
  expect(await isDisposable("inbox.mailinator.com")).toBe(true);
  expect(await isDisposable("ourmailinator.zz")).toBe(false);
  expect(await isDisposable("gmail.com")).toBe(false);
  expect(await load(CURATED_LIST, curated)).toEqual({ added: 0, removed: 0 });
});

test("a list of one's own is added, replaced and taken away again, and never takes the curated one along", async () => {
  expect(await load("ours", ["throwaway.zz", "mailinator.com"])).toEqual({ added: 1, removed: 0 });
  expect(await isDisposable("throwaway.zz")).toBe(true);
  expect(await load("ours", ["other.zz"])).toEqual({ added: 1, removed: 1 });
  expect(await isDisposable("throwaway.zz")).toBe(false);
  expect(await load("ours", [])).toEqual({ added: 0, removed: 1 });
  expect(await isDisposable("mailinator.com")).toBe(true);
});

test("a list is read a domain a line or as JSON; what is no domain is left out", () => {
  const lines =
    "# a comment\nThrowaway.zz\r\n\nbücher.zz # why\nno domain\nthrowaway.zz\n1.2.3.4\n";
  expect(readList(lines)).toEqual(["throwaway.zz", "xn--bcher-kva.zz"]);
  expect(readList('["a.zz", 1, "localhost"]')).toEqual(["a.zz"]);
});

test("a domain is looked for with those above it, and never as a top-level domain", () => {
  expect(domainAndParents("a.b.c.zz")).toEqual(["a.b.c.zz", "b.c.zz", "c.zz"]);
  expect(domainAndParents("c.zz")).toEqual(["c.zz"]);
});
