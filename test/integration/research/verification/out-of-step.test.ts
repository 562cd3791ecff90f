import { afterEach, describe, expect, test } from "vitest";
import { decide } from "#src/domain/research/verification/decide.ts";
import { REASONS } from "#src/domain/research/verification/outcome.ts";
import type { SinkConnection } from "../../mail/raw-sink.ts";
import { closeSinks, hostThat, listen, planFor, probeOf, RANDOM, TARGET } from "./setting.ts";

afterEach(closeSinks);

const NO = "550 5.1.1 User unknown";
const YES = "250 2.1.5 OK";

async function ask(
  serve: (connection: SinkConnection) => Promise<void>,
  { random = RANDOM, budgetMs = 4_000 }: { random?: string | null; budgetMs?: number } = {},
) {
  const sink = await listen(serve);
  const run = await probeOf({ "mx.corp.zz": sink.port }).probe(planFor({ random, budgetMs }));
  await run.closed;
  const { reason } = decide(run, TARGET, { isCatchAll: random === null ? false : null });
  return { outcome: REASONS[reason], reason, run, sink };
}

/** Says each reply when the command behind its own has come: one line too many was said where `surplusAt` is asked. */
const oneBehind = (surplusAt: string, surplus: string, replyTo: (line: string) => string) =>
  async function serve(connection: SinkConnection) {
    let owed: string | null = null;
    connection.say("220 mx ready");
    for (let line = await connection.line(); line !== null; line = await connection.line()) {
      if (owed !== null) {
        connection.say(owed);
        owed = replyTo(line);
      } else if (line.startsWith(surplusAt)) {
        connection.say(surplus);
        owed = replyTo(line);
      } else connection.say(replyTo(line));
    }
  };

const refusing =
  (yes: string, no: string, exists: readonly string[] = []) =>
  (line: string): string => {
    if (line === "QUIT") return "221 bye";
    if (!line.startsWith("RCPT")) return "250 OK";
    return exists.some((each) => line.includes(each)) ? yes : no;
  };

describe("a line too many", () => {
  test.each(["250 OK", "250 2.0.0 OK", "250-two\r\n250 lines", YES])(
    "%j before MAIL's answer makes no address valid that does not exist",
    async (surplus) => {
      for (const random of [RANDOM, null]) {
        const { outcome, reason } = await ask(
          oneBehind("MAIL", surplus, refusing("250 OK", "550 no such user")),
          { random },
        );
        expect([outcome, reason]).toEqual(["unknown", "broken_host"]);
      }
    },
  );

  test("at any command, and in each way of saying yes and no, proves nothing", async () => {
    for (const [yes, no] of [
      ["250 OK", "550 no such user"],
      [YES, NO],
    ] as const)
      for (const at of ["EHLO", "MAIL", `RCPT TO:<${TARGET}`, `RCPT TO:<${RANDOM}`])
        for (const surplus of [yes, no])
          for (const exists of [[], [TARGET], [TARGET, RANDOM]]) {
            const { outcome, sink } = await ask(oneBehind(at, surplus, refusing(yes, no, exists)), {
              budgetMs: 1_500,
            });
            const wasSaid = sink.connections[0]!.received.some((line) => line.startsWith(at));
            const right = wasSaid ? "unknown" : "invalid";
            expect([at, surplus, exists, outcome]).toEqual([at, surplus, exists, right]);
          }
  });

  test("an acceptance that a refusal follows, of one and the same address, is none", async () => {
    const unknown = `550 5.1.1 <${TARGET}>: unknown`;
    const serve = oneBehind(`RCPT TO:<${TARGET}`, YES, (line) =>
      line.includes(TARGET) ? unknown : refusing(YES, NO)(line),
    );
    for (const random of [RANDOM, null])
      expect(await ask(serve, { random })).toMatchObject({ reason: "broken_host" });
  });

  test("with its successor in one packet ends the session before more is asked", async () => {
    const { outcome, sink } = await ask(
      hostThat({ mail: () => "250 OK\r\n250 OK", rcpt: () => NO }),
    );
    expect(outcome).toBe("unknown");
    expect(sink.connections[0]!.received.filter((line) => line.startsWith("RCPT"))).toEqual([]);
  });

  // Where it falls in the dialogue is the machine's chance; that no address is made valid by it is not.
  test.each([0, 1, 2, 3, 5, 50, 300])("%i ms after EHLO's reply", async (afterMs) => {
    const pace = afterMs < 50 ? 0 : afterMs / 4;
    for (let time = 0; time < 5; time++) {
      const { outcome } = await ask(async (connection) => {
        const replyTo = refusing("250 OK", "550 no such user");
        connection.say("220 mx ready");
        for (let line = await connection.line(); line !== null; line = await connection.line()) {
          if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
          connection.say(replyTo(line));
          if (line.startsWith("EHLO")) setTimeout(() => connection.say("250 OK"), afterMs);
          if (line === "QUIT") return connection.end();
        }
      });
      expect(["unknown", "invalid"]).toContain(outcome);
    }
  });
});

/** Answers as `rcpt` says; what follows its answers is up to the test. */
const leaving =
  (rcpt: (to: string) => string, atQuit: (connection: SinkConnection) => void) =>
  async (connection: SinkConnection) => {
    connection.say("220 mx ready");
    for (let line = await connection.line(); line !== null; line = await connection.line()) {
      if (line === "QUIT") return atQuit(connection);
      connection.say(line.startsWith("RCPT") ? rcpt(/<(.*)>/.exec(line)![1]!) : "250 OK");
    }
  };

const LEAVES: Record<string, (connection: SinkConnection) => void> = {
  "closes at QUIT": (connection) => connection.end(),
  "resets at QUIT": (connection) => connection.reset(),
  "is silent at QUIT": () => {},
  "answers QUIT with 421": (connection) => {
    connection.say("421 4.4.2 closing");
    connection.end();
  },
};

describe("without 221", () => {
  const barely = (to: string) => (to === TARGET ? "250 OK" : "550 no such user");
  const byName = (to: string) =>
    to === TARGET ? "250 OK" : `550 <${to.toUpperCase()}>: no such user`;
  const others = (to: string) =>
    to === TARGET ? "250 OK" : `550 <x${to}>, <${to}.zz>: no such user`;

  test.each(Object.keys(LEAVES))(
    "a host that %s is believed what names its address",
    async (how) => {
      expect(await ask(leaving(byName, LEAVES[how]!))).toMatchObject({ reason: "mailbox_exists" });
      for (const rcpt of [barely, others])
        expect(await ask(leaving(rcpt, LEAVES[how]!))).toMatchObject({ outcome: "unknown" });
    },
  );

  test("the answer to the one recipient named so far is believed when it speaks of a recipient", async () => {
    const says = (reply: string) =>
      ask(
        leaving(() => reply, LEAVES["closes at QUIT"]!),
        { random: null },
      );
    expect(await says("250 2.1.5 OK")).toMatchObject({ outcome: "valid" });
    expect(await says("550 5.1.1 OK")).toMatchObject({ outcome: "invalid" });
    expect(await says("550 unknown user")).toMatchObject({ outcome: "invalid" });
    expect(await says("250 2.1.0 OK")).toMatchObject({ outcome: "unknown" });
  });

  test("a host that takes its time for recipients gets as much for QUIT", async () => {
    const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const serve = async (connection: SinkConnection) => {
      connection.say("220 mx ready");
      for (let line = await connection.line(); line !== null; line = await connection.line()) {
        if (line.startsWith("RCPT")) await after(900);
        if (line === "QUIT") await after(1_300);
        connection.say(line === "QUIT" ? "221 bye" : "250 OK");
      }
    };
    expect(await ask(serve, { random: null })).toMatchObject({ outcome: "valid" });
  });

  test("421 said unasked is a goodbye, at whatever point", async () => {
    const at = (verb: string) => async (connection: SinkConnection) => {
      connection.say("220 mx ready");
      for (let line = await connection.line(); line !== null; line = await connection.line()) {
        const reply = line.startsWith("RCPT") ? NO : "250 OK";
        if (!line.startsWith(verb)) connection.say(reply);
        else {
          connection.say(reply, "421 4.7.0 too many errors");
          return connection.end();
        }
      }
    };
    expect(await ask(at("RCPT"))).toMatchObject({ reason: "no_such_user" });
    expect(await ask(at("MAIL"))).toMatchObject({ reason: "unreachable" });
  });
});
