import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type PacingRules,
  releaseConnection,
  reserveConnection,
  type Turn,
} from "#db/research/probe-operators.ts";
import { api, useApi } from "../../../support/use-api.ts";

useApi();

const FREELY: PacingRules = {
  connections: 2,
  intervalMs: 0,
  recipientsPerMinute: 0,
  connectionsPerDay: 0,
};
const NINE = Date.parse("2031-05-06T09:00:00Z");
const at = (ms: number) => new Date(NINE + ms);

/** Who asks one operator, the same in each try. */
function caller(operator: string, rest: Partial<Turn> = {}, rules: Partial<PacingRules> = {}) {
  const turn: Turn = {
    operator,
    caller: randomUUID(),
    isUrgent: false,
    recipients: 1,
    patienceMs: 3_000,
    leaseMs: 11_500,
    ...rest,
  };
  return async (now: Date) => {
    const answer = await reserveConnection(api.deps.db, turn, now, { ...FREELY, ...rules });
    const isGranted = answer.kind === "granted";
    const release = async (unnamed = 0, wasMade = true) => {
      if (isGranted) await releaseConnection(api.deps.db, operator, answer, { unnamed, wasMade });
    };
    return { kind: answer.kind, release };
  };
}

describe("who waits for a connection", () => {
  test("gets the next one, though others come in the moment in which it is free", async () => {
    const ask = () => caller("next.zz");
    const [first] = [await ask()(at(0)), await ask()(at(1))];
    const waiting = ask();
    expect((await waiting(at(2))).kind).toBe("busy");
    await first!.release();
    expect((await ask()(at(3))).kind).toBe("busy");
    expect((await waiting(at(250))).kind).toBe("granted");
  });

  test("goes before a dataset's lanes if somebody waits for the answer, and not before others like it", async () => {
    const [first, second] = [
      await caller("urgent.zz")(at(0)),
      await caller("urgent.zz")(at(1)),
    ] as const;
    const lane = caller("urgent.zz");
    const urgent = caller("urgent.zz", { isUrgent: true });
    const another = caller("urgent.zz", { isUrgent: true });
    for (const ask of [lane, urgent, another]) expect((await ask(at(2))).kind).toBe("busy");
    await first.release();
    expect((await lane(at(250))).kind).toBe("busy");
    expect((await another(at(250))).kind).toBe("busy");
    expect((await urgent(at(251))).kind).toBe("granted");
    expect((await another(at(500))).kind).toBe("busy");
    await second.release();
    expect((await lane(at(501))).kind).toBe("busy");
    expect((await another(at(750))).kind).toBe("granted");
  });

  test("and has gone away keeps nobody for more than a second", async () => {
    const [first] = [await caller("away.zz")(at(0)), await caller("away.zz")(at(1))];
    await caller("away.zz")(at(2));
    await first!.release();
    expect((await caller("away.zz")(at(900))).kind).toBe("busy");
    expect((await caller("away.zz")(at(1_003))).kind).toBe("granted");
  });

  test("keeps nobody from the second of two connections that are free", async () => {
    const held = [await caller("both.zz")(at(0)), await caller("both.zz")(at(1))];
    await caller("both.zz")(at(2));
    for (const { release } of held) await release();
    expect((await caller("both.zz")(at(3))).kind).toBe("granted");
  });
});

describe("recipients of a minute", () => {
  const rules = { recipientsPerMinute: 20 };

  test("are never more than an operator is to be told, whoever asks", async () => {
    let named = 0;
    for (let ms = 0; ms < 60_000; ms += 2_000) {
      const recipients = 1 + ((ms / 2_000) % 9);
      const answer = await caller("minute.zz", { recipients }, rules)(at(ms));
      if (answer.kind !== "granted") continue;
      named += recipients;
      await answer.release();
    }
    expect(named).toBeGreaterThan(15);
    expect(named).toBeLessThanOrEqual(20);
    const late = caller("minute.zz", { recipients: 9 }, rules);
    expect((await late(at(30_000))).kind).toBe("resting");
    // Near enough to wait for.
    expect((await late(at(58_000))).kind).toBe("busy");
    expect((await late(at(60_001))).kind).toBe("granted");
  });

  test("that were reckoned with and not named are left to others", async () => {
    const session = await caller("unnamed.zz", { recipients: 20 }, rules)(at(0));
    const next = caller("unnamed.zz", { recipients: 17 }, rules);
    expect((await next(at(1))).kind).toBe("resting");
    await session.release(17);
    expect((await next(at(2))).kind).toBe("granted");
    expect((await caller("unnamed.zz", {}, rules)(at(3))).kind).toBe("resting");
  });

  test("of one session may be more than those of a minute: it is alone then", async () => {
    const few = { recipientsPerMinute: 5 };
    expect((await caller("alone.zz", { recipients: 9 }, few)(at(0))).kind).toBe("granted");
    expect((await caller("alone.zz", {}, few)(at(1))).kind).toBe("resting");
  });
});

test("a connection that was not made counts for no date", async () => {
  const rules = { connectionsPerDay: 1 };
  const at = (hour: number) => new Date(`2033-02-01T0${hour}:00:00Z`);
  const first = await caller("unmade1.zz", {}, rules)(at(1));
  expect((await caller("unmade2.zz", {}, rules)(at(2))).kind).toBe("resting");
  await first.release(0, false);
  expect((await caller("unmade2.zz", {}, rules)(at(3))).kind).toBe("granted");
});

test("connections of a date end with that date's number, at operators known and new", async () => {
  const rules = { connectionsPerDay: 25 };
  const day = (ms: number) => new Date(Date.parse("2033-01-01T10:00:00Z") + ms);
  const kinds: string[] = [];
  for (let index = 0; index < 40; index++) {
    const answer = await caller(`day${index % 3}.zz`, {}, rules)(day(index));
    kinds.push(answer.kind);
    await answer.release();
  }
  expect(kinds.slice(0, 25).every((kind) => kind === "granted")).toBe(true);
  expect(kinds.slice(25).every((kind) => kind === "resting")).toBe(true);
  expect((await caller("new.zz", {}, rules)(day(50))).kind).toBe("resting");
  expect((await caller("new.zz", {}, rules)(day(14 * 3_600_000))).kind).toBe("granted");
});
