import { afterEach, expect, test } from "vitest";
import { createLocalCertificate } from "../../../scripts/stack/certificate.ts";
import { createNodeDial } from "../../../scripts/stack/node-dial.ts";
import type { Dial, SmtpCredentials } from "#src/providers/mail/index.ts";
import type { SmtpPoolOptions } from "#src/providers/mail/smtp.ts";
import {
  acceptAll,
  expiredPem,
  greet,
  type ServerPem,
  type Sink,
  type SinkConnection,
} from "../mail/raw-sink.ts";
import {
  answering,
  closeAll,
  dial as trustingDial,
  letter,
  poolFor,
  greeting,
  shortTimeouts,
  sinkOf,
} from "../mail/smtp-setting.ts";

afterEach(closeAll);

const SENDER = "me@sender.zz";
const login = { username: "me@sender.zz", password: "hunter2" };

async function check(
  sink: Sink,
  account: Partial<SmtpCredentials> = {},
  extra: Partial<SmtpPoolOptions> = {},
  sender = SENDER,
) {
  const { pool, credentials } = poolFor(sink, extra);
  const report = await pool.check({ ...credentials, ...account }, sender);
  expect(report.message).not.toContain("hunter2");
  return report;
}

/** What a send over the same account says, for comparison. */
async function send(
  sink: Sink,
  account: Partial<SmtpCredentials> = {},
  extra: Partial<SmtpPoolOptions> = {},
) {
  const { pool, credentials } = poolFor(sink, extra);
  return pool.send({ ...credentials, ...account }, letter("a"));
}

/** A runtime that says of every failure what workerd says. */
const opaqueDial: Dial = async (target, signal) => {
  const veiled = () => Promise.reject(new Error("proxy request failed, cannot connect"));
  const duplex = await createNodeDial()(target, signal).catch(veiled);
  return {
    readable: duplex.readable,
    writable: duplex.writable,
    close: duplex.close,
    startTls: () =>
      duplex
        .startTls()
        .catch(() => Promise.reject(new Error("internal error; reference = 6okhai525hkvb0v8"))),
  };
};

/** 220 and EHLO with STARTTLS, then TLS with this certificate, or whatever `then` does. */
const startTlsServer =
  (pem?: ServerPem, then: (connection: SinkConnection) => Promise<void> = acceptAll) =>
  async (connection: SinkConnection) => {
    await greet(connection, "STARTTLS");
    if ((await connection.line()) !== "STARTTLS") return;
    connection.say("220 go");
    connection.startTls(pem);
    await then(connection);
  };

const authServer = (reply: string) => async (connection: SinkConnection) => {
  await greet(connection, "AUTH PLAIN");
  await connection.line();
  connection.say(reply);
};

test("a good account is ready: login and sender are tried, nothing is sent", async () => {
  const sink = await answering(["PIPELINING", "AUTH PLAIN", "SIZE 1000"], "235 welcome");
  expect(await check(sink, login)).toEqual({
    ok: true,
    stage: "ready",
    message: `localhost:${sink.port} answered, accepted the login and takes me@sender.zz as sender; no mail was sent.`,
    capabilities: ["PIPELINING", "AUTH", "SIZE"],
  });
  expect(sink.connections[0]!.received.slice(2)).toEqual([
    "MAIL FROM:<me@sender.zz>",
    "RCPT TO:<me@sender.zz>",
    "RSET",
    "QUIT",
  ]);
});

/** Stages at which a server can hang, with what it does before. */
const hangs: [string, (connection: SinkConnection) => Promise<void> | void, object][] = [
  ["greeting", () => {}, {}],
  ["ehlo", (connection) => connection.say("220 hi"), {}],
  [
    "tls",
    async (connection) => {
      await greet(connection, "STARTTLS");
      await connection.line();
      connection.say("220 go");
    },
    { security: "starttls" },
  ],
  ["auth", (connection) => greet(connection, "AUTH PLAIN"), login],
  ["sender", (connection) => greet(connection), {}],
];
for (const [stage, before, account] of hangs) {
  test(`a server that hangs is given up within the limit of the whole test: ${stage}`, async () => {
    const sink = await sinkOf(before);
    const long = { connect: 60_000, greeting: 60_000, command: 60_000, quit: 60_000 };
    const report = await check(sink, account, { checkMs: 150, timeouts: long });
    expect(report).toMatchObject({ ok: false, stage, fault: "line" });
    expect(report.message).toContain(`localhost:${sink.port}`);
    await Promise.all(sink.connections.map(({ left }) => left));
  });
}

test("one byte at a time, or a reply without end, buys a server no time", async () => {
  const endless: [string, string][] = [
    ["2", "greeting"],
    ["220-more\r\n", "greeting"],
  ];
  for (const [bytes, stage] of endless) {
    const sink = await sinkOf(async (connection) => {
      const drip = setInterval(() => connection.sayRaw(bytes), 10);
      await connection.left;
      clearInterval(drip);
    });
    const timeouts = { greeting: 60_000, quit: 50 };
    const report = await check(sink, {}, { checkMs: 150, timeouts });
    expect(report).toMatchObject({ ok: false, stage, fault: "line" });
    await sink.connections[0]!.left;
  }
});

test("a server that is slow at each step is stopped at the limit, not at the sum of the steps", async () => {
  const sink = await sinkOf(async (connection) => {
    for (const reply of ["220 hi", "250-sink\r\n250 AUTH PLAIN", "235 ok", "250 ok", "250 ok"]) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      connection.say(reply);
      if ((await connection.line()) === null) return;
    }
  });
  const timeouts = { greeting: 250, command: 250, quit: 50 };
  expect(await check(sink, login, { checkMs: 150, timeouts })).toMatchObject({
    ok: false,
    fault: "line",
  });
  await sink.connections[0]!.left;
});

test("an account that may not send as the address is found out at MAIL", async () => {
  const words = "550 5.7.60 SMTP; Client does not have permissions to send as this sender";
  const sink = await answering([], words);
  const report = await check(sink);
  expect(report).toMatchObject({ ok: false, stage: "sender", fault: "account" });
  expect(report.message).toContain(`does not let this account send as ${SENDER}`);
  expect(report.message).toContain(`"${words}"`);
  expect(report.message).toContain("send-as permission");
});

test("an account that may not send as the address is found out by a server that judges at RCPT", async () => {
  const sink = await answering(
    [],
    "250 ok",
    "553 5.7.1 <me@sender.zz>: Sender address rejected: not owned by user x",
  );
  expect(await check(sink)).toMatchObject({ ok: false, stage: "sender", fault: "account" });
});

/** Takes MAIL, and answers RCPT so. */
const refusingAtRcpt = (reply: string) => answering([], "250 ok", reply);

test.each([
  "530 5.7.0 Must issue a STARTTLS command first",
  "550 5.7.1 Client does not have permissions to send as this sender",
  "554 5.7.1 <me@sender.zz>: Relay access denied",
  "550 you are not welcome",
])(
  "a session without a login that gets no further is no account that is ready: %s",
  async (reply) => {
    const report = await check(await refusingAtRcpt(reply));
    expect(report).toMatchObject({ ok: false, stage: "sender", fault: "account" });
    expect(report.message).toContain(reply);
  },
);

test("a refusal of the sender as recipient says nothing of the account", async () => {
  for (const reply of ["550 5.1.1 no such user", "451 4.7.1 greylisted", "452 4.2.2 full"])
    expect(await check(await refusingAtRcpt(reply))).toMatchObject({ ok: true, stage: "ready" });
});

test("a sender that is not plain ASCII needs SMTPUTF8, and travels under it", async () => {
  const without = await greeting([], () => {});
  expect(await check(without, {}, {}, "zoë@sender.zz")).toMatchObject({
    stage: "sender",
    fault: "account",
  });
  const withIt = await greeting(["SMTPUTF8"]);
  expect(await check(withIt, {}, {}, "zoë@sender.zz")).toMatchObject({ ok: true });
  expect(withIt.connections[0]!.received[1]).toMatch(/SMTPUTF8$/);
});

const logins: [string, "account" | "line", RegExp][] = [
  ["535 5.7.8 Error: authentication failed", "account", /user name.*password/],
  ["530 5.7.0 Must issue a STARTTLS command first", "account", /choose the security starttls/],
  ["454 4.7.0 Temporary authentication failure", "line", /temporary/],
  ["421 4.7.0 Too many connections", "line", /busy or takes no more connections/],
];
for (const [reply, fault, words] of logins) {
  test(`a login answered "${reply.slice(0, 60)}" is explained, in the test and in a send`, async () => {
    const sink = await sinkOf(authServer(reply));
    const report = await check(sink, login);
    expect(report).toMatchObject({ ok: false, stage: "auth", fault });
    expect(report.message).toMatch(words);
    expect(report.message).toContain(reply.slice(0, 3));
    const result = await send(sink, login);
    expect("accountError" in result).toBe(fault === "account");
  });
}

test("a greeting of too many connections is the line's, whatever its code", async () => {
  for (const words of ["421 4.7.0 busy", "554 5.7.1 Too many connections from your host"]) {
    const sink = await sinkOf((connection) => connection.say(words));
    expect(await check(sink)).toMatchObject({ stage: "greeting", fault: "line" });
  }
});

test("greylisting of the sender passes by itself", async () => {
  const sink = await answering([], "450 4.7.1 Greylisted, try again in 5 minutes");
  const report = await check(sink);
  expect(report).toMatchObject({ stage: "sender", fault: "line" });
  expect(report.message).toContain("test again in some minutes");
});

test("a port where nobody listens is the line's, and says so", async () => {
  const sink = await sinkOf(() => {});
  await sink.close();
  const report = await check(sink);
  expect(report).toMatchObject({ ok: false, stage: "connect", fault: "line" });
  expect(report.message).toContain("nobody listens on that port");
  expect(await send(sink)).toMatchObject({ state: "deferred", scope: "connection" });
});

test("a server without STARTTLS gets neither password nor sender", async () => {
  const sink = await greeting(["AUTH PLAIN"], () => {});
  const report = await check(sink, { ...login, security: "starttls" });
  expect(report).toMatchObject({ stage: "tls", fault: "account" });
  expect(report.message).toMatch(/does not offer STARTTLS.*port 465/);
  expect(sink.connections[0]!.received.join()).not.toMatch(/AUTH|MAIL/);
});

const chained = createLocalCertificate(["localhost"]);
const expired = { key: expiredPem, cert: expiredPem };
interface BadCertificate {
  what: string;
  pem?: ServerPem;
  host?: string;
  dial: Dial;
  words: RegExp;
}
const badCertificates: BadCertificate[] = [
  { what: "another name", host: "127.0.0.1", dial: trustingDial, words: /for another name/ },
  {
    what: "expired",
    pem: expired,
    dial: createNodeDial({ ca: expiredPem }),
    words: /has expired: the/,
  },
  { what: "self-signed", dial: createNodeDial(), words: /is self-signed, so/ },
  { what: "unknown authority", pem: chained, dial: trustingDial, words: /that is not known/ },
  {
    what: "unknown authority with its certificate",
    pem: { ...chained, cert: chained.cert + chained.ca },
    dial: trustingDial,
    words: /that is not known/,
  },
];
for (const { what, pem, host = "localhost", dial, words } of badCertificates) {
  test(`a bad certificate is for the owner, in the test and in a send, over both kinds of TLS: ${what}`, async () => {
    const implicit = await sinkOf((connection) => connection.startTls(pem));
    const later = await sinkOf(startTlsServer(pem));
    for (const [sink, security] of [
      [implicit, "tls"],
      [later, "starttls"],
    ] as const) {
      const report = await check(sink, { security, host }, { dial });
      expect(report).toMatchObject({ ok: false, stage: "tls", fault: "account" });
      expect(report.message).toMatch(words);
      expect(await send(sink, { security, host }, { dial })).toMatchObject({
        state: "deferred",
        scope: "sender",
        stage: "open",
        accountError: expect.stringMatching(words),
      });
    }
  });
}

test("a bad certificate is for the owner where the runtime does not say what failed", async () => {
  const implicit = await sinkOf((connection) => connection.startTls());
  const later = await sinkOf(startTlsServer());
  for (const [sink, security] of [
    [implicit, "tls"],
    [later, "starttls"],
  ] as const) {
    const dialled = { dial: opaqueDial, timeouts: shortTimeouts };
    const report = await check(sink, { security }, dialled);
    expect(report).toMatchObject({ ok: false, stage: "tls", fault: "account" });
    expect(report.message).toContain("certificate");
    expect(await send(sink, { security }, dialled)).toHaveProperty("accountError");
  }
});

test("a port where nobody listens stays the line's where the runtime does not say what failed", async () => {
  const sink = await sinkOf(() => {});
  await sink.close();
  expect(await check(sink, { security: "tls" }, { dial: opaqueDial })).toMatchObject({
    stage: "connect",
    fault: "line",
  });
  expect(await send(sink, { security: "tls" }, { dial: opaqueDial })).toMatchObject({
    scope: "connection",
  });
});

test("a port that is closed as soon as it is opened is the line's: nobody is behind it", async () => {
  const sink = await sinkOf((connection) => connection.end());
  expect(await check(sink, { security: "tls" }, { dial: opaqueDial })).toMatchObject({
    stage: "connect",
    fault: "line",
  });
});

test("a handshake that breaks once is not held against the account", async () => {
  const sink = await sinkOf(async (connection, index) => {
    if (index > 0) return startTlsServer()(connection);
    await greet(connection, "STARTTLS");
    await connection.line();
    connection.say("220 go");
    connection.reset();
  });
  const dial: Dial = async (target, signal) => {
    const duplex = await trustingDial(target, signal);
    const startTls = () => duplex.startTls().catch(() => Promise.reject(new Error("internal")));
    return { ...duplex, startTls };
  };
  expect(await check(sink, { security: "starttls" }, { dial })).toMatchObject({ ok: true });
  expect(sink.connections).toHaveLength(2);
});

test("TLS on a port that begins in clear is told from a bad certificate", async () => {
  const sink = await sinkOf((connection) => connection.say("220 plain"));
  for (const dial of [undefined, opaqueDial]) {
    const report = await check(sink, { security: "tls" }, dial ? { dial } : {});
    expect(report).toMatchObject({ stage: "tls", fault: "account" });
    expect(report.message).toContain("choose the security starttls");
  }
});

test("a server that waits for TLS on a port taken for plain is found out", async () => {
  const sink = await sinkOf((connection, index) => {
    if (index === 0) return;
    connection.startTls();
    connection.say("220 hi");
  });
  const report = await check(sink, { security: "starttls" }, { timeouts: shortTimeouts });
  expect(report).toMatchObject({ stage: "tls", fault: "account" });
  expect(report.message).toContain("speaks TLS from the first byte: choose the security tls");
});
