/** A database that is put back to an earlier hour knows nothing of what went out since. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runAdmin } from "../../../scripts/admin/run.ts";
import { takeBackup } from "../../support/backup.ts";
import { createEagerClock } from "../../support/eager-clock.ts";
import { postMail, rawMail } from "../../support/incoming.ts";
import { queryOf } from "../../support/query.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

// What a test leaves unsettled is no matter of the next one's.
beforeEach(async () => {
  await query`update sends set state = 'failed' where state = 'unknown'`;
  await query`update campaigns set status = 'completed'`;
});

const now = () => sending.api.deps.clock.now();
const admin = (...words: string[]) =>
  runAdmin(["restored", ...words], sending.api.databaseUrl, now());

/** In each of them every sender sends one message. */
async function rounds(count: number): Promise<void> {
  const { api } = sending;
  for (let round = 0; round < count; round++) {
    const clock = createEagerClock(now().getTime());
    await tickWith({ clock });
    // What the tick has waited for has passed for everybody.
    api.advance(Math.max(0, (clock.now().getTime() - now().getTime()) / 1000) + 140);
  }
}

/** Who got how many messages. */
const received = () => Map.groupBy(sending.mailbox.wireLog(), ({ envelope }) => envelope.to[0]!);
const doubled = () => [...received()].filter(([, all]) => all.length > 1).map(([to]) => to);
const listed = async () => {
  const list = await admin("--list");
  return list === "Everything is settled." ? [] : list.split("\n").map((line) => line.split("  "));
};

const LEADS = 54;

/** Half way through a campaign of 3 senders, nine minutes and 12 messages are lost. */
async function loseMinutes(steps = [{ delayDays: 0 }, { delayDays: 1 }]) {
  const campaign = await sending.campaign(tenant, {
    leads: LEADS,
    aliases: 3,
    intervalSeconds: 100,
    steps,
  });
  await rounds(2);
  const since = now();
  const backup = await takeBackup(sending.api.sql);
  await rounds(4);
  const before = sending.mailbox.wireLog().length;
  await backup.restore();
  return { ...campaign, since, before };
}

/** A relay's log as Postfix writes it, of all that went out so far. */
async function relayLog(): Promise<string> {
  const lines = sending.mailbox
    .wireLog()
    .map(
      ({ message_id }, no) =>
        `Nov 23 10:00:00 mx postfix/cleanup[7]: ${no}A: message-id=${message_id}`,
    );
  const folder = await mkdtemp(join(tmpdir(), "overture-log-"));
  const file = join(folder, "mail.log");
  await writeFile(file, lines.join("\n"));
  return file;
}

test("what a restored database forgot is sent to nobody twice, and a relay's log tells the rest", async () => {
  const { campaignId, aliasIds, since, before } = await loseMinutes();
  const [{ known }] = await query`select count(*)::int as known from sends`;
  expect([known, before]).toEqual([6, 18]);
  const said = await admin("--since", since.toISOString());
  expect(said).toMatch(/^\d+ messages and actions may have gone out since/);
  await expect(admin("--since", since.toISOString())).rejects.toThrow("done before");
  // Not all 48 leads that were due: as many as its senders may have come to, twice.
  expect(await listed()).toHaveLength(3 * 2 * 6);
  // The engine goes on with the others meanwhile, once the gap of what may have gone out is over.
  sending.api.advance(140);
  await rounds(2);
  expect(doubled()).toEqual([]);
  expect(sending.mailbox.wireLog().length).toBeGreaterThan(before);

  const log = await relayLog();
  try {
    expect(await admin("--log", log)).toContain("12 are in the log");
  } finally {
    await rm(log);
  }
  const left = (await listed()).map(([id]) => id!);
  expect(left).toHaveLength(24);
  await admin("--again", ...left);
  await rounds(12);
  expect([doubled(), received().size]).toEqual([[], LEADS]);
  const [{ used }] = await query`select used from campaigns where id = ${campaignId}`;
  expect(used).toBe(LEADS);
  const lanes =
    await query`select sum(used)::int as used from sender_lanes where id = any(${aliasIds})`;
  expect(lanes[0].used).toBe(LEADS);
  sending.api.advance(86_400);
  await rounds(20);
  expect([...received().values()].map(({ length }) => length)).toEqual(Array(LEADS).fill(2));
  const [{ status }] = await query`select status from campaigns where id = ${campaignId}`;
  expect(status).toBe("completed");
});

test("a person settles what nothing tells of: sent, and the lead goes on; not sent, and it is", async () => {
  const { campaignLeadIds, since, before } = await loseMinutes();
  await admin("--since", since.toISOString());
  const lines = await listed();
  const to = new Set(sending.mailbox.wireLog().map(({ envelope }) => envelope.to[0]!));
  const sent = lines.find(([, address]) => to.has(address!))!;
  const unsent = lines.find(([, address]) => !to.has(address!))!;
  await admin("--sent", sent[0]!);
  await admin("--again", unsent[0]!);
  const leads = await Promise.all(campaignLeadIds.map(sending.leadOf));
  const leadOf = (line: string[]) => leads.find(({ email }) => email === line[1]);
  expect(leadOf(sent)).toMatchObject({ status: "active", current_step: 1, next_step: 2 });
  expect(leadOf(unsent)).toMatchObject({ status: "pending", alias_id: null, next_step: 1 });
  await expect(admin("--again", sent[0]!)).rejects.toThrow("none of --list");
  sending.api.advance(140);
  // Behind those that have been due for longer.
  await rounds(6);
  expect(doubled()).toEqual([]);
  expect(received().has(unsent[1]!)).toBe(true);
  expect(before).toBeGreaterThan(0);
  // Put back once more, before all of it was settled.
  expect((await listed()).length).toBeGreaterThan(0);
  const again = new Date(now().getTime() - 1_000).toISOString();
  expect(await admin("--since", again)).toContain("may have gone out since");
});

test("an answer to a forgotten message is known by its Message-ID, and ends its lead", async () => {
  const { campaignLeadIds, aliasIds, since } = await loseMinutes();
  await admin("--since", since.toISOString());
  const last = sending.mailbox.wireLog().at(-1)!;
  const [address] = last.envelope.to;
  const [{ email }] = await query`select email from mail_aliases where id = ${aliasIds[0]}`;
  const reply = rawMail({
    from: address!,
    to: email,
    headers: [`In-Reply-To: ${last.message_id}`],
    body: "Yes, please.",
  });
  const envelope = { from: address! };
  expect((await postMail(sending.api, reply, email, envelope)).status).toBeLessThan(300);
  const leads = await Promise.all(campaignLeadIds.map(sending.leadOf));
  expect(leads.find((lead) => lead.email === address)).toMatchObject({
    status: "replied",
    current_step: 1,
  });
});

test("where the next step may have followed at once, the lead waits for a person", async () => {
  const { since } = await loseMinutes([{ delayDays: 0 }, { delayDays: 0 }]);
  await admin("--since", since.toISOString());
  const log = await relayLog();
  await admin("--log", log).finally(() => rm(log));
  sending.api.advance(140);
  await rounds(5);
  const twice = (address: string) =>
    received()
      .get(address)!
      .map(({ message_id }) => message_id);
  for (const address of received().keys()) {
    const ids = twice(address);
    expect(new Set(ids).size).toBe(ids.length);
  }
  const waiting = (await listed()).filter((line) => line[3]!.startsWith("the lead waits"));
  expect(waiting.length).toBeGreaterThan(0);
  for (const [id, address] of waiting)
    await admin(twice(address!).length > 1 ? "--sent" : "--again", id!);
  await admin("--again", ...(await listed()).map(([id]) => id!));
  await rounds(40);
  expect([...received().values()].map(({ length }) => length)).toEqual(Array(LEADS).fill(2));
});

test("a step that followed one whose end was not known yet is not sent again by itself", async () => {
  const { api, mailbox } = sending;
  const { campaignLeadIds, campaignId } = await sending.campaign(tenant, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  mailbox.faults.order("close_after_dot", 1);
  await rounds(1);
  const state = async () =>
    (await query`select step, state from sends where campaign_id = ${campaignId} order by step`)
      .map((send) => `${send.step} ${send.state}`)
      .join(", ");
  expect(await state()).toBe("1 unknown");
  api.advance(20 * 3_600);
  const since = now();
  const backup = await takeBackup(api.sql);
  api.advance(5 * 3_600);
  await rounds(2);
  expect(await state()).toBe("1 assumed_sent, 2 accepted");
  await backup.restore();
  await admin("--since", since.toISOString());
  await rounds(2);
  expect(await state()).toBe("1 assumed_sent");
  const sent = mailbox.wireLog().length;
  const [line] = await listed();
  expect(line).toMatchObject([campaignLeadIds[0], expect.any(String), "step 2 of Test", /./]);
  await admin("--sent", line![0]!);
  await rounds(2);
  expect([await state(), mailbox.wireLog().length]).toEqual(["1 assumed_sent, 2 accepted", sent]);
});

test("single messages, posts and launches that were due are not done again by themselves", async () => {
  const { api } = sending;
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 1 });
  const since = now();
  const email = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasIds[0],
    to_email: "friend@example.zz",
    subject: "Hello",
    body: "Hello",
    send_at: new Date(since.getTime() + 120_000).toISOString(),
  });
  expect(email.status).toBeLessThan(300);
  const { rows } = await api.sql.query(
    `insert into social_posts (id, workspace_id, user_id, created_at, updated_at, text, status, due_at, attachments, is_repost, retry_count,
       impressions, reactions, comments, reposts)
     values (gen_random_uuid(), $1, $2, $3, $3, 'News', 'scheduled', $3, '[]', false, 0, 0, 0, 0, 0) returning id`,
    [tenant.workspaceId, tenant.userId, since],
  );
  await query`update campaigns set status = 'scheduled', start_date = ${since}, launched_at = null where id = ${campaignId}`;
  api.advance(600);
  expect(await admin("--since", since.toISOString())).toBe(
    [
      "0 messages and actions may have gone out since; they are unknown.",
      "1 single messages are unknown; of 1 posts the network is asked.",
      "It may have started, and waits for a person: Test",
    ].join("\n"),
  );
  const [post] = await query`select status, begun_at from social_posts where id = ${rows[0].id}`;
  expect(post).toEqual({ status: "publishing", begun_at: since });
  const [campaign] =
    await query`select status, paused_reason from campaigns where id = ${campaignId}`;
  expect(campaign).toEqual({ status: "paused", paused_reason: "missed_schedule" });
  const [[id, to]] = (await listed()) as [[string, string]];
  expect([id, to]).toEqual([email.body.id, "friend@example.zz"]);
  await admin("--again", id);
  const [again] = await query`select state, error from emails where id = ${id}`;
  expect(again).toEqual({ state: "queued", error: null });
});

test("a run that ended behind its marks is finished by the same command", async () => {
  const { aliasIds, since } = await loseMinutes();
  const email = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasIds[0],
    to_email: "friend@example.zz",
    subject: "Hello",
    body: "Hello",
    send_at: new Date(now().getTime() + 60_000).toISOString(),
  });
  expect(email.status).toBeLessThan(300);
  sending.api.advance(120);
  await query`create function breaks() returns trigger language plpgsql as $$ begin raise 'the line is cut'; end $$`;
  await query`create trigger breaks before update of message_id on sends execute function breaks()`;
  await expect(admin("--since", since.toISOString())).rejects.toThrow("message_id");
  await query`drop function breaks() cascade`;
  expect((await listed()).length).toBeGreaterThan(0);

  const marked = await query`select id, attempts from sends where state = 'unknown' order by id`;
  expect(await admin("--since", since.toISOString())).toContain("are described");
  expect(await query`select id, attempts from sends where state = 'unknown' order by id`).toEqual(
    marked,
  );
  const lines = await listed();
  expect(lines.filter(([, , , name]) => !name!.startsWith("<"))).toEqual([]);
  expect(lines.map(([id]) => id)).toContain(email.body.id);
  await expect(admin("--since", since.toISOString())).rejects.toThrow("done before");
  await admin("--again", ...lines.map(([id]) => id!));
});
