import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { bounceMail, complaintMail, postMail, rawMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { conversations, post, reply, sentOne, suppressions } from "./inbound-setting.ts";

useSending();

describe("a reply", () => {
  test("ends the lead and stands in its conversation, after what was sent", async () => {
    const { alias, messageId, lead } = await sentOne();
    const raw = reply(alias, messageId);
    const { status, body } = await post(raw, alias);
    expect([status, body]).toEqual([
      200,
      { duplicate: false, class: "reply", matched_by: "message_id" },
    ]);
    expect((await lead()).status).toBe("replied");
    const [conversation] = await conversations();
    expect(conversation).toMatchObject({ unread: true, channel: "email" });
    const { body: detail } = await tenant.call("GET", `/api/v1/conversations/${conversation.id}`);
    expect(
      detail.messages.map(({ direction, class: name }: { direction: string; class: string }) => [
        direction,
        name,
      ]),
    ).toEqual([
      ["out", "sent"],
      ["in", "reply"],
    ]);
    // The person's own words, without what they quote.
    expect(detail.messages[1].text.trim()).toBe("Sounds good, call me.");
  });

  test("counts once, however often it is delivered", async () => {
    const { alias, messageId } = await sentOne();
    const raw = reply(alias, messageId);
    await Promise.all([post(raw, alias), post(raw, alias)]);
    expect((await post(raw, alias)).body.duplicate).toBe(true);
    const [conversation] = await conversations();
    const { body } = await tenant.call("GET", `/api/v1/conversations/${conversation.id}`);
    expect(body.messages).toHaveLength(2);
  });

  test("without any reference is matched by who writes to which alias, and only then", async () => {
    const { alias, lead } = await sentOne();
    const bare = (from: string) =>
      rawMail({ from, to: alias, body: "Hello, about your mail: yes." });
    expect((await post(bare("stranger@example.zz"), alias)).body.matched_by).toBeNull();
    expect((await lead()).status).toBe("active");
    expect((await post(bare("lead1@example.zz"), alias)).body.matched_by).toBe("address");
    expect((await lead()).status).toBe("replied");
  });

  test("that asks for no more mail suppresses", async () => {
    const { alias, messageId, lead } = await sentOne();
    await post(reply(alias, messageId, { body: "Please remove me from your list.\r\n" }), alias);
    expect((await lead()).status).toBe("unsubscribed");
    expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "unsubscribe" }]);
  });

  test("that perhaps asks for no more mail is shown to a person as such, and suppresses nobody", async () => {
    const { alias, messageId, lead } = await sentOne();
    await post(
      reply(alias, messageId, { body: "Please don't email me until January.\r\n" }),
      alias,
    );
    expect((await lead()).status).toBe("replied");
    expect(await suppressions()).toEqual([]);
    const [conversation] = await conversations();
    expect(conversation.unread).toBe(true);
    const { body } = await tenant.call("GET", `/api/v1/conversations/${conversation.id}`);
    expect(body.messages[1]).toMatchObject({ direction: "in", class: "possible_opt_out" });
  });
});

describe("what a reply seems to say", () => {
  const one = async () => {
    const [{ id }] = await conversations();
    return (await tenant.call("GET", `/api/v1/conversations/${id}`)).body;
  };

  test("stands at it and at its conversation, until a newer one says something else", async () => {
    const { alias, messageId, lead } = await sentOne();
    await post(reply(alias, messageId, { body: "Try again next year.\r\n" }), alias);
    expect(await one()).toMatchObject({
      intent: "not_now",
      messages: [{ intent: null }, { class: "reply", intent: "not_now" }],
    });
    expect((await lead()).status).toBe("replied");
    await post(reply(alias, messageId, { body: "Noted.\r\n" }), alias);
    expect((await one()).intent).toBe("not_now");
    await post(reply(alias, messageId, { body: "I am interested after all.\r\n" }), alias);
    expect((await one()).intent).toBe("interested");
    const listed = async (intent: string) =>
      (await tenant.call("GET", `/api/v1/conversations?intent=${intent}`)).body.items.length;
    expect([await listed("interested"), await listed("not_now")]).toEqual([1, 0]);
  });

  test("is a suggestion that a person can change, and take away", async () => {
    const { alias, messageId, lead } = await sentOne();
    await post(reply(alias, messageId), alias);
    const before = await lead();
    const { id, intent } = await one();
    expect(intent).toBe("interested");
    const change = (to: unknown) =>
      tenant.call("PATCH", `/api/v1/conversations/${id}`, { intent: to });
    expect((await change("referral")).body).toMatchObject({ id, intent: "referral" });
    expect(await one()).toMatchObject({ intent: "referral", messages: [{}, { intent }] });
    expect((await change(null)).body.intent).toBeNull();
    expect((await change("bored")).status).toBe(422);
    expect(await lead()).toEqual(before);
  });

  test("is nothing where a machine answers, and leaves what a person said", async () => {
    const { alias, messageId } = await sentOne();
    const machine = { headers: ["Auto-Submitted: auto-replied", `In-Reply-To: <${messageId}>`] };
    await post(reply(alias, messageId, { ...machine, body: "I am away, interested?" }), alias);
    expect(await one()).toMatchObject({ intent: null, messages: [{}, { intent: null }] });
    await post(reply(alias, messageId), alias);
    await post(reply(alias, messageId, { ...machine, body: "I am still away." }), alias);
    expect((await one()).intent).toBe("interested");
  });
});

describe("an automatic answer", () => {
  test("holds the next step back past the day of return, and does not stop", async () => {
    const { alias, messageId, lead } = await sentOne();
    const back = new Date(Date.now() + 9 * 86_400_000);
    const day = back.toLocaleDateString("en-US", {
      month: "long",
      day: "numeric",
      year: "numeric",
      timeZone: "UTC",
    });
    const raw = reply(alias, messageId, {
      subject: "Out of office: Hello",
      headers: ["Auto-Submitted: auto-replied", `In-Reply-To: <${messageId}>`],
      body: `I am out of the office and will be back on ${day}.`,
    });
    expect((await post(raw, alias)).body.class).toBe("out_of_office");
    const { status, next_action_at: next } = await lead();
    expect(status).toBe("active");
    expect(next.toISOString().slice(0, 10)).toBe(
      new Date(Date.parse(`${back.toISOString().slice(0, 10)}T00:00:00Z`) + 86_400_000)
        .toISOString()
        .slice(0, 10),
    );
  });

  const inDays = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const away = (alias: string, headers: string[], subject: string, back: string) =>
    rawMail({
      from: "Ada <lead1@example.zz>",
      to: alias,
      subject,
      headers: ["Auto-Submitted: auto-replied", ...headers],
      body: `I am out of the office, back on ${back}.`,
    });

  test.each([
    ["half a year ahead", 180, 181],
    ["more than a year ahead, which is none,", 400, 3],
  ])("with a date %s holds the next step back", async (_, ahead, waits) => {
    const { alias, messageId, lead } = await sentOne();
    const raw = away(alias, [`In-Reply-To: <${messageId}>`], "Out of office", inDays(ahead));
    await post(raw, alias);
    const { next_action_at: next } = await lead();
    expect(next.toISOString().slice(0, 10)).toBe(inDays(waits));
  });

  test("that names no message is known by its sender and our subject, or by its sender where it names none", async () => {
    const { alias, send, lead } = await sentOne();
    const waitsUntil = async () => (await lead()).next_action_at.toISOString().slice(0, 10);
    const before = await waitsUntil();
    const others = away(alias, [], "Automatic reply: Your order of Tuesday", inDays(40));
    expect((await post(others, alias)).body).toMatchObject({
      class: "out_of_office",
      matched_by: null,
    });
    expect(await waitsUntil()).toBe(before);
    const fromLead = async (raw: string) =>
      (await postMail(sending.api, raw, alias, { from: "lead1@example.zz" })).body.matched_by;
    const ours = away(alias, [], `Automatic reply: Re: ${send.subject}`, inDays(40));
    expect(await fromLead(ours)).toBe("address");
    expect(await waitsUntil()).toBe(inDays(41));
    expect(await fromLead(away(alias, [], "Out of office", inDays(60)))).toBe("address");
    expect(await waitsUntil()).toBe(inDays(61));
    expect((await lead()).status).toBe("active");
  });

  test("from somebody who left ends the lead, and suppresses nobody", async () => {
    const { alias, messageId, lead } = await sentOne();
    const raw = reply(alias, messageId, {
      subject: "Automatic reply: Hello",
      headers: ["Auto-Submitted: auto-replied", `In-Reply-To: <${messageId}>`],
      body: "Ada is no longer with the company. Please contact eve@example.zz instead.",
    });
    expect((await post(raw, alias)).body.class).toBe("left_company");
    expect((await lead()).status).toBe("stopped");
    expect(await suppressions()).toEqual([]);
  });
});

describe("a bounce", () => {
  const gone = (to: string, more: object = {}) =>
    bounceMail({
      to,
      recipient: "lead1@example.zz",
      status: "5.1.1",
      diagnostic: "550 5.1.1 User unknown",
      ...more,
    });

  test("to our own return path ends the lead and suppresses the address", async () => {
    const { send, lead } = await sentOne();
    const tokens = createReturnPathTokens(["tracking-secret-for-tests"]);
    const to = await tokens.address(send.id, "bounce.sender.zz");
    expect((await post(gone(to), to)).body).toMatchObject({ class: "bounce", matched_by: "token" });
    expect(await lead()).toMatchObject({
      status: "bounced",
      stop_reason: "hard_bounce",
      last_error: expect.stringContaining("5.1.1"),
    });
    expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "hard_bounce" }]);
  });

  test("that names our Message-ID does the same", async () => {
    const { alias, messageId, lead } = await sentOne();
    expect((await post(gone(alias, { originalMessageId: messageId }), alias)).body.matched_by).toBe(
      "message_id",
    );
    expect((await lead()).status).toBe("bounced");
  });

  test("from a stranger, with no token and no Message-ID of ours, changes nothing", async () => {
    const { alias, lead } = await sentOne();
    const forged = gone(alias, { originalMessageId: "invented@elsewhere.zz" });
    expect((await post(forged, alias)).body).toMatchObject({ class: "bounce", matched_by: null });
    expect(
      (
        await post(
          gone("b+aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@bounce.sender.zz"),
          "b+aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@bounce.sender.zz",
        )
      ).body.matched_by,
    ).toBeNull();
    expect((await lead()).status).toBe("active");
    expect(await suppressions()).toEqual([]);
  });

  test("for a full mailbox does not stop; a delay is nothing", async () => {
    const { alias, messageId, lead } = await sentOne();
    const full = {
      status: "5.2.2",
      diagnostic: "552 5.2.2 Mailbox full",
      originalMessageId: messageId,
    };
    await post(gone(alias, full), alias);
    await post(
      gone(alias, {
        action: "delayed",
        status: "4.4.1",
        diagnostic: "connection timed out",
        originalMessageId: messageId,
      }),
      alias,
    );
    expect((await lead()).status).toBe("active");
    expect(await suppressions()).toEqual([]);
  });

  test("for a resolver that had no answer suppresses nobody, whatever the code says", async () => {
    const { alias, messageId, lead } = await sentOne();
    const trouble = {
      status: "5.4.4",
      diagnostic: "Host or domain name not found. Name service error: Host not found, try again",
      originalMessageId: messageId,
    };
    expect((await post(gone(alias, trouble), alias)).body).toMatchObject({
      class: "bounce",
      matched_by: "message_id",
    });
    expect((await lead()).status).toBe("active");
    expect(await suppressions()).toEqual([]);
  });

  test("that a gateway has wrapped ends the lead as if it had come by itself", async () => {
    const { alias, messageId, lead } = await sentOne();
    const raw = rawMail({
      from: "Gateway <postmaster@gateway.zz>",
      to: alias,
      subject: "Undeliverable message",
      contentType: "multipart/mixed; boundary=outer",
      body: [
        "--outer",
        "Content-Type: text/plain",
        "",
        "The attached report came back.",
        "--outer",
        "Content-Type: message/rfc822",
        "",
        gone(alias, { originalMessageId: messageId }),
        "--outer--",
        "",
      ].join("\r\n"),
    });
    expect((await postMail(sending.api, raw, alias, { from: "" })).body).toMatchObject({
      class: "bounce",
      matched_by: "message_id",
    });
    expect((await lead()).status).toBe("bounced");
    expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "hard_bounce" }]);
  });

  test("by policy rests the sender and spares the recipient", async () => {
    const { alias, messageId, lead, aliasIds } = await sentOne();
    const policy = {
      status: "5.7.1",
      diagnostic: "550 5.7.1 Message rejected due to spam content; see policy",
      originalMessageId: messageId,
    };
    await post(gone(alias, policy), alias);
    expect((await lead()).status).toBe("active");
    const { rows } = await sending.api.sql.query(
      "select closed_until from sender_lanes where id = $1",
      [aliasIds[0]],
    );
    expect(rows[0].closed_until.getTime() - Date.now()).toBeGreaterThan(5 * 3_600_000);
  });

  test("by policy slows a domain of ours down at that operator alone, once for a message, and rests nobody", async () => {
    const { alias, messageId, aliasIds } = await sentOne();
    const { sql, deps } = sending.api;
    const domain = `${randomUUID()}.zz`;
    const { body } = await tenant.call("POST", "/api/v1/mailer/domains", { domain });
    await sql.query("update mail_aliases set domain_id = $1 where id = $2", [body.id, aliasIds[0]]);
    const said = "550 5.7.1 Message rejected due to spam content; see policy";
    const policy = { status: "5.7.1", diagnostic: said, originalMessageId: messageId };
    await post(gone(alias, policy), alias);
    await post(gone(alias, { ...policy, diagnostic: `${said}.` }), alias);
    const { rows } = await sql.query(
      "select operator, per_hour, next_at, reason from operator_rates where domain_id = $1",
      [body.id],
    );
    expect(rows).toEqual([
      {
        ...{ operator: "example.zz", per_hour: 30, next_at: expect.any(Date) },
        reason: expect.stringContaining("spam content"),
      },
    ]);
    expect(rows[0].next_at.getTime() - deps.clock.now().getTime()).toBeGreaterThan(100_000);
    const lane = await sql.query("select closed_until from sender_lanes where id = $1", [
      aliasIds[0],
    ]);
    expect(lane.rows[0].closed_until).toBeNull();
  });
});

test("a filter that rejects with a wish for no more mail is heard; a receipt for a deleted mail is none", async () => {
  const { alias, messageId, lead } = await sentOne();
  const notification = (subject: string, words: string) =>
    rawMail({
      from: "Mail Delivery Subsystem <postmaster@example.zz>",
      to: alias,
      subject,
      headers: [`In-Reply-To: <${messageId}>`, "Auto-Submitted: auto-replied (rejected)"],
      contentType: "multipart/report; report-type=disposition-notification; boundary=mdn",
      body: [
        "--mdn",
        "Content-Type: text/plain",
        "",
        words,
        "--mdn",
        "Content-Type: message/disposition-notification",
        "",
        "Final-Recipient: rfc822; lead1@example.zz",
        "Disposition: automatic-action/MDN-sent-automatically; deleted",
        "",
        "--mdn--",
        "",
      ].join("\r\n"),
    });
  await post(notification("Not read: Hello", "Your message was deleted unread."), alias);
  expect((await lead()).status).toBe("active");
  const words = "Your message was automatically rejected:\r\nstop writing to me";
  await post(notification("Rejected: Hello", words), alias);
  expect((await lead()).status).toBe("unsubscribed");
  expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "unsubscribe" }]);
  expect(await conversations()).toMatchObject([{ unread: false }]);
});

test("a failure report about a message of ours is kept nowhere", async () => {
  const { alias, messageId, lead } = await sentOne();
  const before = await conversations();
  const { body } = await post(complaintMail(alias, messageId, "auth-failure"), alias);
  expect(body).toEqual({ duplicate: false, class: "failure_report", matched_by: null });
  expect(await conversations()).toEqual(before);
  expect((await lead()).status).toBe("active");
});

test("a complaint ends the address everywhere; not-spam does not", async () => {
  const { alias, messageId, lead } = await sentOne();
  await post(complaintMail(alias, messageId, "not-spam"), alias);
  expect((await lead()).status).toBe("active");
  expect((await post(complaintMail(alias, messageId), alias)).body.class).toBe("complaint");
  expect((await lead()).status).toBe("complained");
  expect(await suppressions()).toEqual([{ value: "lead1@example.zz", reason: "complaint" }]);
});

test("what comes back about a single message joins its conversation and suppresses", async () => {
  const { aliasIds, alias } = await sentOne();
  const { body: email } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasIds[0],
    to_email: "eve@example.zz",
    subject: "A question",
    body: "One line.",
  });
  await deliverEmail(sending.api.deps, email.id);
  const messageId = email.message_id.slice(1, -1);
  await post(reply(alias, messageId, { from: "eve@example.zz", body: "An answer." }), alias);
  const { body } = await tenant.call("GET", `/api/v1/conversations/${email.conversation_id}`);
  expect(body.messages.map((message: { text: string }) => message.text.trim())).toEqual([
    "One line.",
    "An answer.",
  ]);
  await post(
    bounceMail({
      to: alias,
      recipient: "eve@example.zz",
      status: "5.1.1",
      diagnostic: "550 no such user",
      originalMessageId: messageId,
    }),
    alias,
  );
  expect(await suppressions()).toEqual([{ value: "eve@example.zz", reason: "hard_bounce" }]);
});

test("a reply with 50 MB of attachments is read and takes effect", async () => {
  const { alias, messageId, lead } = await sentOne();
  const boundary = "b0undary";
  const line = `${"A".repeat(76)}\r\n`;
  const raw = rawMail({
    from: "lead1@example.zz",
    to: alias,
    headers: [`In-Reply-To: <${messageId}>`],
    contentType: `multipart/mixed; boundary=${boundary}`,
    body: [
      `--${boundary}`,
      "Content-Type: text/plain; charset=utf-8",
      "",
      "Here is the brochure you asked for.",
      `--${boundary}`,
      'Content-Type: application/pdf; name="brochure.pdf"',
      "Content-Transfer-Encoding: base64",
      "",
      line.repeat(Math.ceil((50 * 1024 * 1024) / line.length)),
      `--${boundary}--`,
      "",
    ].join("\r\n"),
  });
  expect(raw.length).toBeGreaterThan(50 * 1024 * 1024);
  expect((await post(raw, alias)).body).toMatchObject({ class: "reply", matched_by: "message_id" });
  expect((await lead()).status).toBe("replied");
  const { rows } = await sending.api.sql.query(
    "select text from conversation_messages where direction = 'in' and workspace_id = $1",
    [tenant.workspaceId],
  );
  expect(rows.map(({ text }) => text.trim())).toEqual(["Here is the brochure you asked for."]);
});

describe("the door", () => {
  const raw = rawMail({ from: "a@example.zz", to: "b@example.zz", body: "x" });
  const stored = async () =>
    (await sending.api.sql.query("select count(*)::int as n from inbound_mails")).rows[0].n;

  test.each([
    ["no signature", { signature: "" }, 401],
    [
      "another's signature",
      { signature: `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` },
      401,
    ],
    [
      "an old signature",
      { signature: `t=${Math.floor(Date.now() / 1000) - 3600},v1=${"0".repeat(64)}` },
      401,
    ],
    ["another content type", { type: "text/plain" }, 415],
  ])("%s is refused and nothing is kept", async (_name, change, status) => {
    const before = await stored();
    expect((await postMail(sending.api, raw, "b@example.zz", change)).status).toBe(status);
    expect(await stored()).toBe(before);
  });

  test("takes anything that claims to be mail: garbage, 200 messages in one another, bad bytes", async () => {
    const nested = Array.from(
      { length: 200 },
      (_, depth) => `Content-Type: message/rfc822\r\n\r\nSubject: ${depth}\r\n`,
    ).join("");
    const bytes = new Uint8Array(50_000).map((_, index) => (index * 7919) % 256);
    for (const mail of [
      "",
      "x",
      nested,
      "\u0000\u0000",
      "Content-Type: multipart/mixed\r\n\r\n--",
    ]) {
      const { status } = await postMail(sending.api, mail, "b@example.zz");
      expect(status).toBe(mail === "" ? 400 : 200);
    }
    expect((await postMail(sending.api, bytes, "b@example.zz")).status).toBe(200);
  });
});
