import { afterEach, describe, expect, test } from "vitest";
import type { OutgoingRaw, SendResult } from "../../../src/providers/mail/index.ts";
import { acceptAll, answerEhlo, greet, type SinkConnection } from "./raw-sink.ts";
import {
  closeAll,
  letter,
  openSession,
  poolFor,
  greeting,
  shortTimeouts,
  sinkOf,
} from "./smtp-setting.ts";

afterEach(closeAll);

/** Reads commands up to BDAT and its bytes; what was said, and the body. */
async function takeWhole(
  connection: SinkConnection,
): Promise<{ said: string[]; body: string | null }> {
  const said: string[] = [];
  for (;;) {
    const line = await connection.line();
    if (line === null) return { said, body: null };
    said.push(line);
    const size = /^BDAT (\d+) LAST$/.exec(line)?.[1];
    if (size !== undefined) return { said, body: await connection.bytes(Number(size)) };
  }
}

/** A server that reads a message whole before it says a word, and then these. */
const answering =
  (...replies: string[]) =>
  async (connection: SinkConnection) => {
    await greet(connection, "PIPELINING", "CHUNKING", "8BITMIME");
    await takeWhole(connection);
    connection.say(...replies);
    await acceptAll(connection);
  };

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** Its state, and of a refusal scope, code and stage. */
const inWords = (result: SendResult) =>
  result.state === "rejected" || result.state === "deferred"
    ? [result.state, result.scope, result.code, result.stage].join(" ")
    : result.state;

describe("with PIPELINING", () => {
  test("envelope and body arrive before any answer, the bytes as they were given", async () => {
    const taken: unknown[] = [];
    const sink = await greeting(
      ["PIPELINING", "CHUNKING", "SIZE 100000", "8BITMIME"],
      async (connection) => {
        taken.push(await takeWhole(connection));
        connection.say("250 ok", "250 ok", "250 2.0.0 queued as 1");
      },
    );
    const every = String.fromCharCode(
      ...Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => ![10, 13].includes(byte)),
    );
    const raw = bytes(`Subject: x\r\n\r\n.dot\r\n.\r\n..two\r\n${every}\r\nno newline at the end`);
    const session = await openSession(sink);
    expect(await session.send({ ...letter("a"), raw })).toEqual({
      state: "accepted",
      reply: "250 2.0.0 queued as 1",
    });
    expect(taken).toEqual([
      {
        said: [
          `MAIL FROM:<me@sender.zz> SIZE=${raw.length} BODY=8BITMIME`,
          "RCPT TO:<lead@example.zz>",
          `BDAT ${raw.length} LAST`,
        ],
        body: String.fromCharCode(...raw),
      },
    ]);
  });

  test("each message of a warm session is one round trip", async () => {
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      for (;;) {
        if ((await takeWhole(connection)).body === null) return;
        connection.say("250 ok", "250 ok", "250 queued");
      }
    });
    const { pool, credentials } = poolFor(sink);
    for (const id of ["a", "b", "c"])
      expect(await pool.send(credentials, letter(id))).toMatchObject({ state: "accepted" });
    expect(sink.connections).toHaveLength(1);
  });

  test.each([
    ["MAIL", ["550 5.7.1 not you", "503 no sender", "503 no sender"], "rejected sender 550 mail"],
    ["MAIL for now", ["451 4.3.0 later", "503 no", "503 no"], "deferred connection 451 mail"],
    ["RCPT", ["250 ok", "550 5.1.1 no such user", "554 none"], "rejected recipient 550 rcpt"],
    ["RCPT for now", ["250 ok", "450 4.2.0 grey", "503 none"], "deferred recipient 450 rcpt"],
    ["RCPT, and takes the message", ["250", "550 5.1.1 no", "250"], "rejected recipient 550 rcpt"],
    ["BDAT", ["250 ok", "250 ok", "554 5.6.0 malformed"], "rejected message 554 final"],
    ["BDAT for now", ["250 ok", "250 ok", "452 4.3.1 full"], "deferred connection 452 final"],
  ])("a refusal of %s is the message's, and the next begins anew", async (_, replies, words) => {
    const sink = await sinkOf(answering(...replies));
    const session = await openSession(sink);
    expect(inWords(await session.send(letter("a")))).toBe(words);
    expect(await session.send(letter("b"))).toMatchObject({ state: "accepted" });
    expect(sink.connections[0]!.received.slice(4, 6)).toEqual(["RSET", "MAIL FROM:<me@sender.zz>"]);
  });

  test.each<[string, string[], string, how?: "end" | "reset"]>([
    ["before the reply to MAIL", [], "unknown"],
    ["before the reply to MAIL, by a reset", [], "unknown", "reset"],
    ["after the reply to MAIL", ["250 ok"], "unknown"],
    ["after the reply to RCPT", ["250 ok", "250 ok"], "unknown"],
    ["after a refused MAIL", ["550 5.7.1 no"], "rejected sender 550 mail"],
    ["after a refused RCPT", ["250 ok", "550 5.1.1 no"], "rejected recipient 550 rcpt"],
    ["with 421 to MAIL", ["421 4.3.2 bye"], "deferred connection 421 mail"],
    ["with 421 to RCPT", ["250 ok", "421 4.3.2 bye"], "deferred connection 421 rcpt"],
    ["with 421 to BDAT", ["250 ok", "250 ok", "421 4.3.2 bye"], "deferred connection 421 final"],
    ["with gibberish to BDAT", ["250 ok", "250 ok", "OK"], "unknown"],
  ])("a server that has the bytes and leaves %s", async (_, replies, words, how = "end") => {
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      await takeWhole(connection);
      connection.say(...replies);
      connection[how]();
    });
    const { pool, credentials } = poolFor(sink);
    expect(inWords(await pool.send(credentials, letter("a")))).toBe(words);
    // Never a second copy.
    expect(sink.connections).toHaveLength(1);
  });

  test("a server that hangs with the bytes leaves the message unknown", async () => {
    const sink = await sinkOf(answering("250 ok", "250 ok"));
    const session = await openSession(sink, { timeouts: { final: 50, quit: 10 } });
    expect(await session.send(letter("a"))).toMatchObject({ state: "unknown" });
    expect(session.usable).toBe(false);
  });

  test("421 ends the wait, also when the server does not close the line", async () => {
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      await takeWhole(connection);
      connection.say("421 4.3.2 shutting down");
    });
    const session = await openSession(sink, { timeouts: { command: 60_000, quit: 10 } });
    expect(await session.send(letter("a"))).toMatchObject({ state: "deferred", code: 421 });
    expect(session.usable).toBe(false);
  });
});

describe("after a pause", () => {
  /** Answers line by line, so that it does not matter in how many writes the message comes. */
  async function takeOne(connection: SinkConnection): Promise<void> {
    for (let n = 0; n < 2; n++) {
      await connection.line();
      connection.say("250 ok");
    }
    await connection.bytes(Number((await connection.line())!.split(" ")[1]));
    connection.say("250 queued");
  }

  test("MAIL goes out alone, and the rest only once it was answered", async () => {
    const seen: unknown[] = [];
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      await takeOne(connection);
      seen.push(await connection.line(), connection.waiting());
      connection.say("250 ok");
      seen.push((await takeWhole(connection)).said);
      connection.say("250 ok", "250 queued");
    });
    const session = await openSession(sink, { idleMs: 1 });
    expect(await session.send(letter("a"))).toMatchObject({ state: "accepted" });
    await idle();
    expect(await session.send(letter("b"))).toMatchObject({ state: "accepted" });
    expect(seen).toEqual([
      "MAIL FROM:<me@sender.zz>",
      0,
      ["RCPT TO:<lead@example.zz>", "BDAT 21 LAST"],
    ]);
  });

  test("a server that left meanwhile costs a reconnect, not the message", async () => {
    for (const leave of ["end", "reset", "421 4.4.2 idle for too long", "silent"] as const) {
      const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection, index) => {
        if (index > 0) return acceptAll(connection);
        await takeOne(connection);
        if (leave === "end" || leave === "reset") return connection[leave]();
        if (leave !== "silent") {
          connection.say(leave);
          return connection.end();
        }
        await connection.line();
        connection.reset();
      });
      const { pool, credentials } = poolFor(sink, { idleMs: 1 });
      expect(await pool.send(credentials, letter("a"))).toMatchObject({ state: "accepted" });
      await idle();
      expect(await pool.send(credentials, letter("b"))).toMatchObject({ state: "accepted" });
      expect(sink.connections).toHaveLength(2);
      await pool.close();
    }
  });

  for (const goodbye of [[], ["421 4.7.0 one message a connection"]])
    test(`a server seen leaving right after its answer costs a reconnect, not the message (${goodbye[0] ?? "no word"})`, async () => {
      const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection, index) => {
        if (index > 0) return acceptAll(connection);
        await takeWhole(connection);
        connection.say("250 ok", "250 ok", "250 queued", ...goodbye);
        connection.end();
      });
      const { pool, credentials } = poolFor(sink, { idleMs: 60_000 });
      expect(await pool.send(credentials, letter("a"))).toMatchObject({ state: "accepted" });
      // The end of the line is heard before anything is said, as it is between two sends of a tick.
      await idle();
      expect(await pool.send(credentials, letter("b"))).toMatchObject({ state: "accepted" });
      expect(sink.connections).toHaveLength(2);
    });

  test("a server that leaves right behind its answer is heard before the next message, mostly", async () => {
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection, index) => {
        if (index > 0) return acceptAll(connection);
        await takeWhole(connection);
        connection.say("250 ok", "250 ok", "250 queued");
        connection.end();
      });
      const { pool, credentials } = poolFor(sink, { idleMs: 60_000 });
      await pool.send(credentials, letter("a"));
      // At once: on a busy machine the end of the line may come behind it, and then the message is in doubt.
      if ((await pool.send(credentials, letter("b"))).state === "accepted") accepted++;
      await pool.close();
    }
    expect(accepted).toBeGreaterThan(ROUNDS / 2);
  });
});

const ROUNDS = 20;
/** Long enough for a timer of 1 ms and for what the peer did to be heard of. */
const idle = () => new Promise((resolve) => setTimeout(resolve, 25));

describe("a large message", () => {
  const large = (id: string): OutgoingRaw =>
    letter(id, `Subject: ${id}\r\n\r\n${`.${"x".repeat(996)}\r\n`.repeat(3_000)}`);

  test("of 3 MB arrives whole while the server reads at its own pace", async () => {
    const bodies: (string | null)[] = [];
    const sink = await greeting(["PIPELINING", "CHUNKING", "SIZE 5000000"], async (connection) => {
      for (let n = 0; n < 2; n++) {
        await connection.line();
        connection.say("250 ok");
      }
      const size = Number((await connection.line())!.split(" ")[1]);
      const parts: (string | null)[] = [];
      for (let left = size; left > 0; left -= 10_000)
        parts.push(await connection.bytes(Math.min(left, 10_000)));
      bodies.push(parts.join(""));
      connection.say("250 queued");
    });
    const message = large("a");
    const session = await openSession(sink, { timeouts: { final: 20_000, dataBlock: 20_000 } });
    expect(await session.send(message)).toMatchObject({ state: "accepted" });
    expect(bodies[0] === new TextDecoder("latin1").decode(message.raw)).toBe(true);
  });

  test("is not written on when the server stops reading, and was not sent then", async () => {
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      for (let n = 0; n < 2; n++) await connection.line();
      connection.stopReading();
      connection.say("250 ok", "250 ok");
    });
    const huge = letter("a", `a: b\r\n\r\n${`${"x".repeat(998)}\r\n`.repeat(20_000)}`);
    const session = await openSession(sink, { timeouts: shortTimeouts });
    expect(await session.send(huge)).toMatchObject({
      state: "deferred",
      scope: "connection",
      stage: "data",
    });
    expect(session.usable).toBe(false);
  });

  test("does not leave when its recipient is refused", async () => {
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      for (let n = 0; n < 2; n++) await connection.line();
      connection.say("250 ok", "550 5.1.1 no such user");
      await acceptAll(connection);
    });
    const session = await openSession(sink);
    expect(await session.send(large("a"))).toMatchObject({ state: "rejected", stage: "rcpt" });
    expect(await session.send(letter("b"))).toMatchObject({ state: "accepted" });
    const verbs = sink.connections[0]!.received.map((line) => line.split(" ")[0]);
    expect(verbs).toEqual(["EHLO", "MAIL", "RCPT", "RSET", "MAIL", "RCPT", "BDAT"]);
  });
});

describe("without PIPELINING", () => {
  const serve = (replies: string[]) => async (connection: SinkConnection) => {
    await greet(connection, "CHUNKING");
    for (const reply of replies) {
      const line = await connection.line();
      const size = /^BDAT (\d+) LAST$/.exec(line ?? "")?.[1];
      if (size !== undefined) await connection.bytes(Number(size));
      connection.say(reply);
    }
    await acceptAll(connection);
  };

  test("each command waits for its answer, and the body goes with BDAT", async () => {
    const sink = await sinkOf(serve(["250 ok", "250 ok", "250 queued"]));
    const session = await openSession(sink);
    expect(await session.send(letter("a"))).toEqual({ state: "accepted", reply: "250 queued" });
  });

  test("nothing is said after a refused recipient but RSET", async () => {
    const sink = await sinkOf(serve(["250 ok", "550 5.1.1 no such user"]));
    const session = await openSession(sink);
    expect(await session.send(letter("a"))).toMatchObject({ state: "rejected", stage: "rcpt" });
    expect(await session.send(letter("b"))).toMatchObject({ state: "accepted" });
    const verbs = sink.connections[0]!.received.map((line) => line.split(" ")[0]);
    expect(verbs).toEqual(["EHLO", "MAIL", "RCPT", "RSET", "MAIL", "RCPT", "BDAT"]);
  });

  for (const [at, count] of [
    ["mail", 0],
    ["rcpt", 1],
  ] as const)
    test(`the server leaving at ${at} defers the message: no body was sent`, async () => {
      const sink = await greeting(["CHUNKING"], async (connection) => {
        for (let n = 0; n < count; n++) {
          await connection.line();
          connection.say("250 ok");
        }
        await connection.line();
        connection.end();
      });
      expect(await (await openSession(sink)).send(letter("a"))).toMatchObject({
        state: "deferred",
        scope: "connection",
        stage: at,
      });
    });
});

describe("a window of more than one message", () => {
  test("is in flight at once, and a lost line leaves at most that many unknown", async () => {
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      // The whole window has arrived before the first answer.
      for (let seen = 0; seen < 4; seen++) await takeWhole(connection);
      connection.say("250 ok", "250 ok", "250 queued 0");
      connection.say("250 reset", "250 ok", "250 ok", "250 queued 1");
      connection.say("250 reset", "250 ok", "550 5.1.1 unknown user", "503 no recipients");
      connection.end();
    });
    const session = await openSession(sink, { window: 4 });
    const results = new Map<string, SendResult["state"]>();
    const messages = Array.from({ length: 9 }, (_, index) => letter(String(index)));
    await session.sendAll(messages, (id, { state }) => results.set(id, state));
    const states = messages.map(({ id }) => results.get(id));
    expect(states.slice(0, 3)).toEqual(["accepted", "accepted", "rejected"]);
    expect(states.filter((state) => state === "unknown").length).toBeLessThanOrEqual(4);
    expect(states.slice(3).every((state) => state === "unknown" || state === "deferred")).toBe(
      true,
    );
  });

  test("large and small, good and bad messages keep their own results", async () => {
    const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
      for (let line = await connection.line(); line !== null; line = await connection.line()) {
        const size = /^BDAT (\d+) LAST$/.exec(line)?.[1];
        if (size !== undefined) await connection.bytes(Number(size));
        connection.say(line.includes("nobody") ? "550 5.1.1 unknown" : "250 ok");
      }
    });
    const session = await openSession(sink, { window: 3 });
    const results: string[] = [];
    const big = `a: b\r\n\r\n${`${"x".repeat(98)}\r\n`.repeat(2_000)}`;
    await session.sendAll(
      [
        letter("small"),
        letter("bad", undefined, "nobody@example.zz"),
        letter("big", big),
        letter("bad big", big, "nobody@example.zz"),
        letter("last"),
        letter("local", "a\n"),
      ],
      (id, { state }) => results.push(`${id} ${state}`),
    );
    expect(results).toEqual([
      "local rejected",
      "small accepted",
      "bad rejected",
      "big accepted",
      "bad big rejected",
      "last accepted",
    ]);
  });
});

test("a server that offers CHUNKING and does not know BDAT gets the message by DATA, once", async () => {
  const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
    for (let line = await connection.line(); line !== null; line = await connection.line()) {
      if (line.startsWith("BDAT")) {
        connection.say("502 5.5.1 command not implemented");
        await connection.left;
        return;
      }
      if (line === "DATA") {
        connection.say("354 go");
        await connection.body();
      }
      connection.say("250 ok");
    }
  });
  const { pool, credentials } = poolFor(sink);
  for (const id of ["a", "b"])
    expect(await pool.send(credentials, letter(id))).toMatchObject({ state: "accepted" });
  expect(sink.connections).toHaveLength(2);
  expect(sink.connections[1]!.received.filter((line) => line === "DATA")).toHaveLength(2);
});

test("a server that does not swallow the chunk of a refused recipient is not believed any more", async () => {
  const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
    for (let line = await connection.line(); line !== null; line = await connection.line()) {
      const verb = /^(MAIL|RCPT|BDAT|DATA|RSET|QUIT)\b/.exec(line)?.[1];
      if (verb === "DATA") {
        connection.say("354 go");
        await connection.body();
        connection.say("250 queued");
      } else if (line.includes("nobody@")) connection.say("550 5.1.1 no such user");
      else if (verb === "BDAT") connection.say("503 5.5.1 no recipients");
      else connection.say(verb === undefined ? "500 5.5.2 what?" : "250 ok");
    }
  });
  const { pool, credentials } = poolFor(sink);
  const lines = "Subject: x\r\n\r\nRSET\r\nMAIL FROM:<x@y.zz>\r\nbye\r\n";
  expect(await pool.send(credentials, letter("a", lines, "nobody@example.zz"))).toMatchObject({
    state: "rejected",
    code: 550,
    stage: "rcpt",
  });
  expect(await pool.send(credentials, letter("b"))).toEqual({
    state: "accepted",
    reply: "250 queued",
  });
  expect(sink.connections).toHaveLength(2);
});

test("after one message in doubt the account's others go by DATA, where fewer can get lost", async () => {
  const sink = await greeting(["PIPELINING", "CHUNKING"], async (connection) => {
    for (let line = await connection.line(); line !== null; line = await connection.line()) {
      if (line.startsWith("BDAT") && connection.received.at(-2)?.includes("lost@"))
        return connection.end();
      if (line.startsWith("BDAT")) await connection.bytes(Number(line.split(" ")[1]));
      if (line === "DATA") {
        connection.say("354 go");
        await connection.body();
      }
      connection.say("250 ok");
    }
  });
  const { pool, credentials } = poolFor(sink, { maxPerAccount: 2 });
  // Two sessions, of which one is idle when the other loses its message.
  await Promise.all(["a", "b"].map((id) => pool.send(credentials, letter(id))));
  expect(await pool.send(credentials, letter("c", undefined, "lost@example.zz"))).toMatchObject({
    state: "unknown",
  });
  for (const id of ["d", "e"])
    expect(await pool.send(credentials, letter(id))).toMatchObject({ state: "accepted" });
  const said = sink.connections.map(({ received }) =>
    received.flatMap((line) => /^(BDAT|DATA)\b/.exec(line)?.[1] ?? []).join(" "),
  );
  expect(said.toSorted()).toEqual(["BDAT", "BDAT BDAT", "DATA DATA"]);
});

test("a server known to hang on BDAT gets DATA, whatever it offers", async () => {
  const sink = await sinkOf(async (connection) => {
    connection.say("220 mail.example.zz Microsoft ESMTP MAIL Service ready at Mon, 5 May 2025");
    await connection.line();
    await answerEhlo(connection, "PIPELINING", "CHUNKING");
    await acceptAll(connection);
  });
  const session = await openSession(sink);
  expect(await session.send(letter("a"))).toMatchObject({ state: "accepted" });
  expect(sink.connections[0]!.received).toContain("DATA");
});
