import { describe, expect, test } from "vitest";
import { claimInboxes, recordPosition } from "#db/replies/inbox-reads.ts";
import { readWakeState } from "#src/domain/engine/idle.ts";
import { readDueInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import { InboxError } from "#src/providers/inbox/index.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { bounceMail, complaintMail, postMail, rawMail } from "../../../support/incoming.ts";
import { statements } from "../../../support/statements.ts";
import {
  bounceOf,
  provider,
  read,
  readNext,
  replyTo,
  rowOf,
  sending,
  sentOne,
  tenant,
  useReading,
} from "./reading-setting.ts";

useReading();

const suppressions = async () =>
  (
    await sending.api.sql.query("select value, reason from suppressions where workspace_id = $1", [
      tenant.workspaceId,
    ])
  ).rows;
const conversations = async () => (await tenant.call("GET", "/api/v1/conversations")).body.items;
const notices = async (kind: string) =>
  (
    await sending.api.sql.query(
      "select payload from outbox where workspace_id = $1 and kind = $2 order by created_at",
      [tenant.workspaceId, kind],
    )
  ).rows;

describe("what comes back into an inbox", () => {
  test("a reply ends its lead and stands in the conversation", async () => {
    const { email, messageId, put, lead } = await sentOne();
    put(replyTo(messageId, email));
    expect(await read()).toMatchObject({ inboxes: 1, headers: 1, fetched: 1, taken: 1 });
    expect((await lead()).status).toBe("replied");
    expect(await conversations()).toMatchObject([{ unread: true, channel: "email" }]);
    expect(await notices("lead_reply")).toHaveLength(1);
  });

  test("a bounce suppresses, an out-of-office moves the next step, a complaint suppresses", async () => {
    const { email, sends, put, lead } = await sentOne(3);
    const [bounced, away, complained] = sends;
    put(bounceOf(bounced.message_id, email, bounced.email_key));
    const headers = [`In-Reply-To: <${away.message_id}>`, "Auto-Submitted: auto-replied"];
    put(
      rawMail({
        from: away.email_key,
        to: email,
        subject: "Out of office",
        headers,
        body: "I am out of the office.",
      }),
    );
    put(complaintMail(email, complained.message_id));
    expect(await read()).toMatchObject({ headers: 3, fetched: 3, taken: 3 });
    const statuses = await Promise.all([0, 1, 2].map(async (at) => (await lead(at)).status));
    expect(statuses.toSorted()).toEqual(["active", "bounced", "complained"]);
    expect((await suppressions()).map(({ reason }) => reason).toSorted()).toEqual([
      "complaint",
      "hard_bounce",
    ]);
  });

  test("a report that names nothing of ours but a recipient of ours by our return path is ours", async () => {
    const { sends, put, lead } = await sentOne();
    const tokens = createReturnPathTokens(sending.api.deps.settings.trackingSecrets);
    const to = await tokens.address(sends[0].id, "bounce.sender.zz");
    put(
      rawMail({
        from: "somebody@elsewhere.zz",
        to,
        subject: "Undelivered Mail Returned to Sender",
        headers: ["X-Failed-Recipients: lead1@example.zz"],
        body: "550 5.1.1 user unknown\r\nYour message could not be delivered.",
      }),
    );
    await read();
    expect((await lead()).status).toBe("bounced");
  });

  test("a lead who writes anew has answered; one who had written before we did has not", async () => {
    const { email, put, lead } = await sentOne(2);
    const anew = (name: string) =>
      rawMail({
        from: `${name}@example.zz`,
        to: email,
        subject: "Hello",
        body: "About your mail.",
      });
    put(anew("lead1"));
    put(anew("lead2"), new Date(Date.now() - 3_600_000));
    expect(await read()).toMatchObject({ headers: 2, fetched: 1, taken: 1 });
    const statuses = await Promise.all([0, 1].map(async (at) => (await lead(at)).status));
    expect(statuses.toSorted()).toEqual(["active", "replied"]);
  });

  test("a copy of the alias's own words is no answer", async () => {
    const { email, messageId, put, lead } = await sentOne();
    put(replyTo(messageId, email, { from: `Me <${email}>` }));
    expect(await read()).toMatchObject({ headers: 1, fetched: 0 });
    expect((await lead()).status).toBe("active");
  });

  test("a mail of another workspace's thread stays in the inbox", async () => {
    const { email, messageId } = await sentOne();
    const other = await sending.api.tenant();
    const { rows } = await sending.api.sql.query(
      "update inboxes set workspace_id = $1 returning alias_id",
      [other.workspaceId],
    );
    provider.boxes.put(email, replyTo(messageId, email));
    provider.boxes.put(email, bounceOf(messageId, email));
    expect(rows).toHaveLength(1);
    expect(await read()).toMatchObject({ headers: 2, fetched: 1, taken: 0 });
    expect(await conversations()).toEqual([]);
    expect(await suppressions()).toEqual([]);
  });
});

describe("what also comes by routing counts once", () => {
  /** The same mail as a forwarding server hands it on. */
  const routed = (raw: string) =>
    `Delivered-To: b@routing.zz\r\nReceived: from mx.elsewhere.zz by mx.overture.zz\r\n${raw}`;

  const isOneReply = async () => {
    const [conversation] = await conversations();
    const { body } = await tenant.call("GET", `/api/v1/conversations/${conversation.id}`);
    expect(body.messages).toHaveLength(2);
    expect(await notices("lead_reply")).toHaveLength(1);
  };

  test.each([
    ["inbox first", [0, 1]],
    ["routing first", [1, 0]],
  ])("a reply, %s", async (_name, order) => {
    const { email, messageId, put, lead } = await sentOne();
    const raw = replyTo(messageId, email);
    put(raw);
    const ways = [
      () => read(),
      () => postMail(sending.api, routed(raw), email, { from: "x@y.zz" }),
    ];
    for (const way of order) await ways[way]!();
    expect((await lead()).status).toBe("replied");
    await isOneReply();
  });

  test("both at once", async () => {
    const { email, messageId, put } = await sentOne();
    const raw = replyTo(messageId, email);
    put(raw);
    await Promise.all([read(), postMail(sending.api, routed(raw), email, { from: "x@y.zz" })]);
    await isOneReply();
  });

  test("a bounce", async () => {
    const { email, messageId, put, lead } = await sentOne();
    const raw = bounceOf(messageId, email);
    put(raw);
    await read();
    const again = await postMail(sending.api, routed(raw), email);
    expect(again.body.duplicate).toBe(true);
    expect((await lead()).status).toBe("bounced");
    expect(await suppressions()).toHaveLength(1);
  });

  test("two answers of a program that numbers all its mails alike are two", async () => {
    const { email, messageId, put } = await sentOne();
    const raw = replyTo(messageId, email).replace(/Message-ID: .*/, "Message-ID: <1@phone>");
    put(raw);
    put(raw.replace(/Date: .*/, "Date: Mon, 5 Jan 2026 09:00:00 +0000"));
    expect(await read()).toMatchObject({ taken: 2 });
  });
});

describe("its owner waits for it", () => {
  const asked = () =>
    sending.api.qstash.waiting().filter(({ url }) => url.endsWith("/functions/read-inboxes"));

  test("a test that goes well, and a change, have the inbox read at once, before others that are due", async () => {
    const { email, aliasId, messageId, put, lead } = await sentOne();
    expect(asked().at(-1)?.body).toBe(JSON.stringify({ version: 1, alias_id: aliasId }));
    await read();
    expect(new Date((await rowOf(aliasId)).next_read_at) > new Date()).toBe(true);
    put(replyTo(messageId, email));
    sending.api.qstash.clear();
    const test = await tenant.call("POST", `/api/v1/mailer/aliases/${aliasId}/test`);
    expect(test.body.inbox).toMatchObject({ ok: true });
    expect(asked().map(({ body }) => body)).toEqual([
      JSON.stringify({ version: 1, alias_id: aliasId }),
    ]);
    await readDueInboxes(sending.api.deps, aliasId);
    expect((await lead()).status).toBe("replied");
  });
});

describe("everybody else's mail", () => {
  const WORD = "quincunx";

  test("is not touched, and no row and no log line holds a word of it", async () => {
    const { email, put } = await sentOne();
    const lines: string[] = [];
    sending.api.onLog((line) => lines.push(line));
    const letter = { from: `${WORD}@friend.zz`, to: email, subject: WORD, body: `${WORD}!` };
    put(rawMail(letter));
    put(rawMail({ ...letter, headers: [`References: <${WORD}@friend.zz>`] }));
    // Reports are looked into: what they are about stands inside.
    put(
      bounceMail({
        to: email,
        recipient: `${WORD}@friend.zz`,
        status: "5.1.1",
        diagnostic: `550 ${WORD}`,
        originalMessageId: `${WORD}@friend.zz`,
      }),
    );
    put(rawMail({ ...letter, from: `MAILER-DAEMON@${WORD}.zz` }));
    const rowsBefore = await sending.api.sql.query("select count(*) from inbound_mails");
    expect(await read()).toMatchObject({ headers: 4, fetched: 2, taken: 0 });
    expect((await sending.api.sql.query("select count(*) from inbound_mails")).rows).toEqual(
      rowsBefore.rows,
    );
    expect(lines.join("\n")).toContain("inboxes_read");
    expect(lines.join("\n").toLowerCase()).not.toContain(WORD);
    expect(await tablesHolding(WORD)).toEqual([]);
    // The search finds what is there.
    expect(await tablesHolding(email)).toContain("mail_aliases");
  });
});

/** The tables of which a row, written out, holds the word. */
async function tablesHolding(word: string): Promise<string[]> {
  const { sql } = sending.api;
  const { rows } = await sql.query("select tablename from pg_tables where schemaname = 'public'");
  const found: string[] = [];
  for (const { tablename } of rows) {
    const { rowCount } = await sql.query(
      `select 1 from "${tablename}" t where t::text ilike '%' || $1 || '%' limit 1`,
      [word],
    );
    if (rowCount) found.push(tablename);
  }
  return found;
}

/** Inboxes whose line breaks after so many answers to a question for headers. */
function dyingAfter(answers: number): typeof sending.api.deps.readInboxes {
  return () => {
    const open = sending.api.deps.readInboxes();
    return async (account) => {
      const inbox = await open(account);
      let left = answers;
      return {
        ...inbox,
        headers(...order) {
          if (left-- > 0) return inbox.headers(...order);
          return Promise.reject(new InboxError("reading", "The line broke.", "line"));
        },
      };
    };
  };
}

describe("progress", () => {
  test("nothing new costs two statements, for all inboxes that are read together", async () => {
    const { aliasId } = await sentOne();
    await read();
    await sending.api.sql.query("update inboxes set next_read_at = $1", [new Date()]);
    const asked = await statements(sending.api);
    const connections = provider.log.entries().length;
    expect(await read()).toMatchObject({ inboxes: 1, headers: 0, fetched: 0 });
    expect(asked()).toBe(2);
    expect(provider.log.entries().length - connections).toBeLessThanOrEqual(2);
    expect((await rowOf(aliasId)).read_at).not.toBeNull();
  });

  test("what was read is not read again, what came since is", async () => {
    const { email, sends, put } = await sentOne(2);
    put(replyTo(sends[0].message_id, email, { from: sends[0].email_key }));
    expect(await read()).toMatchObject({ taken: 1 });
    expect(await readNext()).toMatchObject({ headers: 0 });
    put(replyTo(sends[1].message_id, email, { from: sends[1].email_key }));
    expect(await readNext()).toMatchObject({ headers: 1, taken: 1 });
  });

  test("a first look goes back a week, and no further", async () => {
    const { email, sends, put } = await sentOne(2);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    put(replyTo(sends[0].message_id, email, { from: sends[0].email_key }), daysAgo(9));
    put(replyTo(sends[1].message_id, email, { from: sends[1].email_key }), daysAgo(5));
    expect(await read()).toMatchObject({ headers: 1, taken: 1 });
  });

  test("under another UIDVALIDITY the inbox is begun anew, and nothing is taken in twice", async () => {
    const { email, messageId, put, aliasId } = await sentOne();
    put(replyTo(messageId, email));
    await read();
    const before = await rowOf(aliasId);
    provider.faults.order("imap_uidvalidity_changed", 1);
    expect(await readNext()).toMatchObject({ headers: 1, fetched: 1, taken: 0 });
    const after = await rowOf(aliasId);
    expect(after.uid_validity).not.toBe(before.uid_validity);
    expect(await readNext()).toMatchObject({ headers: 0 });
    expect(await notices("lead_reply")).toHaveLength(1);
  });

  test("many new mails are taken in pieces, in order, and the rest at once", async () => {
    const { email, messageId, put, aliasId, lead } = await sentOne();
    const letter = rawMail({ from: "friend@friend.zz", to: email, body: "Hello" });
    await read();
    for (let count = 0; count < 1_500; count++) put(letter);
    put(replyTo(messageId, email));
    expect(await readNext()).toMatchObject({ headers: 1_000, taken: 0 });
    expect(new Date((await rowOf(aliasId)).next_read_at) <= new Date()).toBe(true);
    expect((await lead()).status).toBe("active");
    expect(await read()).toMatchObject({ headers: 501, taken: 1 });
    expect((await lead()).status).toBe("replied");
    expect(await readNext()).toMatchObject({ headers: 0 });
  });

  test("a first look begins with what came last, and misses nothing, whoever dies on the way", async () => {
    const { email, sends, put, aliasId, lead } = await sentOne(3);
    const reply = (at: number) =>
      replyTo(sends[at].message_id, email, { from: sends[at].email_key });
    const letter = rawMail({ from: "friend@friend.zz", to: email, body: "Hello" });
    const ended = async () =>
      (await Promise.all([0, 1, 2].map(async (at) => (await lead(at)).status))).join();
    put(reply(0));
    for (let count = 0; count < 2_100; count++) put(letter);
    put(reply(1));
    expect(await read()).toMatchObject({ headers: 1_000, taken: 1 });
    expect(await ended()).toBe("active,replied,active");
    expect(new Date((await rowOf(aliasId)).next_read_at) <= new Date()).toBe(true);
    // What is new comes before what is left; a worker that dies with it has only to be followed.
    put(reply(2));
    const dying = { ...sending.api.deps, readInboxes: dyingAfter(2) };
    expect(await readDueInboxes(dying)).toMatchObject({ failed: 1, taken: 1 });
    expect(await ended()).toBe("active,replied,replied");
    // Behind a place where reading failed it goes in small pieces first.
    expect(await readNext()).toMatchObject({ headers: 20, taken: 0 });
    expect(await read()).toMatchObject({ taken: 1 });
    expect(await ended()).toBe("replied,replied,replied");
    expect(await rowOf(aliasId)).toMatchObject({ backlog_before: null, failures: 0 });
    expect(await readNext()).toMatchObject({ headers: 0 });
    expect(await notices("lead_reply")).toHaveLength(3);
  });

  test("more answers than one look takes are all taken, each once", async () => {
    const { email, messageId, put } = await sentOne();
    for (let count = 0; count < 22; count++) put(replyTo(messageId, email));
    const first = await read();
    const second = await read();
    expect([first["taken"], second["taken"]]).toEqual([20, 2]);
    expect(await notices("lead_reply")).toHaveLength(22);
  });

  test("whoever dies between taking in and noting it leaves nothing lost and nothing twice", async () => {
    const { email, messageId, put, aliasId, lead } = await sentOne();
    put(replyTo(messageId, email));
    await read();
    // As it stood before the last statement: its lease runs, and it ends.
    await sending.api.sql.query(
      "update inboxes set last_uid = null, uid_validity = null, next_read_at = $1, leased_until = $2",
      [new Date(), new Date(Date.now() + 240_000)],
    );
    expect(await read()).toMatchObject({ inboxes: 0 });
    sending.api.advance(241);
    expect(await read()).toMatchObject({ inboxes: 1, fetched: 1, taken: 0 });
    expect((await lead()).status).toBe("replied");
    expect(await notices("lead_reply")).toHaveLength(1);
    expect((await rowOf(aliasId)).leased_until).toBeNull();
  });

  test("a look that found nothing of ours leaves the engine asleep, and an answer wakes it", async () => {
    const { email, messageId, put } = await sentOne();
    const wakes = async () => (await readWakeState(sending.api.deps)).wakes;
    const before = await wakes();
    put(rawMail({ from: "friend@friend.zz", to: email, body: "Hello" }));
    expect(await read()).toMatchObject({ headers: 1, taken: 0 });
    expect(await wakes()).toBe(before);
    put(replyTo(messageId, email));
    expect(await readNext()).toMatchObject({ taken: 1 });
    expect(await wakes()).not.toBe(before);
  });

  test("two workers never have the same inbox", async () => {
    const { email, messageId, put } = await sentOne();
    put(replyTo(messageId, email));
    const both = await Promise.all([read(), read()]);
    expect(both.map(({ inboxes }) => inboxes).toSorted()).toEqual([0, 1]);
  });

  test("an overtaken reader does not move the place back", async () => {
    const { aliasId } = await sentOne();
    const { db, clock } = sending.api.deps;
    const claim = async () => {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + 60_000);
      return (await claimInboxes(db, { now, leaseUntil, limit: 1 })).claims[0]!;
    };
    const late = await claim();
    sending.api.advance(61);
    const next = await claim();
    await recordPosition(db, next, { uidValidity: 1, lastUid: 300, backlog: null }, "new");
    await recordPosition(db, late, { uidValidity: 1, lastUid: 200, backlog: null }, "new");
    expect((await rowOf(aliasId)).last_uid).toBe("300");
  });
});
