import { afterEach, describe, expect, test } from "vitest";
import { decide } from "#src/domain/research/verification/decide.ts";
import { REASONS } from "#src/domain/research/verification/outcome.ts";
import type { SinkConnection } from "../../mail/raw-sink.ts";
import { closeSinks, listen, planFor, probeOf, TARGET } from "./setting.ts";

afterEach(closeSinks);

/** Says something again and again until the client leaves. */
function repeat(connection: SinkConnection, bytes: string, everyMs: number): void {
  const timer = setInterval(() => connection.sayRaw(bytes), everyMs);
  void connection.left.then(() => clearInterval(timer));
}

const upTo = async (connection: SinkConnection, ...replies: string[]) => {
  for (const reply of replies) {
    await connection.line();
    connection.say(reply);
  }
};

const HOSTILE: Record<string, (connection: SinkConnection) => unknown> = {
  "never greets": () => {},
  "drips its banner": (connection) => repeat(connection, "2", 50),
  "greets without end": (connection) => repeat(connection, "220-mx\r\n".repeat(1_000), 1),
  "sends a line of 100 kB": (connection) => connection.sayRaw(`220 ${"x".repeat(100_000)}\r\n`),
  "sends bytes without a line": (connection) => repeat(connection, "x".repeat(60_000), 1),
  "speaks HTTP": (connection) => connection.say("HTTP/1.1 400 Bad Request"),
  "mixes codes in one reply": (connection) => connection.say("220-mx", "250 mx"),
  "resets at once": (connection) => connection.reset(),
  "closes without a word": (connection) => connection.end(),
  "answers before it is asked": (connection) =>
    connection.say("220 mx", "250 mx", "250 OK", "250 OK", "550 5.1.1 no"),
  "answers EHLO with 354": (connection) => {
    connection.say("220 mx");
    return upTo(connection, "354 go on", "354 go on");
  },
  "says nothing to MAIL": (connection) => {
    connection.say("220 mx");
    return upTo(connection, "250 mx");
  },
  "resets at RCPT": async (connection) => {
    connection.say("220 mx");
    await upTo(connection, "250 mx", "250 OK");
    await connection.line();
    connection.reset();
  },
  "drips its answer to RCPT": async (connection) => {
    connection.say("220 mx");
    await upTo(connection, "250 mx", "250 OK");
    await connection.line();
    repeat(connection, "5", 30);
  },
  "says 99 codes": (connection) => connection.say("099 what"),
};

const BUDGET_MS = 700;

describe("a host that", () => {
  test.each(Object.keys(HOSTILE))(
    "%s says nothing of the address, in the time given",
    async (name) => {
      const sink = await listen((connection) => void HOSTILE[name]!(connection));
      const held = process.memoryUsage().arrayBuffers;
      let isLate = false;
      const late = setTimeout(() => (isLate = true), BUDGET_MS + 5_000);
      const run = await probeOf({ "mx.corp.zz": sink.port }).probe(
        planFor({ budgetMs: BUDGET_MS }),
      );
      await run.closed;
      clearTimeout(late);
      expect(isLate).toBe(false);
      expect(REASONS[decide(run, TARGET, { isCatchAll: null }).reason]).toBe("unknown");
      expect(process.memoryUsage().arrayBuffers - held).toBeLessThan(8 * 1024 * 1024);
    },
  );
});

test("the signal ends a probe at once", async () => {
  const sink = await listen(() => {});
  const abort = new AbortController();
  const running = probeOf({ "mx.corp.zz": sink.port }).probe(
    planFor({ budgetMs: 60_000 }),
    abort.signal,
  );
  abort.abort();
  expect((await running).connections.map(({ end }) => end)).toEqual(["timeout"]);
});

test("what is no address never gets on the wire", async () => {
  const probe = probeOf({});
  const recipients = ["a@corp.zz>\r\nDATA", "a b@corp.zz", "<x>@corp.zz"];
  for (const recipient of recipients)
    await expect(probe.probe(planFor({ recipients: [recipient] }))).rejects.toThrow("no address");
});
