/** Single mails, and what comes back, at the instant of an erasure: nothing names the person after. */
import { describe, expect, test } from "vitest";
import { rememberPerson } from "#db/network/people.ts";
import { saveReply } from "#db/network/reply.ts";
import { ERASED_WORDS } from "#db/engine/index.ts";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { bounceMail, postMail, rawMail } from "../../../support/incoming.ts";
import { meetAtRow } from "../../../support/locks.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { relayThatWaits } from "./relay.ts";
import { ANSWERS, EMAIL, erase, NAME, nothingNamesThem, query } from "./setting.ts";

useSending();

const aliasOf = async (smtp: { host: string; port: number } = sending.mailbox.smtp) =>
  (await sending.campaign(tenant, { leads: 0, smtp })).aliasIds[0]!;
const ask = async (aliasId: string, more: object = {}) => {
  const mail = { alias_id: aliasId, to_email: EMAIL, subject: NAME, body: NAME, ...more };
  return (await tenant.call("POST", "/api/v1/mailer/emails", mail)).body;
};
const rowOf = async (id: string) => (await query`select * from emails where id = ${id}`)[0];
const EMAIL_ROW = "select 1 from emails where id = $1 for update";

describe("who is erased while a single mail to them is handed over", () => {
  test.each(ANSWERS)("to a server that %s", async (_how, command, words) => {
    const relay = await relayThatWaits(command);
    const { id } = await ask(await aliasOf(relay.smtp));
    const delivering = deliverEmail(sending.api.deps, id);
    await relay.asked;
    await erase(tenant);
    relay.answer(words);
    await delivering;
    await nothingNamesThem();
    const { state, error } = await rowOf(id);
    expect([state, error]).toEqual(endOf(words));
    expect(await deliverEmail(sending.api.deps, id)).toBe("taken");
    expect(
      await query`select 1 from conversation_messages where workspace_id = ${tenant.workspaceId}`,
    ).toEqual([]);
  });

  /** What was put off is not tried again. */
  function endOf(words: string): [string, string | null] {
    if (words.startsWith("250")) return ["sent", null];
    return [words.startsWith("4") ? "cancelled" : "failed", ERASED_WORDS];
  }

  test.each(ANSWERS)("at once, to a server that %s", async (_how, command, words) => {
    const relay = await relayThatWaits(command);
    const { id } = await ask(await aliasOf(relay.smtp));
    const delivering = deliverEmail(sending.api.deps, id);
    await relay.asked;
    const erased = () => erase(tenant);
    await meetAtRow(sending.api.sql, EMAIL_ROW, [id], [erased, async () => relay.answer(words)]);
    await delivering;
    await nothingNamesThem();
  });
});

describe("who is erased while a mail to them is asked for", () => {
  /** Judged while an erasure that is not committed yet holds the suppressions. */
  const meet = async (leadId: string, send: () => Promise<{ status: number; body: unknown }>) => {
    const lock = "select 1 from leads where id = $1 for update";
    const erased = () => erase(tenant);
    const [, sent] = await meetAtRow(sending.api.sql, lock, [leadId], [erased, send]);
    return sent as { status: number; body: Record<string, unknown> };
  };
  const keptOf = async () =>
    await query`select state, to_email, subject, body from emails where workspace_id = ${tenant.workspaceId} order by id`;
  const NOBODY = { state: "suppressed", to_email: "", subject: "", body: "" };

  test("by itself: it is answered as a mail to somebody who was erased before", async () => {
    const { leadIds, aliasIds } = await sending.campaign(tenant, { leads: 1 });
    const mail = { alias_id: aliasIds[0], to_email: EMAIL, subject: NAME, body: NAME };
    const { status, body } = await meet(leadIds[0]!, () =>
      tenant.call("POST", "/api/v1/mailer/emails", mail),
    );
    expect([status, body["status"]]).toEqual([200, "suppressed"]);
    await nothingNamesThem();
    expect(await keptOf()).toEqual([NOBODY]);
  });

  test("among others, which go", async () => {
    const { leadIds, aliasIds } = await sending.campaign(tenant, { leads: 1 });
    const to = (email: string) => ({
      alias_id: aliasIds[0],
      to_email: email,
      subject: "Hi",
      body: "Hi",
    });
    const emails = [to(EMAIL), to("other@example.zz")];
    const { status } = await meet(leadIds[0]!, () =>
      tenant.call("POST", "/api/v1/mailer/emails/batch", { emails }),
    );
    expect(status).toBe(202);
    await nothingNamesThem();
    expect(await keptOf()).toMatchObject([
      NOBODY,
      { state: "queued", to_email: "other@example.zz" },
    ]);
  });

  test.each([false, true])(
    "as an answer: the thread is gone (to what it had read: %s)",
    async (isLast) => {
      const { leadIds, aliasIds } = await sending.campaign(tenant, { leads: 1 });
      const { id, conversation_id: thread } = await ask(aliasIds[0]!);
      await deliverEmail(sending.api.deps, id);
      const path = `/api/v2/conversations/${thread}`;
      const { body: read } = await tenant.call("GET", path);
      const order = { body: NAME, ...(isLast && { if_last_message_id: read.messages.at(-1).id }) };
      const { status, body } = await meet(leadIds[0]!, () =>
        tenant.call("POST", `${path}/reply`, order),
      );
      expect(status).toBe(404);
      expect(JSON.stringify(body)).not.toContain(NAME);
      await nothingNamesThem();
      expect(await keptOf()).toHaveLength(1);
    },
  );
});

describe("who is erased while something comes back about them", () => {
  const addressOf = async (aliasId: string): Promise<string> =>
    (await query`select email from mail_aliases where id = ${aliasId}`)[0].email;

  /** A mail and a message of a campaign that went to them. */
  const SENT: [
    string,
    () => Promise<{ to: string; messageId: string; lock: string; id: string }>,
  ][] = [
    [
      "a single mail",
      async () => {
        const aliasId = await aliasOf();
        const { id } = await ask(aliasId);
        await deliverEmail(sending.api.deps, id);
        const { message_id: messageId } = await rowOf(id);
        return { to: await addressOf(aliasId), messageId, lock: EMAIL_ROW, id };
      },
    ],
    [
      "a campaign's message",
      async () => {
        const { campaignId, aliasIds, leadIds } = await sending.campaign(tenant, { leads: 1 });
        await sending.tick();
        const [{ message_id: messageId }] = await sending.sendsOf(campaignId);
        const lock = "select 1 from leads where id = $1 for update";
        return { to: await addressOf(aliasIds[0]!), messageId, lock, id: leadIds[0]! };
      },
    ],
  ];
  const BACK: [string, (to: string, messageId: string) => string][] = [
    [
      "a reply",
      (to, messageId) =>
        rawMail({
          from: `${NAME} <${EMAIL}>`,
          to,
          headers: [`In-Reply-To: <${messageId}>`],
          body: `Yours, ${NAME}`,
        }),
    ],
    [
      "a report",
      (to, messageId) =>
        bounceMail({
          to,
          recipient: EMAIL,
          status: "5.1.1",
          diagnostic: `550 5.1.1 <${EMAIL}> unknown`,
          originalMessageId: messageId,
        }),
    ],
  ];
  const CASES = SENT.flatMap(([what, sent]) =>
    BACK.map(([back, mail]) => [back, what, sent, mail] as const),
  );

  test.each(CASES)("%s to %s, at once", async (_back, _what, sent, mail) => {
    const { to, messageId, lock, id } = await sent();
    const take = () => postMail(sending.api, mail(to, messageId), to, { from: EMAIL });
    const erased = () => erase(tenant);
    const [, taken] = await meetAtRow(sending.api.sql, lock, [id], [erased, take]);
    expect(taken).toMatchObject({ status: 200 });
    await nothingNamesThem();
    expect(await query`select kind from outbox where workspace_id = ${tenant.workspaceId}`).toEqual(
      [],
    );
  });

  test.each(CASES)("%s to %s, after it", async (_back, _what, sent, mail) => {
    const { to, messageId } = await sent();
    await erase(tenant);
    const taken = await postMail(sending.api, mail(to, messageId), to, { from: EMAIL });
    expect(taken.status).toBe(200);
    await nothingNamesThem();
  });

  test("what a network says of them, to who had read them before", async () => {
    const { campaignId, campaignLeadIds, leadIds, aliasIds } = await sending.campaign(tenant, {
      leads: 1,
    });
    await erase(tenant);
    const { db, clock } = sending.api.deps;
    const { workspaceId, userId } = tenant;
    const lead = { id: campaignLeadIds[0]!, leadId: leadIds[0]!, campaignId, sendId: null };
    await rememberPerson(db, lead.id, { personId: NAME, connectedAt: null });
    const account = { id: aliasIds[0]!, workspaceId, userId };
    const now = clock.now();
    await saveReply(
      db,
      { account, conversationId: crypto.randomUUID(), peerKey: EMAIL, lead },
      {
        id: crypto.randomUUID(),
        direction: "in",
        class: "reply",
        from: NAME,
        to: "Owner",
        text: NAME,
        sentAt: now,
        messageId: "said",
        now,
      },
      { leads: [], companyDomain: null, optOut: null },
    );
    await nothingNamesThem();
  });
});
