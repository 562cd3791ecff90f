import { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { importProspectFile } from "../../../../scripts/prospect-import.ts";
import { startApi } from "../../../support/api.ts";
import { sending, useSending } from "../../../support/sending.ts";

useSending();
beforeEach(async () => {
  await sending.api.sql.query(
    "truncate prospects, prospect_tags, prospect_opt_outs, prospect_opt_out_days",
  );
  await importAnna();
});

async function importAnna() {
  const client = new Client({ connectionString: sending.api.databaseUrl });
  await client.connect();
  const file = (async function* () {
    yield new TextEncoder().encode("profile_url,name,tags\nhttps://www.net.zz/in/Anna,Anna,saas\n");
  })();
  return importProspectFile(client, file).finally(() => client.end());
}

const isThere = async () =>
  (await sending.api.sql.query("select 1 from prospects where profile_key = 'net.zz/in/anna'"))
    .rowCount === 1;

async function ask(body: object, headers: Record<string, string> = {}) {
  const reply = await sending.api.request("/api/v1/prospects/opt-out", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  await sending.api.settled();
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}
const ORDER = { profile_url: "http://net.zz/in/anna/?trk=1", email: "Anna@corp.zz" };

/** The path behind the link of the newest mail. */
async function linkOf(to: string): Promise<string> {
  const [mail] = (await sending.mailbox.messages({ to })).slice(-1);
  return /https?:\/\/\S+(\/prospects\/opt-out\/\S+)/.exec(mail!.text ?? "")![1]!;
}
const visit = (path: string, method = "GET") => sending.api.request(path, { method });

test("a mail's link, opened and confirmed, takes a person out, and no import brings them back", async () => {
  expect(await ask(ORDER)).toMatchObject({ status: 202, body: { success: true } });
  const link = await linkOf("anna@corp.zz");
  expect(await (await visit(link)).text()).toContain("<button>Take it out</button>");
  expect(await isThere()).toBe(true);
  expect((await visit(link, "POST")).status).toBe(200);
  expect(await isThere()).toBe(false);
  expect((await visit(link, "POST")).status).toBe(200);
  expect(await importAnna()).toMatchObject({ added: 0, optedOut: 1 });
  expect(await isThere()).toBe(false);
});

test("whoever is not in the pool gets the same answer and the same mail", async () => {
  const known = await ask(ORDER);
  const unknown = await ask({
    ...ORDER,
    profile_url: "https://net.zz/in/nobody",
    email: "n@corp.zz",
  });
  expect(unknown).toEqual(known);
  expect(await linkOf("n@corp.zz")).toContain("/prospects/opt-out/");
});

test("a link that was changed, or is older than seven days, does nothing", async () => {
  await ask({ ...ORDER, email: "b@corp.zz" });
  const link = await linkOf("b@corp.zz");
  const at = link.lastIndexOf("/") + 1;
  const [mac, body] = link.slice(at).split(".") as [string, string];
  const forged = Buffer.from(
    Buffer.from(body, "base64url").toString().replace("anna", "anne"),
  ).toString("base64url");
  for (const token of [
    `${mac}.${forged}`,
    `${mac}x.${body}`,
    mac,
    "x",
    "x.y",
    `.${body}`,
    `${mac}.${body}.z`,
    "a".repeat(5_000),
  ])
    for (const method of ["GET", "POST"])
      expect((await visit(link.slice(0, at) + token, method)).status).toBe(404);
  sending.api.advance(8 * 24 * 3_600);
  expect((await visit(link, "POST")).status).toBe(404);
  expect(await isThere()).toBe(true);
});

test("a client address may ask 30 times a minute", async () => {
  const from = { "cf-connecting-ip": "203.0.113.77" };
  const statuses: number[] = [];
  for (let times = 0; times < 31; times++)
    statuses.push((await ask({ ...ORDER, email: `d${times}@corp.zz` }, from)).status);
  expect([statuses[29], statuses[30]]).toEqual([202, 429]);
});

test("what is no profile or no address is 422", async () => {
  for (const wrong of [
    { profile_url: "x" },
    { email: "x" },
    { profile_url: "" },
    { email: "a@b.zz\r\nBcc: c@d.zz" },
  ])
    expect((await ask({ ...ORDER, ...wrong })).status).toBe(422);
});

test("a deployment without mail of its own says so: 503", async () => {
  const api = await startApi();
  const reply = await api.request("/api/v1/prospects/opt-out", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ORDER),
  });
  expect([reply.status, ((await reply.json()) as { detail: string }).detail]).toEqual([
    503,
    "NOT_CONFIGURED",
  ]);
  await api.close();
});
