import { afterEach, expect, test } from "vitest";
import { type SmtpOpenOptions, SmtpOpenError } from "../../../src/providers/mail/smtp-client.ts";
import {
  acceptAll,
  answerEhlo,
  greet,
  type Sink,
  type SinkConnection,
  takeEnvelope,
} from "./raw-sink.ts";
import {
  answering,
  closeAll,
  letter,
  openSession as open,
  poolFor,
  greeting,
  shortTimeouts,
  sinkOf,
} from "./smtp-setting.ts";

afterEach(closeAll);

async function openError(
  sink: Sink,
  options: Partial<SmtpOpenOptions> = {},
): Promise<SmtpOpenError> {
  const error = await open(sink, options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SmtpOpenError);
  return error as SmtpOpenError;
}

/** The commands of the first connection, message bodies left out. */
const verbs = (sink: Sink) =>
  sink.connections[0]!.received.map((line) => line.split(" ")[0]!).filter((verb) =>
    /^([A-Z]{4}|\.)$/.test(verb),
  );

test("a greeting other than 220 refuses the account with its words", async () => {
  const sink = await sinkOf(async (connection) =>
    connection.say("554 5.7.1 your address is blocked"),
  );
  const error = await openError(sink);
  expect(error).toMatchObject({ stage: "greeting", code: 554, permanent: true });
  expect(error.message).toContain("your address is blocked");
});

test("a peer that does not speak SMTP is a permanent error", async () => {
  const sink = await sinkOf(async (connection) => connection.say("HTTP/1.1 400 Bad Request"));
  expect(await openError(sink)).toMatchObject({ stage: "greeting", permanent: true });
});

test("a reply beyond 64 kB is refused instead of buffered", async () => {
  const sink = await sinkOf(async (connection) => {
    connection.say("220 hello");
    await connection.line();
    connection.sayRaw("250-flood\r\n".repeat(8_000));
  });
  const error = await openError(sink);
  expect(error).toMatchObject({ stage: "ehlo" });
  expect(error.message).toContain("64 kB");
});

test("bytes slipped in behind the 220 of STARTTLS abort the session", async () => {
  const sink = await greeting(["STARTTLS"], async (connection) => {
    await connection.line();
    connection.sayRaw("220 go\r\n250 injected\r\n");
    connection.startTls();
  });
  expect(await openError(sink, { security: "starttls" })).toMatchObject({
    stage: "tls",
    permanent: true,
  });
});

test("extensions named before TLS are forgotten after it", async () => {
  const sink = await greeting(["STARTTLS", "PIPELINING", "AUTH PLAIN"], async (connection) => {
    await connection.line();
    connection.say("220 go");
    connection.startTls();
    await connection.line();
    await answerEhlo(connection, "SIZE 1000");
    await acceptAll(connection);
  });
  const session = await open(sink, { security: "starttls" });
  expect([...session.capabilities.keys()]).toEqual(["SIZE"]);
});

test("LOGIN is used where PLAIN is not offered, in UTF-8", async () => {
  const sink = await answering(
    ["AUTH LOGIN CRAM-MD5"],
    "334 VXNlcm5hbWU6",
    "334 UGFzc3dvcmQ6",
    "235 2.7.0 welcome",
  );
  await open(sink, { username: "jö@example.zz", password: "pässwörd€" });
  const [, , user, password] = sink.connections[0]!.received;
  const utf8 = (text: string) => Buffer.from(text, "base64").toString("utf8");
  expect([utf8(user!), utf8(password!)]).toEqual(["jö@example.zz", "pässwörd€"]);
});

test("with PIPELINING the envelope arrives in one packet, before any answer", async () => {
  const sink = await greeting(["PIPELINING", "SIZE 100000"], async (connection) => {
    for (let n = 0; n < 3; n++) await connection.line();
    connection.say("250 ok", "250 ok", "354 go");
    await connection.body();
    connection.say("250 2.0.0 queued as 1");
  });
  const session = await open(sink);
  const result = await session.send(letter("a", "Subject: x\r\n\r\n.dot\r\nend"));
  expect(result).toEqual({ state: "accepted", reply: "250 2.0.0 queued as 1" });
  expect(sink.connections[0]!.received.slice(1, 4)).toEqual([
    "MAIL FROM:<me@sender.zz> SIZE=23",
    "RCPT TO:<lead@example.zz>",
    "DATA",
  ]);
  // RFC 5321 section 4.5.2: the leading dot is doubled on the wire.
  expect(sink.connections[0]!.received).toContain("..dot");
});

test("with PIPELINING the next envelope rides with the previous body", async () => {
  const sink = await greeting(["PIPELINING"], async (connection) => {
    await takeEnvelope(connection);
    await connection.body();
    // This server answers the first body only after it has seen the second envelope.
    for (let n = 0; n < 3; n++) await connection.line();
    connection.say("250 queued 1", "250 ok", "250 ok", "354 go");
    await connection.body();
    connection.say("250 queued 2");
  });
  const session = await open(sink);
  const results: string[] = [];
  await session.sendAll([letter("1"), letter("2")], (id, result) =>
    results.push(`${id} ${result.state}`),
  );
  expect(results).toEqual(["1 accepted", "2 accepted"]);
});

test("all recipients refused and 354 anyway: a lone dot goes out, then RSET before the next message", async () => {
  const sink = await greeting(["PIPELINING"], async (connection) => {
    for (let n = 0; n < 3; n++) await connection.line();
    connection.say("250 ok", "550 5.1.1 no such user", "354 go");
    await connection.body();
    connection.say("554 no valid recipients");
    await acceptAll(connection);
  });
  const session = await open(sink);
  expect(await session.send(letter("a"))).toMatchObject({
    state: "rejected",
    code: 550,
    enhanced: "5.1.1",
    scope: "recipient",
    stage: "rcpt",
  });
  expect(await session.send(letter("b"))).toMatchObject({ state: "accepted" });
  expect(verbs(sink)).toEqual([
    "EHLO",
    "MAIL",
    "RCPT",
    "DATA",
    ".",
    "RSET",
    "MAIL",
    "RCPT",
    "DATA",
    ".",
  ]);
});

test("without PIPELINING nothing is said after a refused recipient but RSET", async () => {
  const sink = await answering([], "250 ok", "450 4.2.0 greylisted");
  const session = await open(sink);
  expect(await session.send(letter("a"))).toMatchObject({
    state: "deferred",
    scope: "recipient",
    code: 450,
  });
  expect(await session.send(letter("b"))).toMatchObject({ state: "accepted" });
  expect(verbs(sink)).toEqual(["EHLO", "MAIL", "RCPT", "RSET", "MAIL", "RCPT", "DATA", "."]);
});

for (const [state, stopAt] of [
  ["MAIL", 1],
  ["RCPT", 2],
  ["DATA", 3],
] as const) {
  test(`the server leaving at ${state} defers the message: nothing was delivered`, async () => {
    const sink = await greeting([], async (connection) => {
      for (let n = 1; n < stopAt; n++) {
        await connection.line();
        connection.say("250 ok");
      }
      await connection.line();
      connection.end();
    });
    const session = await open(sink);
    expect(await session.send(letter("a"))).toMatchObject({
      state: "deferred",
      scope: "connection",
      stage: state.toLowerCase(),
    });
    expect(session.usable).toBe(false);
  });
}

/** Takes a message whole by DATA, and then does this. */
const afterDot = (then: (connection: SinkConnection) => Promise<void> | void) =>
  greeting([], async (connection) => {
    await takeEnvelope(connection);
    await connection.body();
    await then(connection);
  });

test.each<[string, (connection: SinkConnection) => void, string]>([
  ["leaves", (connection) => connection.end(), "closed the connection"],
  ["resets the line", (connection) => connection.reset(), ""],
  ["hangs", () => {}, "the server did not answer in time"],
  ["speaks gibberish", (connection) => connection.say("OK"), ""],
])("a server that %s after the final dot leaves the message unknown", async (_, then, reason) => {
  const session = await open(await afterDot(then), { timeouts: shortTimeouts });
  const result = await session.send(letter("a"));
  expect(result).toEqual({ state: "unknown", reason: expect.stringContaining(reason) });
});

test("421 midway ends the session; that message and the following are deferred", async () => {
  const sink = await greeting(["PIPELINING"], async (connection) => {
    for (let n = 0; n < 3; n++) await connection.line();
    connection.say("250 ok", "421 4.3.2 shutting down");
    connection.end();
  });
  const session = await open(sink);
  const results: unknown[] = [];
  await session.sendAll([letter("1"), letter("2")], (id, result) => results.push([id, result]));
  expect(results).toMatchObject([
    ["1", { state: "deferred", scope: "connection", code: 421 }],
    ["2", { state: "deferred", scope: "connection" }],
  ]);
  expect(session.usable).toBe(false);
});

test("421 in place of the final reply is a refusal, not an unknown, and ends the session", async () => {
  const sink = await greeting([], async (connection) => {
    await takeEnvelope(connection);
    await connection.body();
    connection.say("421 4.3.0 disk full");
    await acceptAll(connection);
  });
  const session = await open(sink);
  expect(await session.send(letter("a"))).toMatchObject({ state: "deferred", code: 421 });
  expect(session.usable).toBe(false);
  expect(await session.send(letter("b"))).toMatchObject({ state: "deferred", scope: "connection" });
});

test("a refusal after the dot on a reused session is not tried again by the pool", async () => {
  const sink = await greeting([], async (connection) => {
    for (const reply of ["250 ok", "451 4.3.0 disk full"]) {
      await takeEnvelope(connection);
      await connection.body();
      connection.say(reply);
    }
    await acceptAll(connection);
  });
  const { pool, credentials } = poolFor(sink);
  await pool.send(credentials, letter("a"));
  expect(await pool.send(credentials, letter("b"))).toMatchObject({
    state: "deferred",
    scope: "connection",
    stage: "final",
  });
  expect(sink.connections).toHaveLength(1);
});

test("content refused after the dot is rejected as content, or left to its words, never as the recipient's fault", async () => {
  const sink = await greeting([], async (connection, index) => {
    await takeEnvelope(connection);
    await connection.body();
    connection.say(["550 5.7.26 unauthenticated sender", "554 5.6.0 malformed"][index]!);
  });
  expect(await (await open(sink)).send(letter("a"))).toMatchObject({
    state: "rejected",
    scope: "doubtful",
  });
  expect(await (await open(sink)).send(letter("b"))).toMatchObject({
    state: "rejected",
    scope: "message",
  });
});

test("addresses that would inject a command are refused before a byte is said", async () => {
  const sink = await greeting();
  const session = await open(sink);
  for (const to of [
    "a@b.zz>\r\nRCPT TO:<c@d.zz",
    "a@b.zz\u0000",
    "<a@b.zz>",
    "a b@c.zz",
    "nobody",
    "@a.zz:b@c.zz",
  ])
    expect(await session.send(letter("a", undefined, to))).toMatchObject({
      state: "rejected",
      stage: "local",
    });
  expect(await session.send({ ...letter("a"), from: "x\n@y.zz" })).toMatchObject({
    scope: "sender",
  });
  expect(sink.connections[0]!.received).toHaveLength(1);
});

test("a lone line feed in the message is refused: no smuggling of a second message", async () => {
  const sink = await greeting();
  const session = await open(sink);
  for (const text of ["a\n.\r\nMAIL FROM:<x@y.zz>\r\n", "a\r.\r\n", "a\r"])
    expect(await session.send(letter("a", text))).toMatchObject({
      state: "rejected",
      scope: "message",
    });
});

test("SIZE is announced and obeyed; SMTPUTF8 only where it is needed and offered", async () => {
  const sink = await sinkOf(async (connection, index) => {
    await greet(connection, "SIZE 60", ...(index === 1 ? ["SMTPUTF8", "8BITMIME"] : []));
    await acceptAll(connection);
  });
  const plain = await open(sink);
  expect(await plain.send(letter("big", `a: b\r\n\r\n${"x".repeat(60)}`))).toMatchObject({
    code: 552,
    scope: "message",
  });
  expect(await plain.send(letter("utf8", "a: b\r\n\r\n", "jörg@example.zz"))).toMatchObject({
    enhanced: "5.6.7",
  });
  const modern = await open(sink);
  expect(await modern.send(letter("ok", "a: b\r\n\r\n"))).toMatchObject({ state: "accepted" });
  expect(await modern.send(letter("utf8", "a: ö\r\n\r\n", "jörg@example.zz"))).toMatchObject({
    state: "accepted",
  });
  const mails = sink.connections[1]!.received.filter((line) => line.startsWith("MAIL"));
  expect(mails).toEqual([
    "MAIL FROM:<me@sender.zz> SIZE=8",
    "MAIL FROM:<me@sender.zz> SIZE=9 BODY=8BITMIME SMTPUTF8",
  ]);
});

test("a header in UTF-8 needs SMTPUTF8 too, whatever the envelope", async () => {
  const sink = await sinkOf(async (connection, index) => {
    await greet(connection, "8BITMIME", ...(index === 1 ? ["SMTPUTF8"] : []));
    await acceptAll(connection);
  });
  const header = letter("utf8", "From: jörg@sender.zz\r\n\r\nHello");
  const plain = await open(sink);
  expect(await plain.send(header)).toMatchObject({ enhanced: "5.6.7", scope: "sender" });
  const modern = await open(sink);
  expect(await modern.send(header)).toMatchObject({ state: "accepted" });
  expect(await modern.send(letter("body", "a: b\r\n\r\nö"))).toMatchObject({ state: "accepted" });
  expect(sink.connections[1]!.received.filter((line) => line.startsWith("MAIL"))).toEqual([
    "MAIL FROM:<me@sender.zz> BODY=8BITMIME SMTPUTF8",
    "MAIL FROM:<me@sender.zz> BODY=8BITMIME",
  ]);
});

test("a message lost after its dot on a reused session is never tried again", async () => {
  const sink = await greeting([], async (connection) => {
    await takeEnvelope(connection);
    await connection.body();
    connection.say("250 ok");
    await takeEnvelope(connection);
    await connection.body();
    connection.end();
  });
  const { pool, credentials } = poolFor(sink);
  await pool.send(credentials, letter("a"));
  expect(await pool.send(credentials, letter("b"))).toMatchObject({ state: "unknown" });
  expect(sink.connections).toHaveLength(1);
});

test("sends of one account share at most maxPerAccount sessions", async () => {
  const sink = await greeting(["PIPELINING"]);
  const { pool, credentials } = poolFor(sink, { maxPerAccount: 2 });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => pool.send(credentials, letter(String(index)))),
  );
  expect(results.every(({ state }) => state === "accepted")).toBe(true);
  expect(sink.connections).toHaveLength(2);
});

test("accounts beyond maxConnections take turns", async () => {
  const sink = await answering(["AUTH PLAIN"], "235 welcome");
  const { pool, credentials } = poolFor(sink, { maxConnections: 2 });
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      pool.send(
        { ...credentials, username: `user${index % 6}`, password: "p" },
        letter(String(index)),
      ),
    ),
  );
  expect(results.every(({ state }) => state === "accepted")).toBe(true);
});

test("a refused login is tried once per pool, and its reason reaches every message", async () => {
  const sink = await answering(["AUTH PLAIN"], "535 5.7.8 wrong password");
  const { pool, credentials } = poolFor(sink, { maxPerAccount: 1 });
  const account = { ...credentials, username: "u", password: "p" };
  const results = await Promise.all(["a", "b", "c"].map((id) => pool.send(account, letter(id))));
  for (const result of results)
    expect(result).toMatchObject({
      state: "deferred",
      scope: "sender",
      stage: "open",
      code: 535,
      accountError: expect.stringContaining("wrong password"),
    });
  expect(sink.connections).toHaveLength(1);
});

test("a host that hangs costs the tick one wait, not one per message", async () => {
  const sink = await sinkOf(async () => {});
  const { pool, credentials } = poolFor(sink, { maxPerAccount: 2, timeouts: shortTimeouts });
  const results = await Promise.all(
    ["a", "b", "c", "d", "e"].map((id) => pool.send(credentials, letter(id))),
  );
  for (const result of results)
    expect(result).toMatchObject({ state: "deferred", scope: "connection", stage: "open" });
  expect(sink.connections).toHaveLength(2);
});

test("a server that takes fewer connections than we would like gets every message over those", async () => {
  const sink = await sinkOf(async (connection, index) => {
    if (index > 0) return connection.say("421 4.7.0 too many connections");
    await greet(connection, "PIPELINING");
    await acceptAll(connection);
  });
  const { pool, credentials } = poolFor(sink, { maxPerAccount: 4 });
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, index) => pool.send(credentials, letter(String(index)))),
  );
  expect(results.every(({ state }) => state === "accepted")).toBe(true);
  expect(sink.connections).toHaveLength(4);
});
