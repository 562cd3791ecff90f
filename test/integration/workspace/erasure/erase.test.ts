import { createHash } from "node:crypto";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { runVerificationJob } from "#src/domain/research/verification/run-job.ts";
import { importProspectFile } from "../../../../scripts/prospect-import.ts";
import { bounceMail, postMail, rawMail } from "../../../support/incoming.ts";
import type { Tenant } from "../../../support/api.ts";
import { sending, useSending } from "../../../support/sending.ts";
import { EMAIL, erase, importRows, NAME, PERSON, query, tablesWith } from "./setting.ts";

useSending();
const hashOf = (email: string) => createHash("sha256").update(email).digest("hex");
const HASH = hashOf(EMAIL);
const OTHER = "other@example.zz";
const balance = async (tenant: Tenant) =>
  (await tenant.call("GET", "/api/v1/payments/balance")).body;

/** The pool of prospects has the person too. */
async function importProspect(): Promise<void> {
  const client = new Client({ connectionString: sending.api.databaseUrl });
  await client.connect();
  const file = (async function* () {
    yield new TextEncoder().encode(
      `profile_url,full_name,company,title,location,tags\n${PERSON.profile_url},${NAME},Corp,CTO,Oslo,chess\n`,
    );
  })();
  await importProspectFile(client, file).finally(() => client.end());
}

/** Somebody about whom there is something wherever there can be: in a campaign, in mails both ways, in verifications. */
async function knownEverywhere() {
  const { api } = sending;
  const tenant = await api.tenant({ credits: 20 });
  const campaign = await sending.campaign(tenant, {
    leads: 2,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  const { sql } = api;
  await query`update leads set first_name = ${NAME} where email_key = ${EMAIL}`;
  await sending.tick();
  await sending.tick();
  const sends = await sending.sendsOf(campaign.campaignId);
  const send = sends.find(({ email_key: key }) => key === EMAIL);
  const alias = (await query`select email from mail_aliases where id = ${campaign.aliasIds[0]}`)[0]
    .email;
  const headers = [`In-Reply-To: <${send.message_id}>`];
  const reply = rawMail({
    from: `${NAME} <${EMAIL}>`,
    to: alias,
    headers,
    body: `Yours, ${NAME}`,
  });
  await postMail(api, reply, alias, { from: EMAIL });
  await query`update sends set subject = ${NAME}, reason = ${NAME} where id = ${send.id}`;
  const approved = { approved_emails: { 2: { subject: NAME, body: `Dear ${NAME}` } } };
  await query`update campaign_leads set metadata = ${JSON.stringify(approved)} where id = ${send.campaign_lead_id}`;
  await sql.query(
    `insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, url, classification, reasons)
     values (gen_random_uuid(), $1, $2, $3, 'click', now(), 0, $4, 'human', '{}')`,
    [tenant.workspaceId, campaign.campaignId, send.id, `https://shop.zz/${NAME}`],
  );
  await query`insert into placement_tests (id, workspace_id, user_id, created_at, updated_at, email_key, subject, letter, delete_after)
     values (gen_random_uuid(), ${tenant.workspaceId}, ${tenant.userId}, now(), now(), ${EMAIL}, ${NAME}, ${JSON.stringify({ subject: NAME })}, false)`;
  await query`insert into placement_mails (id, test_id, workspace_id, alias_id, from_email, seed_alias_id, to_email, email_key, state, message_id, look_until, due_at, attempts, copies)
     select gen_random_uuid(), id, workspace_id, id, ${alias}, id, ${EMAIL}, ${EMAIL}, 'queued', 'x@y.zz', now(), now(), 0, 0 from placement_tests where email_key = ${EMAIL}`;
  const checkedAt = api.deps.clock.now().toISOString();
  await query`insert into verified_addresses (key_hash, reason, checked_at, expires_at) values (${HASH}, 'temporary', ${checkedAt}, ${checkedAt})`;
  await query`update leads set verification = ${JSON.stringify({ reason: "temporary", backend: "smtp", checked_at: checkedAt })} where email_key = ${EMAIL}`;
  await query`insert into learned_addresses values ('example.zz', ${HASH}, 'first', now())`;
  const mail = { alias_id: campaign.aliasIds[0], to_email: EMAIL, subject: NAME, body: NAME };
  const { body: thread } = await tenant.call("POST", "/api/v1/mailer/emails", {
    ...mail,
    to_email: "lead2@example.zz",
    subject: "Hello",
    body: "Hello",
  });
  await query`insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, sent_at, dedup_key)
     values (gen_random_uuid(), ${tenant.workspaceId}, ${thread.conversation_id}, 'in', 'reply', ${EMAIL}, '{}', ${NAME}, now(), 'elsewhere'),
       (gen_random_uuid(), ${tenant.workspaceId}, ${thread.conversation_id}, 'out', 'sent', ${alias}, ${[EMAIL]}, ${NAME}, now(), 'copied')`;
  const { body: sent } = await tenant.call("POST", "/api/v1/mailer/emails", mail);
  await deliverEmail(api.deps, sent.id);
  const { body: queued } = await tenant.call("POST", "/api/v1/mailer/emails", mail);
  const bounce = bounceMail({
    to: alias,
    recipient: EMAIL,
    status: "5.1.1",
    diagnostic: `550 5.1.1 <${EMAIL}> unknown`,
    originalMessageId: `${sent.id}@${alias.split("@")[1]}`,
  });
  await postMail(api, bounce, alias, {});
  const dataset = await importRows(tenant, [PERSON, { email: OTHER }]);
  await importProspect();
  await writtenAbout(dataset.id);
  await tenant.call("POST", `/api/v1/email-verification/dataset/${dataset.id}`);
  const job = await tenant.call("POST", "/api/v1/email-finder/verify", { email: EMAIL });
  return { tenant, campaign, dataset: dataset.id, queued: queued.id, job: job.body.job_id };
}

/** A draft, one that failed, and what was found out for the row. */
async function writtenAbout(datasetId: string): Promise<void> {
  const { sql } = sending.api;
  for (const status of ["generated", "failed"])
    await sql.query(
      `insert into generations (id, workspace_id, user_id, created_at, updated_at, kind, dataset_id, lead_id, row_index, lead_index, status,
         prompt_version_hash, attempts, due_at, subject, body, error, prompt_snapshot, commonality, claims, sources, lead_snapshot)
       select gen_random_uuid(), workspace_id, user_id, now(), now(), 'send_time', dataset_id, id, row_index, 0, $2,
         'hash', 1, now(), $3, $3, $3, $3, $4, array_to_json(array[$4::jsonb]), array_to_json(array[$4::jsonb]), $4
       from leads where dataset_id = $1 and email_key = $5`,
      [datasetId, status, NAME, JSON.stringify({ name: NAME }), EMAIL],
    );
  await query`insert into row_research (workspace_id, dataset_id, row_index, subject_hash, sources, looked_up_at, expires_at)
     select workspace_id, dataset_id, row_index, 'subject', ${JSON.stringify([{ summary: NAME }])}, now(), now() from leads where dataset_id = ${datasetId} and email_key = ${EMAIL}`;
}

const exported = async (tenant: Tenant, email = EMAIL) =>
  (await tenant.call("POST", "/api/v1/leads/export", { email })).body;
const sourcesOf = (body: { sources: { source: string }[] }) =>
  body.sources.map(({ source }) => source).toSorted();

describe("who is erased", () => {
  test("is in no table any more, neither by address nor by name", async () => {
    const { tenant, campaign } = await knownEverywhere();
    const before = await tablesWith(EMAIL);
    for (const table of ["campaign_leads", "conversation_messages", "conversations", "datasets"])
      expect(before).toContain(table);
    for (const table of ["emails", "leads", "outbox", "sends", "verification_jobs"])
      expect(before).toContain(table);
    const named = ["campaign_leads", "conversation_messages", "datasets", "email_events"];
    expect(await tablesWith(NAME)).toEqual(
      expect.arrayContaining([
        ...named,
        "generations",
        "prospects",
        "row_research",
        "send_bodies",
        "sends",
      ]),
    );
    expect(await tablesWith(HASH)).toEqual([
      "dataset_verification_rows",
      "learned_addresses",
      "suppressions",
      "verified_addresses",
    ]);
    const shown = await exported(tenant, EMAIL.toUpperCase());
    // Samples of columns repeat what the lead says; the others are shared, and say not with whom.
    const leftOut = ["datasets", "learned_addresses", "prospects"];
    const anywhere = [EMAIL, NAME, HASH].map(tablesWith);
    const tables = new Set((await Promise.all(anywhere)).flat());
    expect(sourcesOf(shown)).toEqual(
      [...tables].filter((table) => !leftOut.includes(table)).toSorted(),
    );
    expect(shown).toMatchObject({ email: EMAIL });
    expect(shown.sources.map(({ is_cut: isCut }: { is_cut: boolean }) => isCut)).not.toContain(
      true,
    );
    const text = JSON.stringify(shown);
    for (const said of [`Yours, ${NAME}`, `Dear ${NAME}`, "likes chess", "shop.zz", "People"])
      expect(text).toContain(said);
    for (const other of ["lead2@example.zz", OTHER, "claim_token"])
      expect(text).not.toContain(other);
    const reply = await erase(tenant, EMAIL.toUpperCase());
    expect([reply.status, reply.body]).toEqual([200, { success: true }]);
    expect(await tablesWith(EMAIL)).toEqual([]);
    expect(await tablesWith(NAME)).toEqual([]);
    expect(await tablesWith(HASH)).toEqual(["suppressions"]);
    expect(await tablesWith(hashOf(OTHER))).toEqual(["dataset_verification_rows"]);
    expect(await sending.leadOf(campaign.campaignLeadIds[1]!)).toMatchObject({
      email_key: "lead2@example.zz",
      status: "pending",
    });
    // Again, and for somebody whom nobody knows.
    for (const email of [EMAIL, "nobody@example.zz"])
      expect((await erase(tenant, email)).status).toBe(200);
  });

  test("has the thread with their lead forgotten, from whichever address somebody answered", async () => {
    const { tenant, campaign } = await knownEverywhere();
    const lead = campaign.campaignLeadIds[0];
    const thread = async () =>
      await query`select id, peer_key from conversations where campaign_lead_id = ${lead}`;
    await query`update conversations set peer_key = 'assistant@other.zz' where campaign_lead_id = ${lead}`;
    await query`update conversation_messages set from_email = 'assistant@other.zz' where conversation_id in (select id from conversations where campaign_lead_id = ${lead})`;
    expect(await thread()).toHaveLength(1);
    const { sources } = await exported(tenant);
    const records = (name: string) =>
      sources.find(({ source }: { source: string }) => source === name).records;
    expect(records("conversations").map(({ id }: { id: string }) => id)).toContain(
      (await thread())[0].id,
    );
    expect(
      records("conversation_messages").map(({ from_email: from }: { from_email: string }) => from),
    ).toContain("assistant@other.zz");
    await erase(tenant);
    expect(await thread()).toEqual([]);
  });

  test("is found in the threads of others however their address is spelled there", async () => {
    const { api } = sending;
    const tenant = await api.tenant();
    const { campaignId } = await sending.campaign(tenant, { leads: 2, aliases: 2 });
    await sending.tick();
    await sending.tick();
    const sends = await sending.sendsOf(campaignId);
    const { message_id: id, lane_id: lane } = sends.find(
      ({ email_key: key }) => key === "lead2@example.zz",
    );
    const [{ email: alias }] = await query`select email from mail_aliases where id = ${lane}`;
    const [local, domain] = EMAIL.split("@") as [string, string];
    const spelled = `${local.slice(0, 2).toUpperCase()}${local.slice(2)}@${domain.toUpperCase()}`;
    const to = `${alias}, ${NAME} <${spelled}>`;
    const headers = [`In-Reply-To: <${id}>`];
    const mail = rawMail({ from: "lead2@example.zz", to, headers, body: "Ask her." });
    expect((await postMail(api, mail, alias, { from: "lead2@example.zz" })).status).toBe(200);
    const [kept] =
      await query`select conversation_id, to_emails from conversation_messages where ${EMAIL} = any(to_emails)`;
    expect(kept?.["to_emails"]).toEqual([alias, EMAIL]);
    // Kept before that, as programs write them.
    const capital = `${local.slice(0, 1).toUpperCase()}${local.slice(1)}`;
    for (const form of [`${local.toUpperCase()}@${domain}`, `${capital}@${domain}`, OTHER])
      await query`insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, sent_at, dedup_key)
        values (gen_random_uuid(), ${tenant.workspaceId}, ${kept.conversation_id}, 'in', 'reply', 'lead2@example.zz', ${[alias, form]}, 'Ask', now(), ${form})`;
    const { sources } = await exported(tenant);
    const messages = sources.find(
      ({ source }: { source: string }) => source === "conversation_messages",
    );
    expect(messages.records).toHaveLength(3);
    await erase(tenant);
    const left =
      await query`select to_emails from conversation_messages where workspace_id = ${tenant.workspaceId}`;
    expect(left).toEqual([{ to_emails: [alias, OTHER] }]);
    // Nor is who was erased named again by who answers later.
    const later = rawMail({ from: "lead2@example.zz", to, headers, body: "And?" });
    expect((await postMail(api, later, alias, { from: "lead2@example.zz" })).status).toBe(200);
    const [last] =
      await query`select to_emails from conversation_messages where workspace_id = ${tenant.workspaceId} and text like 'And?%'`;
    expect(last).toEqual({ to_emails: [alias] });
  });

  test("gets nothing that waits, and its credits come back", async () => {
    const { tenant, queued, job, dataset } = await knownEverywhere();
    expect(await balance(tenant)).toMatchObject({ available: 17, held: 3 });
    await erase(tenant);
    sending.mailbox.clear();
    await deliverEmail(sending.api.deps, queued);
    expect(await sending.mailbox.messages()).toEqual([]);
    expect((await tenant.call("GET", `/api/v1/mailer/emails/${queued}`)).body).toMatchObject({
      status: "cancelled",
      to_email: "",
    });
    expect(await runVerificationJob(sending.api.deps, job)).toBe("gone");
    expect(await balance(tenant)).toMatchObject({ available: 18, held: 2 });
    await tenant.call("DELETE", `/api/v1/email-verification/dataset/${dataset}`);
    expect(await balance(tenant)).toMatchObject({ available: 20, held: 0 });
  });

  test("stops in a campaign as a deleted lead does", async () => {
    const { api } = sending;
    const tenant = await api.tenant();
    const { campaignLeadIds } = await sending.campaign(tenant, { leads: 2 });
    await erase(tenant);
    expect(await sending.leadOf(campaignLeadIds[0]!)).toMatchObject({
      status: "stopped",
      stop_reason: "lead_deleted",
      next_action_at: null,
    });
    await sending.tick();
    await sending.tick();
    expect((await sending.mailbox.messages()).map(({ to }) => to[0])).toEqual(["lead2@example.zz"]);
  });

  test("is known to another workspace as before", async () => {
    const other = await sending.api.tenant();
    await importRows(other, [{ email: EMAIL }]);
    const { tenant } = await knownEverywhere();
    await erase(tenant);
    expect(await tablesWith(EMAIL)).toEqual(["datasets", "leads"]);
    await erase(other);
  });
});

describe("who was erased", () => {
  test("is refused by every import, and not written down by it", async () => {
    const tenant = await sending.api.tenant();
    await erase(tenant);
    const { id, report } = await importRows(tenant, [
      { email: "other@example.zz" },
      PERSON,
      PERSON,
    ]);
    expect(report).toMatchObject({ total: 3, created: 1, updated: 0, duplicate: 0, rejected: 2 });
    expect(report.rejections).toMatchObject([
      { row_index: 1, code: "SUPPRESSED" },
      { row_index: 2, code: "SUPPRESSED" },
    ]);
    const leads = `/api/v1/datasets/${id}/leads`;
    const one = await tenant.call("POST", leads, { email: EMAIL });
    expect([one.status, one.body.detail]).toEqual([422, "SUPPRESSED"]);
    const [other] = (await tenant.call("GET", leads)).body.items;
    const change = await tenant.call("PATCH", `${leads}/${other.id}`, { email: EMAIL });
    expect([change.status, change.body.detail]).toEqual([422, "SUPPRESSED"]);
    expect((await tenant.call("GET", `/api/v1/datasets/${id}`)).body.row_count).toBe(1);
    expect(await tablesWith(EMAIL)).toEqual([]);
    expect(await tablesWith(NAME)).toEqual([]);
  });

  test("is sent nothing, and the message is kept without them", async () => {
    const tenant = await sending.api.tenant();
    const { aliasIds } = await sending.campaign(tenant, { leads: 0 });
    await erase(tenant);
    const mail = { alias_id: aliasIds[0], to_email: EMAIL, subject: NAME, body: NAME };
    const { status, body } = await tenant.call("POST", "/api/v1/mailer/emails", mail);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, status: "suppressed", to_email: EMAIL });
    expect(await tablesWith(EMAIL)).toEqual([]);
    expect(await tablesWith(NAME)).toEqual([]);
    const { items } = (await tenant.call("GET", "/api/v1/suppressions")).body;
    expect(items).toMatchObject([{ value: null, kind: "email", reason: "manual" }]);
    // Nor is it written down by who suppresses it again.
    await tenant.call("POST", "/api/v1/suppressions", { value: EMAIL });
    expect(await tablesWith(EMAIL)).toEqual([]);
  });

  test("who complained before stays one who complained, and for good", async () => {
    const tenant = await sending.api.tenant();
    await tenant.call("POST", "/api/v1/suppressions", {
      value: EMAIL,
      expires_at: new Date(sending.api.deps.clock.now().getTime() + 60_000).toISOString(),
    });
    await query`update suppressions set reason = 'complaint'`;
    await erase(tenant);
    expect((await tenant.call("GET", "/api/v1/suppressions")).body.items).toMatchObject([
      { value: null, reason: "complaint", expires_at: null },
    ]);
  });
});

test("who asks for their data is shown what this workspace has, and not what another has", async () => {
  const other = await sending.api.tenant();
  await importRows(other, [PERSON]);
  const tenant = await sending.api.tenant();
  expect(sourcesOf(await exported(tenant))).toEqual([]);
  expect((await tenant.call("POST", "/api/v1/leads/export", { email: "no" })).status).toBe(422);
  await erase(other);
});

test("what somebody wrote to fill the answer is cut, and said to be", async () => {
  const { tenant } = await knownEverywhere();
  await query`
    insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, sent_at, dedup_key)
    select gen_random_uuid(), m.workspace_id, m.conversation_id, 'in', 'reply', ${EMAIL}, '{}', repeat('x', 400000), now(), 'long' || n
    from (select * from conversation_messages where lower(from_email) = ${EMAIL} limit 1) m, generate_series(1, 40) n`;
  const { sources } = await exported(tenant);
  const cut = sources.filter((each: { is_cut: boolean }) => each.is_cut);
  expect(cut.map(({ source }: { source: string }) => source)).toEqual(["conversation_messages"]);
  expect(cut[0].records.length).toBeGreaterThan(5);
  expect(JSON.stringify(sources).length).toBeLessThan(5_000_000);
  await erase(tenant);
});
