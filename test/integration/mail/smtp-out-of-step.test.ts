import { afterEach, describe, expect, test } from "vitest";
import type { SendResult } from "../../../src/providers/mail/index.ts";
import { acceptAll, greet, type SinkConnection } from "./raw-sink.ts";
import { closeAll, letter, openSession, poolFor, sinkOf } from "./smtp-setting.ts";

afterEach(closeAll);

const NO_SUCH_USER = "550 5.1.1 no such user";
const WAYS = { DATA: [], "DATA, pipelined": ["PIPELINING"], BDAT: ["PIPELINING", "CHUNKING"] };

/**
 * Takes messages but for those of `nobody`, and says something more where `after` is the stage that was just answered.
 */
async function speakMore(
  connection: SinkConnection,
  after: "ehlo" | "mail" | "message",
  more: string[],
): Promise<void> {
  let isRefused = false;
  let left = more;
  const answer = (stage: string, reply: string) => {
    const lines = stage === after ? [reply, ...left] : [reply];
    if (stage === after) left = [];
    connection.say(...lines);
  };
  const verdict = () => (isRefused ? "503 5.5.1 no recipients" : "250 2.0.0 queued");
  if (after === "ehlo" && left.length > 0) {
    connection.say(...left);
    left = [];
  }
  for (let line = await connection.line(); line !== null; line = await connection.line()) {
    if (line.startsWith("RCPT")) {
      isRefused = line.includes("nobody");
      connection.say(isRefused ? NO_SUCH_USER : "250 2.1.5 ok");
    } else if (line.startsWith("MAIL")) answer("mail", "250 2.1.0 ok");
    else if (line === "DATA" && !isRefused) {
      connection.say("354 go on");
      await connection.body();
      answer("message", verdict());
    } else if (line === "DATA") connection.say(verdict());
    else if (line.startsWith("BDAT")) {
      await connection.bytes(Number(line.split(" ")[1]));
      answer("message", verdict());
    } else connection.say(line === "QUIT" ? "221 bye" : "250 2.0.0 ok");
  }
}

const nobody = (id: string) => letter(id, undefined, "nobody@example.zz");

describe.each(Object.entries(WAYS))("a line too many, %s", (_, extensions) => {
  test.each([
    ["ehlo", ["250 more"]],
    ["ehlo", ["250 more", "250 more"]],
    ["ehlo", ["550 5.1.1 more"]],
  ] as const)(
    "before the first message (%s, %j): nothing is taken for sent or refused",
    async (_, more) => {
      const sink = await sinkOf(async (connection) => {
        connection.say("220 sink ready");
        await connection.line();
        const all = ["sink", ...extensions];
        const lines = all.map((text, at) => `250${at === all.length - 1 ? " " : "-"}${text}`);
        connection.sayRaw(`${[...lines, ...more].join("\r\n")}\r\n`);
        await speakMore(connection, "message", []);
      });
      const session = await openSession(sink);
      for (const message of [nobody("a"), letter("b")])
        expect(await session.send(message)).toMatchObject({
          state: "deferred",
          scope: "connection",
        });
      expect(sink.connections[0]!.received.some((line) => line.startsWith("RCPT"))).toBe(false);
    },
  );

  test.each([[["250 more"]], [["250 more", "250 more"]], [["550 5.1.1 more"]]])(
    "behind a message (%j): the next ones go over another connection, each with its own result",
    async (more) => {
      const sink = await sinkOf(async (connection, index) => {
        await greet(connection, ...extensions);
        await speakMore(connection, "message", index === 0 ? more : []);
      });
      const { pool, credentials } = poolFor(sink, { maxPerAccount: 1 });
      await pool.send(credentials, letter("a"));
      expect(await pool.send(credentials, nobody("b"))).toMatchObject({
        state: "rejected",
        scope: "recipient",
      });
      expect(await pool.send(credentials, letter("c"))).toMatchObject({ state: "accepted" });
      expect(sink.connections).toHaveLength(2);
    },
  );
});

test("an acceptance that a refusal follows is in doubt, and one that a goodbye follows is not", async () => {
  for (const extensions of Object.values(WAYS))
    for (const [more, state] of [
      ["554 5.6.0 malformed", "unknown"],
      ["250 2.0.0 queued", "accepted"],
      ["421 4.4.2 closing", "accepted"],
    ] as const) {
      const sink = await sinkOf(async (connection) => {
        await greet(connection, ...extensions);
        await speakMore(connection, "message", [more]);
      });
      const session = await openSession(sink);
      expect([more, (await session.send(letter("a"))).state]).toEqual([more, state]);
    }
});

test("behind 354 it is no acceptance of a message that was not sent yet", async () => {
  for (const [more, result] of [
    ["250 2.0.0 more", { state: "deferred", scope: "connection", stage: "data" }],
    ["552 5.3.4 too big", { state: "rejected", stage: "final", code: 552 }],
  ] as const) {
    const sink = await sinkOf(async (connection) => {
      await greet(connection, "PIPELINING");
      for (let n = 0; n < 3; n++) await connection.line();
      connection.say("250 ok", "250 ok", "354 go on", more);
      await connection.body();
      connection.say("554 5.6.0 malformed");
    });
    const session = await openSession(sink);
    expect(await session.send(letter("a"))).toMatchObject(result);
    expect(session.usable).toBe(false);
  }
});

test("behind MAIL's answer it is no answer to RCPT", async () => {
  const sink = await sinkOf(async (connection) => {
    await greet(connection);
    await speakMore(connection, "mail", ["250 2.1.5 ok"]);
  });
  const session = await openSession(sink);
  expect(await session.send(nobody("a"))).toMatchObject({ state: "deferred", scope: "connection" });
  expect(sink.connections[0]!.received.some((line) => line.startsWith("RCPT"))).toBe(false);
});

test("a refused RSET is an answer to something else: the next message is not refused by it", async () => {
  const sink = await sinkOf(async (connection, index) => {
    await greet(connection);
    if (index > 0) return acceptAll(connection);
    const replies = ["250 ok", NO_SUCH_USER, "503 5.5.1 no recipients"];
    for (const reply of replies) {
      await connection.line();
      connection.say(reply);
    }
    await acceptAll(connection);
  });
  const { pool, credentials } = poolFor(sink, { maxPerAccount: 1 });
  const results: SendResult[] = [];
  for (const id of ["a", "b"]) results.push(await pool.send(credentials, letter(id)));
  expect(results).toMatchObject([{ state: "rejected", scope: "recipient" }, { state: "accepted" }]);
});
