import { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { runAdmin } from "../../../../scripts/admin/run.ts";
import { importProspectFile } from "../../../../scripts/prospect-import.ts";
import { meetAtRow } from "../../../support/locks.ts";
import { sending, useSending } from "../../../support/sending.ts";

useSending();
beforeEach(async () => {
  await sending.api.sql.query(
    "truncate prospects, prospect_tags, prospect_opt_outs, prospect_opt_out_days",
  );
  await importPool();
});

const PEOPLE = ["anna", "bea", "cleo", "dora"];
const profileOf = (name: string) => `https://www.net.zz/in/${name}`;

async function importPool() {
  const client = new Client({ connectionString: sending.api.databaseUrl });
  await client.connect();
  const lines = PEOPLE.map((name) => `${profileOf(name)},${name},saas`).join("\n");
  const file = (async function* () {
    yield new TextEncoder().encode(`profile_url,name,tags\n${lines}\n`);
  })();
  return importProspectFile(client, file).finally(() => client.end());
}

const inPool = async (): Promise<string[]> =>
  (await sending.api.sql.query("select full_name from prospects order by 1")).rows.map(
    ({ full_name }) => full_name,
  );

async function ask(name: string, email: string, address?: string) {
  const reply = await sending.api.request("/api/v1/prospects/opt-out", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(address !== undefined && { "cf-connecting-ip": address }),
    },
    body: JSON.stringify({ profile_url: profileOf(name), email }),
  });
  await sending.api.settled();
  return { status: reply.status, headers: reply.headers, body: await reply.text() };
}
const mails = async () => (await sending.mailbox.messages({})).length;

async function linkOf(to: string): Promise<string> {
  const [mail] = (await sending.mailbox.messages({ to })).slice(-1);
  return /https?:\/\/\S+(\/prospects\/opt-out\/\S+)/.exec(mail!.text ?? "")![1]!;
}
const press = async (link: string) => (await sending.api.request(link, { method: "POST" })).status;
async function optOut(name: string, email: string): Promise<string> {
  await ask(name, email);
  const link = await linkOf(email);
  expect(await press(link)).toBe(200);
  return link;
}

const admin = (...words: string[]) => runAdmin(words, sending.api.databaseUrl);

test("a mailbox gets three mails a day, whatever tags and dots its address is written with", async () => {
  const corporate = ["v@corp.zz", "v+1@corp.zz", "V+two+3@corp.zz", "v+4@corp.zz", "v@corp.zz"];
  for (const email of corporate) expect((await ask("anna", email)).status).toBe(202);
  expect(await mails()).toBe(3);
  const google = [
    "vera.k@gmail.com",
    "verak@googlemail.com",
    "v.e.r.a.k+x@gmail.com",
    "verak@gmail.com",
  ];
  for (const email of google) await ask("anna", email);
  expect(await mails()).toBe(6);
  // A dot and a hyphen are other people elsewhere.
  for (const email of ["v.era@corp.zz", "vera@corp.zz", "vera-x@corp.zz"]) await ask("anna", email);
  expect(await mails()).toBe(9);
  sending.api.advance(86_400);
  await ask("anna", "v+9@corp.zz");
  expect(await mails()).toBe(10);
});

test("of twenty who ask at once for one mailbox three are mailed, and none can tell", async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, tag) => ask("anna", `v+${tag}@corp.zz`)),
  );
  expect(await mails()).toBe(3);
  const told = replies.map(({ status, body, headers }) => {
    const names = [...headers.keys()].filter((name) => name !== "x-request-id");
    return JSON.stringify([status, body, names, headers.get("ratelimit-policy")]);
  });
  expect(new Set(told).size).toBe(1);
});

test("a client address asks fifty times a day, a network of IPv6 as one; then it is 429 until the day ends", async () => {
  const from = (index: number) => `2001:db8:7:1::${index.toString(16)}`;
  for (let index = 0; index < 50; index++) {
    if (index % 25 === 0) sending.api.advance(61);
    expect((await ask("anna", `p${index}@corp.zz`, from(index))).status).toBe(202);
  }
  const over = await ask("anna", "over@corp.zz", from(99));
  const now = sending.api.deps.clock.now().getTime() / 1000;
  expect([over.status, JSON.parse(over.body).detail]).toEqual([429, "RATE_LIMITED"]);
  const retryAfter = Number(over.headers.get("retry-after"));
  expect(retryAfter).toBeGreaterThan(86_400 - (now % 86_400) - 5);
  expect(retryAfter).toBeLessThanOrEqual(86_400 - (now % 86_400) + 5);
  expect(await mails()).toBe(50);
  expect((await ask("anna", "over@corp.zz", "2001:db8:7:2::1")).status).toBe(202);
  sending.api.advance(retryAfter);
  expect((await ask("anna", "over@corp.zz", from(99))).status).toBe(202);
});

test("who asks too often uses up nobody's mails", async () => {
  for (let index = 0; index < 60; index++) {
    if (index % 25 === 0) sending.api.advance(61);
    await ask("anna", index < 50 ? `p${index}@corp.zz` : "victim@corp.zz", "203.0.113.9");
  }
  sending.mailbox.clear();
  for (let times = 0; times < 4; times++) await ask("anna", "victim@corp.zz");
  expect(await mails()).toBe(3);
});

test("the operator sees each opt-out with who made it, and takes back those of one mailbox", async () => {
  for (const name of ["anna", "bea"]) await optOut(name, `evil+${name}@corp.zz`);
  await optOut("cleo", "cleo@corp.zz");
  expect(await inPool()).toEqual(["dora"]);
  const listed = (await admin("opt-outs")).split("\n");
  expect(listed).toHaveLength(3);
  expect(listed[0]).toContain("net.zz/in/cleo");
  expect(listed.join("\n")).not.toContain("corp.zz");
  const evil = listed.find((line) => line.includes("net.zz/in/anna"))!;
  const [, mark] = /(mailbox:[0-9a-f]{16}) \(2 in all\)/.exec(evil)!;
  expect((await admin("opt-outs", mark!)).split("\n")).toHaveLength(2);
  expect(await admin("undo-opt-out", mark!)).toContain("2 opt-outs are undone");
  await expect(admin("undo-opt-out", mark!)).rejects.toThrow("Nothing of");
  await importPool();
  expect(await inPool()).toEqual(["anna", "bea", "dora"]);
  expect(await admin("opt-outs", profileOf("anna"))).toContain("undone 20");
});

test("a link from before it was taken back does nothing any more; who asks anew is out", async () => {
  const link = await optOut("anna", "anna@corp.zz");
  await admin("undo-opt-out", "net.zz/in/anna");
  await importPool();
  expect(await press(link)).toBe(404);
  expect(await inPool()).toContain("anna");
  sending.api.advance(1);
  await optOut("anna", "anna@corp.zz");
  expect(await inPool()).not.toContain("anna");
  await importPool();
  expect(await inPool()).not.toContain("anna");
  // The first link stands for what is so again.
  expect(await press(link)).toBe(200);
});

test("who is erased by a workspace is listed by it, without the person, and can be taken back", async () => {
  const tenant = await sending.api.tenant();
  const { leadIds } = await sending.campaign(tenant, { leads: 1 });
  await sending.api.sql.query(
    "update leads set email = 'dora@corp.zz', email_key = 'dora@corp.zz', profile_url = $2 where id = $1",
    [leadIds[0], profileOf("dora")],
  );
  await optOut("anna", "anna@corp.zz");
  await sending.api.sql.query(
    `insert into leads select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'row_index', 99, 'profile_url', $2::text, 'identity_key', 'other'))).*
     from leads l where id = $1`,
    [leadIds[0], profileOf("anna")],
  );
  const erased = await tenant.call("POST", "/api/v1/leads/erase", { email: "dora@corp.zz" });
  expect(erased.status).toBe(200);
  expect(await inPool()).not.toContain("dora");
  // Not even her who had opted out before is named any more.
  expect(await admin("opt-outs")).not.toContain("net.zz");
  const mark = `workspace:${tenant.workspaceId}`;
  const line = await admin("opt-outs", mark);
  expect(line).toMatch(/^\S+ \S+ {2}[0-9a-f]{64} {2}workspace:/);
  expect(await admin("undo-opt-out", mark)).toContain("1 opt-out is undone");
});

test("who is erased while an import is under way that brings them is gone", async () => {
  const tenant = await sending.api.tenant();
  const { leadIds } = await sending.campaign(tenant, { leads: 1 });
  const { sql } = sending.api;
  await sql.query(
    "update leads set email = 'dora@corp.zz', email_key = 'dora@corp.zz', profile_url = $2 where id = $1",
    [leadIds[0], profileOf("dora")],
  );
  await sql.query("delete from prospects where full_name = 'dora'");
  const bea = "select 1 from prospects where full_name = 'bea' for update";
  const erase = () => tenant.call("POST", "/api/v1/leads/erase", { email: "dora@corp.zz" });
  const [, erased] = await meetAtRow(sql, bea, [], [importPool, erase]);
  expect(erased).toMatchObject({ status: 200 });
  expect(await inPool()).toEqual(["anna", "bea", "cleo"]);
});

test("erasing takes fifty profiles a day of a workspace out of the pool, and beyond that out of the workspace alone", async () => {
  const tenant = await sending.api.tenant();
  const { leadIds } = await sending.campaign(tenant, { leads: 4 });
  // Two profiles of one address.
  const emails = ["anna@a.zz", "bea@a.zz", "bea@a.zz", "dora@a.zz"];
  for (const [index, id] of leadIds.entries())
    await sending.api.sql.query(
      "update leads set email = $2, email_key = $2, profile_url = $3 where id = $1",
      [id, emails[index], profileOf(PEOPLE[index]!)],
    );
  const counted = (asked: number) =>
    sending.api.sql.query("insert into prospect_opt_out_days values ($1, $2, $3)", [
      sending.api.deps.clock.now().toISOString().slice(0, 10),
      `workspace:${tenant.workspaceId}`,
      asked,
    ]);
  const erase = async (email: string) =>
    expect((await tenant.call("POST", "/api/v1/leads/erase", { email })).status).toBe(200);
  await counted(48);
  await erase("anna@a.zz");
  await erase("bea@a.zz");
  const left = await inPool();
  expect(left).toContain("dora");
  expect(left.filter((name) => name === "bea" || name === "cleo")).toHaveLength(1);
  const { rows } = await sending.api.sql.query(
    "select email from leads where workspace_id = $1 and email is not null",
    [tenant.workspaceId],
  );
  expect(rows).toEqual([{ email: "dora@a.zz" }]);
  // Another day.
  sending.api.advance(86_400);
  await erase("dora@a.zz");
  expect(await inPool()).toEqual(left.filter((name) => name !== "dora"));
});

test("after thirty days the profile is forgotten, and stays out", async () => {
  await optOut("anna", "anna@corp.zz");
  sending.api.advance(29 * 86_400);
  await fullCheck(sending.api.deps);
  expect(await admin("opt-outs")).toContain("net.zz/in/anna");
  sending.api.advance(2 * 86_400);
  await fullCheck(sending.api.deps);
  await sending.api.settled();
  expect(await admin("opt-outs")).not.toContain("anna");
  expect((await sending.api.sql.query("select 1 from prospect_opt_out_days")).rowCount).toBe(0);
  await importPool();
  expect(await inPool()).not.toContain("anna");
  expect(await admin("undo-opt-out", profileOf("anna"))).toContain("1 opt-out is undone");
});

test.each([["nothing"], [""], ["mailbox:1"], ["javascript:alert(1)"]])(
  "%j is no opt-out",
  async (which) => {
    await expect(admin("undo-opt-out", which)).rejects.toThrow(/neither a profile|Nothing of/);
  },
);
