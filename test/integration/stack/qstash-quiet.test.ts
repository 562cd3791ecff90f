import "../../../scripts/stack/warp.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStackClock, type StackClock } from "../../../scripts/stack/clock.ts";
import { type Qstash, startQstash } from "../../../scripts/stack/qstash.ts";
import { createQuiet, type Quiet } from "../../../scripts/stack/quiet.ts";
import { connect, inSeconds, KEYS } from "./qstash-setting.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

/** A schedule of every minute whose runs say when they next have something to do. */
const HOUR_MS = 3_600_000;
let receiver: Receiver;
let quiet: Quiet;
let clock: StackClock;
let qstash: Qstash;

beforeEach(async () => {
  receiver = await startReceiver();
  quiet = createQuiet(() => clock.isMoving());
  clock = createStackClock({ onChange: quiet.end });
  qstash = await startQstash({ ...KEYS, quiet });
  clock.watch(qstash);
  await connect(qstash).schedules.create({
    destination: `${receiver.url}/tick`,
    cron: "* * * * *",
  });
});
afterEach(async () => {
  await qstash.close();
  await receiver.close();
});

const answerWith = (nextWakeAt: Date | null) => ({
  body: JSON.stringify({ ok: true, result: { nextWakeAt } }),
});
const ticks = () =>
  receiver.received.filter(({ path }) => path === "/tick").map(({ at }) => at.getTime());
const leftOut = () =>
  qstash.log.entries().filter(({ summary }) => summary.includes("coalesced into none"));

test("without a word on what is next, every run is made", async () => {
  await clock.advance(10 * 60_000);
  expect(ticks()).toHaveLength(10);
});

test("runs before the next thing to do are left out, and the log says so", async () => {
  const wake = new Date(Date.now() + 6 * HOUR_MS);
  receiver.always = answerWith(wake);
  await clock.advance(6 * HOUR_MS);
  const [first = 0, second = 0, ...more] = ticks();
  expect(more).toEqual([]);
  expect(wake.getTime() - first).toBeGreaterThan(5 * HOUR_MS);
  // The last run before: it looks ahead to the next one.
  expect(wake.getTime() - second).toBeGreaterThanOrEqual(0);
  expect(wake.getTime() - second).toBeLessThanOrEqual(60_000);
  expect(leftOut().length).toBeGreaterThan(0);
});

test("with nothing to wait for, a week is a single run", async () => {
  receiver.always = answerWith(null);
  const move = await clock.advance(168 * HOUR_MS);
  expect(ticks()).toHaveLength(1);
  expect(move.hops).toBe(2);
});

test("another delivery ends the quiet", async () => {
  receiver.always = answerWith(null);
  await connect(qstash).publish({ url: `${receiver.url}/other`, notBefore: inSeconds(3 * 3600) });
  const start = Date.now();
  await clock.advance(5 * HOUR_MS);
  const after = ticks().filter((at) => at - start > 3 * HOUR_MS);
  expect(after).toHaveLength(1);
  expect((after[0] ?? 0) - start).toBeLessThanOrEqual(3 * HOUR_MS + 61_000);
});

test("a publish while a run is under way ends the quiet that the run promises", async () => {
  receiver.always = answerWith(null);
  const release = receiver.hold();
  const move = clock.advance(HOUR_MS);
  while (ticks().length === 0) await new Promise((resolve) => setImmediate(resolve));
  await connect(qstash).publish({ url: `${receiver.url}/other`, notBefore: inSeconds(30 * 60) });
  release();
  await move;
  // The run under way, one more that finds nothing, and one after the message.
  expect(ticks()).toHaveLength(3);
});

test("a run that fails promises nothing", async () => {
  receiver.always = { ...answerWith(null), status: 500 };
  await clock.advance(5 * 60_000);
  expect(ticks().length).toBeGreaterThanOrEqual(5);
});

test("after the move, runs are made in real time again", async () => {
  receiver.always = answerWith(null);
  await clock.advance(HOUR_MS);
  const next = qstash.nextDueAt()?.getTime() ?? Infinity;
  expect(next - Date.now()).toBeGreaterThan(0);
  expect(next - Date.now()).toBeLessThanOrEqual(60_000);
});
