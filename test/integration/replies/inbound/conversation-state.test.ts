import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import { beforeEach, describe, expect, test } from "vitest";
import { countStatement } from "#db/replies/conversations.ts";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { postMail, rawMail } from "../../../support/incoming.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

const PATH = "/api/v2/conversations";

useSending();
const query = queryOf(() => sending.api.sql);
let aliasId: string;
let aliasEmail: string;
beforeEach(async () => {
  [aliasId] = (await sending.campaign(tenant, { leads: 0 })).aliasIds as [string];
  const [alias] = await query`select email from mail_aliases where id = ${aliasId}`;
  aliasEmail = alias!.email;
});

const ONLY_AUTOMATIC = ["Auto-Submitted: auto-replied"];
interface Thread {
  id: string;
  person: string;
  hears(body: string, headers?: string[], subject?: string): Promise<void>;
}
async function thread(subject: string): Promise<Thread> {
  const person = `ada-${randomUUID()}@example.zz`;
  const { body: sent } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasId,
    to_email: person,
    subject,
    body: "Hello Ada",
  });
  await deliverEmail(sending.api.deps, sent.id);
  return {
    id: sent.conversation_id,
    person,
    hears: async (body, headers = [], title = `Re: ${subject}`) => {
      sending.api.advance(60);
      const to = [`In-Reply-To: ${sent.message_id}`, ...headers];
      const mail = rawMail({ from: person, to: aliasEmail, subject: title, headers: to, body });
      const date = `Date: ${sending.api.deps.clock.now().toUTCString()}`;
      await postMail(sending.api, mail.replace(/^Date: .*$/m, date), aliasEmail, { from: person });
    },
  };
}
const get = async (id: string) => (await tenant.call("GET", `${PATH}/${id}`)).body;
const change = (id: string, body: object) => tenant.call("PATCH", `${PATH}/${id}`, body);
const idsBy = async (search: string): Promise<string[]> =>
  (await tenant.call("GET", `${PATH}?${search}`)).body.items.map(({ id }: { id: string }) => id);
const counts = async () => (await tenant.call("GET", `${PATH}/counts`)).body;
const inDays = (days: number) =>
  new Date(sending.api.deps.clock.now().getTime() + days * 86_400_000).toISOString();

describe("what a conversation is", () => {
  test("is the class of what came in last, with how it begins and who wrote it", async () => {
    const { id, person, hears } = await thread("Schools");
    expect(await get(id)).toMatchObject({ class: null, state: "open", snooze_until: null });
    await hears("I am away.", ONLY_AUTOMATIC, "Out of office");
    expect(await get(id)).toMatchObject({ class: "out_of_office" });
    await hears("Send us the\r\n\r\n   prices, please. Ada");
    expect(await get(id)).toMatchObject({
      class: "reply",
      alias_id: aliasId,
      snippet: "Send us the prices, please. Ada",
      counterpart: { name: null, email: person, company: null },
    });
  });

  test("is what a person says that it is, until something newer comes in", async () => {
    const { id, hears } = await thread("Schools");
    await hears("Bin im Urlaub. Viele Grüße");
    const said = await change(id, { class: "out_of_office", intent: "not_now" });
    expect(said.body).toMatchObject({ class: "out_of_office", intent: "not_now", state: "open" });
    await hears("Please send me the prices, I am interested.");
    expect(await get(id)).toMatchObject({ class: "reply", intent: "interested" });
  });

  test("says its person's name and company where it is a lead's", async () => {
    const { id } = await thread("Schools");
    const [lead] = await query`
      insert into leads (id, workspace_id, user_id, dataset_id, row_index, created_at, updated_at, email, email_key, first_name, last_name, company, tags, custom)
      select gen_random_uuid(), workspace_id, user_id, id, 990, now(), now(), 'grace@example.zz', 'grace@example.zz', 'Grace', 'Hopper', '100%_Navy', '{}', '{}'
      from datasets limit 1 returning id`;
    await query`update conversations set lead_id = ${lead!.id} where id = ${id}`;
    expect((await get(id)).counterpart).toEqual({
      name: "Grace Hopper",
      email: "grace@example.zz",
      company: "100%_Navy",
    });
    for (const part of ["hopper", "GRACE HOP", "grace@", "0%_n", "hool"])
      expect(await idsBy(`q=${encodeURIComponent(part)}`)).toEqual([id]);
    for (const part of ["100_", "%", "'", "Lovelace"])
      expect(await idsBy(`q=${encodeURIComponent(part)}`)).toEqual(part === "%" ? [id] : []);
  });
});

describe("who wrote", () => {
  test("is a person or a machine: lists and counts keep them apart, and what nobody answered is neither", async () => {
    const [asked, doubtful, away, unheard] = [
      await thread("Schools"),
      await thread("Bridges"),
      await thread("Canals"),
      await thread("Harbours"),
    ];
    await asked.hears("Tell me more.");
    await doubtful.hears("Tell me more.");
    await change(doubtful.id, { class: "possible_opt_out", state: "done" });
    await away.hears("I am away.", ONLY_AUTOMATIC, "Out of office");
    expect(await idsBy("writer=person")).toEqual([doubtful.id, asked.id]);
    expect(await idsBy("writer=machine")).toEqual([away.id]);
    expect(await idsBy("writer=person&state=open")).toEqual([asked.id]);
    expect(await idsBy("")).toContain(unheard.id);
    expect((await counts()).writers).toEqual({
      person: { open: 1, done: 1, snoozed: 0 },
      machine: { open: 1, done: 0, snoozed: 0 },
    });
    expect((await tenant.call("GET", `${PATH}?writer=dog`)).status).toBe(422);
  });
});

describe("what a person makes of a conversation", () => {
  test("done is out of the open ones, and a reply opens it again: an automatic one does not", async () => {
    const { id, hears } = await thread("Schools");
    const other = await thread("Bridges");
    expect((await change(id, { state: "done" })).body).toMatchObject({ state: "done" });
    expect(await idsBy("state=open")).toEqual([other.id]);
    expect(await idsBy("state=done")).toEqual([id]);
    await hears("I am away.", ONLY_AUTOMATIC, "Out of office");
    expect(await get(id)).toMatchObject({ state: "done", class: "out_of_office" });
    await hears("Tell me more.");
    expect(await get(id)).toMatchObject({ state: "open", class: "reply", unread: true });
    expect(await idsBy("state=open&class=reply")).toEqual([id]);
  });

  test("snoozed is open again once it is over, or once they write", async () => {
    const [first, second] = [await thread("Schools"), await thread("Bridges")];
    const until = inDays(3);
    for (const { id } of [first, second])
      expect((await change(id, { state: "snoozed", snooze_until: until })).body).toMatchObject({
        state: "snoozed",
        snooze_until: until,
      });
    expect(await counts()).toMatchObject({ open: 0, snoozed: 2, done: 0 });
    await second.hears("Tell me more.");
    expect(await get(second.id)).toMatchObject({ state: "open", snooze_until: null });
    expect(await idsBy("state=snoozed")).toEqual([first.id]);
    sending.api.advance(3 * 86_400);
    expect(await get(first.id)).toMatchObject({ state: "open", snooze_until: null });
    expect(await idsBy("state=snoozed")).toEqual([]);
    expect(await counts()).toEqual({
      open: 2,
      snoozed: 0,
      done: 0,
      unread: 1,
      classes: { reply: 1 },
      writers: {
        person: { open: 1, done: 0, snoozed: 0 },
        machine: { open: 0, done: 0, snoozed: 0 },
      },
    });
  });

  test("is refused where it makes no sense, and then nothing of it counts", async () => {
    const { id } = await thread("Schools");
    expect(
      await change(id, { state: "snoozed", snooze_until: inDays(-1), intent: "interested" }),
    ).toMatchObject({ status: 422, body: { code: "SNOOZE_OVER" } });
    for (const body of [
      { state: "snoozed", intent: "interested" },
      { state: "done", snooze_until: inDays(1), intent: "interested" },
      { snooze_until: inDays(1), intent: "interested" },
      {},
      { state: "gone" },
      { class: "bounce" },
      { state: null },
    ])
      expect((await change(id, body)).status).toBe(422);
    expect(await get(id)).toMatchObject({ state: "open", intent: null, class: null });
  });
});

test("an index has all that they are counted by: where the database knows its rows, it reads none", async () => {
  const { sql, params } = new PgDialect().sqlToQuery(
    countStatement(tenant.workspaceId, sending.api.deps.clock.now()),
  );
  const client = await sending.api.sql.connect();
  try {
    await client.query("begin; set local enable_seqscan = off; set local enable_bitmapscan = off");
    const { rows } = await client.query(`explain (format json) ${sql}`, params);
    expect(JSON.stringify(rows)).toMatch(
      /"Node Type":"Index Only Scan"[^{}]*"Index Name":"conversations_counted"/,
    );
  } finally {
    await client.query("rollback");
    client.release();
  }
});
