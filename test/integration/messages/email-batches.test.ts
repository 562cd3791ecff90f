import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { suppress } from "../../support/campaigns.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { statements } from "../../support/statements.ts";

const PATH = "/api/v1/mailer/emails/batch";

useSending();
const query = queryOf(() => sending.api.sql);
let aliasId: string;
beforeEach(async () => {
  sending.api.forgetQuotas();
  await query`delete from emails`;
  await query`delete from conversations`;
  [aliasId] = (await sending.campaign(tenant, { leads: 0 })).aliasIds as [string];
});

const wish = (no: number, more: object = {}) => ({
  alias_id: aliasId,
  to_email: `person${no}@example.zz`,
  subject: `Question ${no}`,
  body: "Hello",
  ...more,
});
const wishes = (count: number) => Array.from({ length: count }, (_, no) => wish(no));
const send = (emails: object[], mode?: string, call = tenant.call) =>
  call("POST", PATH, { emails, ...(mode === undefined ? {} : { mode }) });
const kept = async () => ({
  emails: await query`select to_email, state from emails order by id`,
  conversations: (await query`select count(*)::int as n from conversations`)[0].n,
});
const NOTHING = { emails: [], conversations: 0 };

test("a hundred are saved by a handful of requests to the database, queued in order, and delivered", async () => {
  await tenant.call("GET", "/api/v1/mailer/emails");
  const count = await statements(sending.api);
  sending.api.qstash.log.clear();
  const reply = await send(wishes(100));
  expect([reply.status, reply.body.accepted, reply.body.refused]).toEqual([202, 100, 0]);
  // The key's check, alias, recipients and the messages.
  expect(count()).toBeLessThanOrEqual(6);
  const asked = sending.api.qstash.log.entries().map(({ summary }) => summary);
  expect(
    asked.filter((each) => each.includes("send-email") || each.includes("batch")),
  ).toHaveLength(1);
  const { results } = reply.body;
  expect(results.map(({ index }: { index: number }) => index)).toEqual([...Array(100).keys()]);
  const { emails, conversations } = await kept();
  expect([emails.length, conversations]).toEqual([100, 100]);
  const first = (await tenant.call("GET", `/api/v1/mailer/emails/${results[7].id}`)).body;
  expect([first.to_email, first.subject, first.status]).toEqual([
    "person7@example.zz",
    "Question 7",
    "queued",
  ]);
  expect(await deliverEmail(sending.api.deps, results[7].id)).toBe("sent");
  const [message] = await sending.mailbox.messages();
  expect(message!.subject).toBe("Question 7");
});

describe("one that is refused", () => {
  const refused = () => [
    [wish(1, { alias_id: randomUUID() }), 404, "MAIL_ALIAS_NOT_FOUND"],
    [wish(1, { conversation_id: randomUUID() }), 404, "CONVERSATION_NOT_FOUND"],
  ];

  test("refuses all in a strict batch, by its place, and nothing is kept", async () => {
    for (const [bad, status, code] of refused()) {
      const reply = await send([wish(0), bad as object, wish(2)]);
      expect([reply.status, reply.body.detail, reply.body.index]).toEqual([status, code, 1]);
      expect(reply.body.message).toMatch(/^emails\[1\]: /);
      expect(await kept()).toEqual(NOTHING);
    }
  });

  test("refuses itself alone in a permissive one", async () => {
    await query`update mail_aliases set status = 'error' where id = ${(await sending.campaign(tenant, { leads: 0 })).aliasIds[0]}`;
    const [{ id: broken }] = await query`select id from mail_aliases where status = 'error'`;
    const bad = [...refused().map(([each]) => each as object), wish(1, { alias_id: broken })];
    const reply = await send([wish(0), ...bad, wish(2)], "permissive");
    expect([reply.status, reply.body.accepted, reply.body.refused]).toEqual([202, 2, 3]);
    expect(reply.body.results.map(({ code }: { code: string }) => code)).toEqual([
      null,
      "MAIL_ALIAS_NOT_FOUND",
      "CONVERSATION_NOT_FOUND",
      "ALIAS_NOT_READY",
      null,
    ]);
    expect((await kept()).emails.map(({ to_email: to }: { to_email: string }) => to)).toEqual([
      "person0@example.zz",
      "person2@example.zz",
    ]);
  });

  test("leaves nothing where all are", async () => {
    const reply = await send([wish(1, { alias_id: randomUUID() })], "permissive");
    expect([reply.status, reply.body.accepted]).toEqual([202, 0]);
    expect(await kept()).toEqual(NOTHING);
  });
});

test("a suppressed recipient is an answer in either mode, and the others are sent", async () => {
  await suppress(sending.api.sql, tenant, "email", "person1@example.zz");
  for (const mode of ["strict", "permissive"]) {
    const reply = await send(wishes(3), mode);
    expect(reply.body.results.map(({ status }: { status: string }) => status)).toEqual([
      "queued",
      "suppressed",
      "queued",
    ]);
  }
});

test("who was erased is kept nowhere, between others who are", async () => {
  await tenant.call("POST", "/api/v1/leads/erase", { email: "person1@example.zz" });
  expect((await send(wishes(3))).body.accepted).toBe(3);
  const { emails, conversations } = await kept();
  expect(emails).toEqual([
    { to_email: "person0@example.zz", state: "queued" },
    { to_email: "", state: "suppressed" },
    { to_email: "person2@example.zz", state: "queued" },
  ]);
  expect(conversations).toBe(2);
});

test("two to one person, and two in one conversation, are two messages", async () => {
  const { body } = await tenant.call("POST", "/api/v1/mailer/emails", wish(1));
  const answer = wish(1, { conversation_id: body.conversation_id });
  const reply = await send([wish(1), wish(1), answer, answer]);
  expect(reply.body.accepted).toBe(4);
  const { emails, conversations } = await kept();
  expect([emails.length, conversations]).toEqual([5, 3]);
});

test("what does not fit its schema refuses all, in either mode, and names its place", async () => {
  for (const emails of [[], wishes(101), [wish(0), wish(1, { to_email: "nobody" })], [{}], "x"])
    for (const mode of ["strict", "permissive"]) {
      sending.api.forgetQuotas();
      expect((await send(emails as object[], mode)).status).toBe(422);
    }
  sending.api.forgetQuotas();
  const reply = await send([wish(0), wish(1, { to_email: "nobody" })], "permissive");
  expect(reply.body.details[0].loc).toEqual(["body", "emails", "1", "to_email"]);
  expect((await send(wishes(1), "loose")).status).toBe(422);
  expect(await kept()).toEqual(NOTHING);
});

test("a seventh batch in a minute is refused, and nothing of it is kept", async () => {
  for (let no = 0; no < 6; no++) expect((await send([wish(no)])).status).toBe(202);
  const reply = await send([wish(7)]);
  expect([reply.status, (await kept()).emails.length]).toEqual([429, 6]);
});

test("of several at once with one Idempotency-Key one is sent", async () => {
  const call = (emails: object[]) =>
    tenant.call("POST", PATH.replace("v1", "v2"), { emails }, { "idempotency-key": "once" });
  const replies = await Promise.all(Array.from({ length: 5 }, () => call(wishes(3))));
  expect(replies.map(({ status }) => status).every((status) => [202, 409].includes(status))).toBe(
    true,
  );
  expect((await kept()).emails).toHaveLength(3);
});
