import { createHash } from "node:crypto";
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

async function importAnna(url = "https://www.net.zz/in/Anna") {
  const client = new Client({ connectionString: sending.api.databaseUrl });
  await client.connect();
  const file = (async function* () {
    yield new TextEncoder().encode(`profile_url,name,tags\n${url},Anna,saas\n`);
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

const SPELLINGS = [
  "https://www.linkedin.com/in/annä",
  "https://de.linkedin.com/in/ann%C3%A4",
  "https://linkedin.com/in/ANN%C3%84/en",
  "https://fr.linkedin.com/in/anna%CC%88/?trk=x",
];

test.each(SPELLINGS)(
  "who opts out as %s is out under each spelling of the page",
  async (profile_url) => {
    const { sql } = sending.api;
    const key = "it.linkedin.com/in/ann%c3%a4";
    // From before spellings were one.
    await sql.query("update prospects set profile_key = $1", [key]);
    await ask({ ...ORDER, profile_url });
    expect((await visit(await linkOf("anna@corp.zz"), "POST")).status).toBe(200);
    expect((await sql.query("select 1 from prospects")).rowCount).toBe(0);
    for (const url of SPELLINGS)
      expect([url, await importAnna(url)]).toMatchObject([url, { added: 0, optedOut: 1 }]);
    // Another member, and another site.
    for (const url of ["https://linkedin.com/in/anna", "https://net.zz/in/ann%C3%A4"])
      expect(await importAnna(url)).toMatchObject({ added: 1 });
  },
);

test("an opt-out from before spellings were one holds for the spelling that it named", async () => {
  const key = "de.linkedin.com/in/anna";
  const hash = createHash("sha256").update(key).digest("hex");
  await sending.api.sql.query("insert into prospect_opt_outs values ($1, now())", [hash]);
  expect(await importAnna(`https://${key}`)).toMatchObject({ added: 0, optedOut: 1 });
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
