import { describe, expect, test } from "vitest";
import type { AccountRow } from "#db/network/accounts.ts";
import {
  hear,
  insertAccount,
  putOnNetwork,
  recordNetworkSend,
} from "../../support/network-talk.ts";
import { saveMessage } from "#src/domain/network/save-message.ts";
import { meetAtRow } from "../../support/locks.ts";
import { readOutbox } from "../../support/notices.ts";
import { postMail, rawMail } from "../../support/incoming.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const STEPS = [{ delayDays: 0 }, { delayDays: 1 }, { delayDays: 1 }];
const ADA = { slug: "ada-lovelace", personId: "person-ada" };

/** A campaign with one lead, who is on the network. */
async function campaignWith(person: { slug: string; personId?: string | null } = ADA) {
  const rows = await sending.campaign(tenant, { leads: 1, steps: STEPS });
  const [campaignLeadId] = rows.campaignLeadIds;
  await putOnNetwork(sending.api.sql, campaignLeadId!, person);
  return { ...rows, campaignLeadId: campaignLeadId!, lead: () => sending.leadOf(campaignLeadId!) };
}
const account = () => insertAccount(sending.api, tenant);
const ada = (to: AccountRow, text = "Sounds good, call me.", more = {}) =>
  hear(sending.api.deps, to, { personId: ADA.personId, name: "Ada Lovelace", text, ...more });
const conversations = async () => (await tenant.call("GET", "/api/v1/conversations")).body.items;
const thread = async (id: string) =>
  (await tenant.call("GET", `/api/v1/conversations/${id}`)).body.messages;
const owed = async () =>
  (
    await sending.api.sql.query(
      "select kind, payload from outbox where workspace_id = $1 and kind like '%reply' order by created_at",
      [tenant.workspaceId],
    )
  ).rows;
const suppressions = async () =>
  (
    await sending.api.sql.query("select value, reason from suppressions where workspace_id = $1", [
      tenant.workspaceId,
    ])
  ).rows;
const campaignStatus = async (id: string) =>
  (await tenant.call("GET", `/api/v1/campaigns/${id}`)).body.status;

describe("an answer on the network", () => {
  test("ends the lead as a reply by mail does: nothing more is sent, one notice is owed, the campaign completes", async () => {
    const { campaignId, campaignLeadId, lead } = await campaignWith();
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(1);
    const to = await account();
    expect(await ada(to)).toBe(true);
    expect(await lead()).toMatchObject({
      status: "replied",
      stop_reason: "replied",
      next_step: null,
    });
    expect(await campaignStatus(campaignId)).toBe("completed");
    sending.api.advance(3 * 86_400);
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(1);
    expect(await owed()).toMatchObject([
      {
        kind: "lead_reply",
        payload: { campaign_id: campaignId, campaign_lead_id: campaignLeadId },
      },
    ]);
  });

  test("stands in the lead's one thread, beside the mail and what the account sent there", async () => {
    const { campaignLeadId } = await campaignWith();
    await sending.tick();
    const to = await account();
    const at = new Date(sending.api.deps.clock.now().getTime() + 60_000);
    const { sql } = sending.api;
    await recordNetworkSend(sql, {
      campaignLeadId,
      laneId: to.id,
      at,
      html: "Hi &lt;Ada&gt;",
      budget: "connection",
    });
    await recordNetworkSend(sql, { campaignLeadId, laneId: to.id, at, step: 3, html: null });
    const bare = { campaignLeadId, laneId: to.id, at: new Date(at.getTime() + 1_000), html: null };
    await recordNetworkSend(sql, { ...bare, step: 4, budget: "connection" });
    sending.api.advance(120);
    await ada(to);
    const [conversation, ...others] = await conversations();
    expect(others).toEqual([]);
    const messages = await thread(conversation.id);
    expect(messages.map(({ expired }: { expired: boolean }) => expired)).not.toContain(true);
    expect(
      messages.map(({ direction, from, to, class: name, text }: Record<string, string>) => [
        direction,
        from,
        to,
        name,
        text,
      ]),
    ).toEqual([
      [
        "out",
        expect.stringMatching(/@sender\.zz$/),
        ["lead1@example.zz"],
        "sent",
        expect.stringContaining("Step 1"),
      ],
      [
        "out",
        "https://www.linkedin.com/in/sender",
        ["https://www.linkedin.com/in/ada-lovelace"],
        "connection_request",
        "Hi <Ada>",
      ],
      [
        "out",
        "https://www.linkedin.com/in/sender",
        ["https://www.linkedin.com/in/ada-lovelace"],
        "connection_request",
        "",
      ],
      [
        "in",
        "https://www.linkedin.com/in/ada-lovelace",
        ["https://www.linkedin.com/in/sender"],
        "reply",
        "Sounds good, call me.",
      ],
    ]);
  });

  test("to a lead that is known by their page alone is matched by it, whatever its form", async () => {
    const { lead } = await campaignWith({ slug: "Ada-Lovelace" });
    const to = await account();
    await ada(to, "Hi", {
      personId: "never-seen",
      profileUrl: "http://de.linkedin.com/in/ada-lovelace/?trk=x",
    });
    expect(await lead()).toMatchObject({ status: "replied" });
  });

  test("stops the person in every campaign that stops at replies, by address and by page, and no other", async () => {
    const first = await campaignWith();
    const sameAddress = await campaignWith({ slug: "someone-else", personId: null });
    const samePage = await campaignWith({ slug: "ada-lovelace", personId: null });
    await sending.api.sql.query(
      "update campaign_leads set email = null, email_key = null where id = $1",
      [samePage.campaignLeadId],
    );
    const goesOn = await campaignWith();
    await sending.api.sql.query("update campaigns set stop_on_reply = false where id = $1", [
      goesOn.campaignId,
    ]);
    const stranger = await sending.campaign(tenant, { leads: 1, domain: "other.zz" });
    await ada(await account());
    const statuses = await Promise.all([
      ...[first, sameAddress, samePage, goesOn].map(async ({ lead }) => (await lead()).status),
      (async () => (await sending.leadOf(stranger.campaignLeadIds[0]!)).status)(),
    ]);
    expect(statuses).toEqual(["replied", "replied", "replied", "pending", "pending"]);
    expect(await owed()).toHaveLength(1);
  });

  test("is about the campaign whose account wrote last", async () => {
    const older = await campaignWith();
    const newer = await campaignWith();
    const to = await account();
    const now = sending.api.deps.clock.now();
    const { sql } = sending.api;
    const before = new Date(now.getTime() - 60_000);
    const answered = await recordNetworkSend(sql, {
      campaignLeadId: older.campaignLeadId,
      laneId: to.id,
      at: now,
    });
    await recordNetworkSend(sql, {
      campaignLeadId: newer.campaignLeadId,
      laneId: to.id,
      at: before,
    });
    await ada(to);
    expect(await conversations()).toMatchObject([
      { campaign_id: older.campaignId, channel: "socialnet" },
    ]);
    const { rows } = await sql.query(
      "select id from sends where replied_at is not null and workspace_id = $1",
      [tenant.workspaceId],
    );
    expect(rows).toEqual([{ id: answered }]);
  });

  test("that comes before the send is recorded ends the lead, and the send that ends later changes nothing", async () => {
    const { campaignLeadId, lead } = await campaignWith();
    const to = await account();
    const send = await recordNetworkSend(sending.api.sql, {
      campaignLeadId,
      laneId: to.id,
      step: 1,
      at: sending.api.deps.clock.now(),
    });
    await sending.api.sql.query(
      "update sends set state = 'transmitting', accepted_at = null, message_id = null where id = $1",
      [send],
    );
    await sending.api.sql.query(
      "update campaign_leads set status = 'active', next_action_at = null where id = $1",
      [campaignLeadId],
    );
    await ada(to);
    expect(await lead()).toMatchObject({ status: "replied", next_step: null });
  });

  test("at a company where replies stop everybody stops colleagues of that campaign", async () => {
    const rows = await sending.campaign(tenant, { leads: 2, steps: STEPS, domain: "corp.zz" });
    await sending.api.sql.query("update campaigns set stop_on_company_reply = true where id = $1", [
      rows.campaignId,
    ]);
    await putOnNetwork(sending.api.sql, rows.campaignLeadIds[0]!, ADA);
    await ada(await account());
    expect((await sending.leadOf(rows.campaignLeadIds[1]!)).status).toBe("replied");
  });
});

describe("words that ask for no more", () => {
  test("suppress every address that is known of them, and end them everywhere", async () => {
    const { lead } = await campaignWith();
    const goesOn = await campaignWith();
    await sending.api.sql.query("update campaigns set stop_on_reply = false where id = $1", [
      goesOn.campaignId,
    ]);
    await ada(await account(), "Please remove me from your list and do not contact me again.");
    expect(await lead()).toMatchObject({ status: "unsubscribed", stop_reason: "unsubscribed" });
    expect(await goesOn.lead()).toMatchObject({ status: "unsubscribed" });
    expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "unsubscribe" }]);
  });

  test("that may mean something else suppress nobody and are shown to a person", async () => {
    const { lead } = await campaignWith();
    await ada(await account(), "Please do not write to me so often.");
    expect(await lead()).toMatchObject({ status: "replied" });
    expect(await suppressions()).toEqual([]);
    const [{ id }] = await conversations();
    expect(await thread(id)).toMatchObject([{ class: "possible_opt_out" }]);
  });
});

describe("somebody who is no lead", () => {
  test("has a thread of their own, and is told of once they answer what was said to them", async () => {
    const to = await account();
    await hear(sending.api.deps, to, {
      personId: "person-eve",
      name: "Eve",
      text: "Buy my things",
    });
    await hear(sending.api.deps, to, { personId: "person-eve", name: "Eve", text: "Please" });
    const [conversation, ...others] = await conversations();
    expect([conversation, others]).toMatchObject([
      { channel: "socialnet", lead_id: null, unread: true },
      [],
    ]);
    expect(await thread(conversation.id)).toMatchObject([{ from: "Eve" }, { text: "Please" }]);
    expect(await owed()).toEqual([]);
  });
});

test("first words to one person at once are one thread", async () => {
  const to = await account();
  const peer = { personId: "person-eve", chatId: "c", name: "Eve", profileUrl: null };
  const keep = (n: number) => () =>
    saveMessage(
      sending.api.deps,
      to,
      { peer, leads: [], text: `Hello ${n}` },
      { messageId: `out-${n}`, chatId: "c" },
    );
  // The last that each of them does is to count.
  const lane = "select 1 from sender_lanes where id = $1 for update";
  const kept = await meetAtRow(sending.api.sql, lane, [to.id], [keep(1), keep(2), keep(3)]);
  expect(kept).toEqual([true, true, true]);
  const [{ id }, ...others] = await conversations();
  expect(others).toEqual([]);
  expect(await thread(id)).toHaveLength(3);
});

test("a notice says who answered and where to read it: by address, or else by page", async () => {
  const { campaignLeadId } = await campaignWith();
  await sending.api.sql.query(
    "update campaign_leads set email = null, email_key = null where id = $1",
    [campaignLeadId],
  );
  const to = await account();
  const eve = { personId: "person-eve", profileUrl: "https://www.linkedin.com/in/eve" };
  const said = { peer: { ...eve, chatId: "c", name: null }, leads: [], text: "Hello" };
  await saveMessage(sending.api.deps, to, said, { messageId: "out-1", chatId: "c" });
  await ada(to, "Call me.");
  await hear(sending.api.deps, to, { ...eve, text: "And me." });
  await readOutbox(sending);
  const told = (await sending.mailbox.messages()).map(({ text }) => text).join("\n");
  for (const words of [
    "Lead 1 <https://www.linkedin.com/in/ada-lovelace> replied",
    "https://www.linkedin.com/in/eve replied",
    "Call me.",
    "And me.",
  ])
    expect(told).toContain(words);
});

describe("the same again", () => {
  test("twenty times at once is one message, one notice", async () => {
    await campaignWith();
    const to = await account();
    const kept = await Promise.all(
      Array.from({ length: 20 }, () => ada(to, "Hello", { messageId: "the-same" })),
    );
    expect(kept).toContain(true);
    const [{ id }] = await conversations();
    expect(await thread(id)).toHaveLength(1);
    expect(await owed()).toHaveLength(1);
  });

  test("does not end a lead whom somebody has put back meanwhile", async () => {
    // Another lead is under way, so that the campaign is too.
    const rows = await sending.campaign(tenant, { leads: 2, steps: STEPS });
    const [campaignLeadId] = rows.campaignLeadIds;
    const { campaignId } = rows;
    const lead = () => sending.leadOf(campaignLeadId!);
    await putOnNetwork(sending.api.sql, campaignLeadId!, ADA);
    await sending.tick();
    const to = await account();
    await ada(to, "Hello", { messageId: "the-same" });
    const at = `/api/v1/campaigns/${campaignId}/leads/${campaignLeadId}/mark`;
    expect((await tenant.call("POST", at, { as: "not_replied" })).status).toBe(200);
    const put = (await lead()).status;
    expect(put).not.toBe("replied");
    expect(await ada(to, "Hello", { messageId: "the-same" })).toBe(false);
    expect((await lead()).status).toBe(put);
  });

  test("twenty strangers' first words at once are twenty threads, and one stranger's are one", async () => {
    const to = await account();
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        hear(sending.api.deps, to, {
          personId: n % 2 === 0 ? "one" : `person-${n}`,
          text: `Hi ${n}`,
        }),
      ),
    );
    expect(await conversations()).toHaveLength(21);
  });

  test("late ones stand where they were said, and none after now", async () => {
    const to = await account();
    const now = sending.api.deps.clock.now().getTime();
    const said = (text: string, at: number) =>
      hear(sending.api.deps, to, { personId: "eve", text, at: new Date(at) });
    await said("second", now - 60_000);
    await said("first", now - 120_000);
    await said("from the future", now + 86_400_000);
    const [{ id, last_message_at: last }] = await conversations();
    expect((await thread(id)).map(({ text }: { text: string }) => text)).toEqual([
      "first",
      "second",
      "from the future",
    ]);
    expect(Date.parse(last)).toBeLessThan(now + 60_000);
  });
});

test("what a stranger writes is kept as text, bounded, whatever it holds", async () => {
  const to = await account();
  await hear(sending.api.deps, to, {
    personId: "eve",
    name: "E\u0000ve".repeat(2_000),
    text: `a\u0000b\ud800c ${"x".repeat(300_000)}`,
  });
  const [{ id }] = await conversations();
  const [message] = await thread(id);
  expect(message.text.startsWith("ab\ufffdc")).toBe(true);
  expect(message.text.length).toBeLessThanOrEqual(100_000);
  expect(message.from.length).toBeLessThanOrEqual(2_000);
});

test("a reply by mail stops the same person where only the network knows them", async () => {
  const byMail = await campaignWith();
  const byNetwork = await campaignWith();
  await sending.api.sql.query(
    "update campaign_leads set email = null, email_key = null, next_action_at = next_action_at + interval '1 day' where id = $1",
    [byNetwork.campaignLeadId],
  );
  await sending.tick();
  const [send] = await sending.sendsOf(byMail.campaignId);
  const { rows } = await sending.api.sql.query("select email from mail_aliases where id = $1", [
    byMail.aliasIds[0],
  ]);
  const raw = rawMail({
    from: "Ada <lead1@example.zz>",
    to: rows[0].email,
    headers: [`In-Reply-To: <${send.message_id}>`],
    body: "Call me.",
  });
  await postMail(sending.api, raw, rows[0].email, { from: "lead1@example.zz" });
  expect((await byMail.lead()).status).toBe("replied");
  expect((await byNetwork.lead()).status).toBe("replied");
});

test("erasing a person takes what they said on the network, and by whom it knew them", async () => {
  const { campaignLeadId, leadIds, lead } = await campaignWith();
  await sending.api.sql.query(
    "update leads set profile_url = 'https://linkedin.com/in/ada-lovelace' where id = $1",
    [leadIds[0]],
  );
  const to = await account();
  await ada(to);
  // Before she was anybody's lead.
  await sending.api.sql.query(
    "update campaign_leads set profile_url = null, person_id = null where id = $1",
    [campaignLeadId],
  );
  await hear(sending.api.deps, to, {
    personId: "another-id",
    profileUrl: "https://www.linkedin.com/in/Ada-Lovelace",
    text: "Secret",
  });
  await putOnNetwork(sending.api.sql, campaignLeadId, ADA);
  await hear(sending.api.deps, to, { personId: "person-eve", text: "Stays" });
  expect(
    (await tenant.call("POST", "/api/v1/leads/erase", { email: "lead1@example.zz" })).status,
  ).toBe(200);
  const left = await conversations();
  expect(left).toHaveLength(1);
  expect(await thread(left[0].id)).toMatchObject([{ text: "Stays" }]);
  expect(await lead()).toMatchObject({ person_id: null, connected_at: null, profile_url: null });
});
