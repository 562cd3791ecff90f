import "../../../scripts/stack/warp.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStackClock, type StackClock } from "../../../scripts/stack/clock.ts";
import { type Heartbeat, startHeartbeat } from "../../../scripts/stack/heartbeat.ts";
import { readNextUpkeep } from "../../../scripts/stack/next-upkeep.ts";
import { type Qstash, startQstash } from "../../../scripts/stack/qstash.ts";
import { createQuiet, type Quiet } from "../../../scripts/stack/quiet.ts";
import { api, useApi } from "../../support/use-api.ts";
import { connect, KEYS } from "./qstash-setting.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

useApi();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A clock that passes over a schedule of every minute, and a heartbeat, as long as both find nothing. */
let receiver: Receiver;
let quiet: Quiet;
let clock: StackClock;
let qstash: Qstash;
let heartbeat: Heartbeat;
/** Each run, and when the schedule had last given a sign. */
let runs: { at: number; signAt: number }[];

const ticks = () =>
  receiver.received.filter(({ path }) => path === "/tick").map(({ at }) => at.getTime());

beforeEach(async () => {
  runs = [];
  receiver = await startReceiver();
  receiver.always = { body: JSON.stringify({ ok: true, result: { nextWakeAt: null } }) };
  quiet = createQuiet(() => clock.isMoving());
  clock = createStackClock({ onChange: quiet.end });
  qstash = await startQstash({ ...KEYS, quiet });
  heartbeat = startHeartbeat({
    cron: "*/5 * * * *",
    everyMs: 5 * MINUTE_MS,
    quiet,
    nextUpkeepAt: (now, ranAt) =>
      readNextUpkeep(api.databaseUrl, now, { ranAt, imapPort: 1, lastMailAt: new Date(0) }),
    queueUp: qstash.catchUp,
    run: async (_cron, at) => void runs.push({ at: at.getTime(), signAt: ticks().at(-1) ?? 0 }),
  });
  clock.watch(qstash);
  clock.watch(heartbeat);
  const destination = `${receiver.url}/tick`;
  await connect(qstash).schedules.create({ destination, cron: "* * * * *" });
});
afterEach(async () => {
  await heartbeat.close();
  await qstash.close();
  await receiver.close();
});

test("is left out for a day at most after its last run", async () => {
  const from = Date.now();
  await clock.advance(5 * DAY_MS);
  const at = [from, ...runs.map((run) => run.at)];
  const gaps = at.slice(1).map((next, index) => next - at[index]!);
  expect(runs.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(DAY_MS + 5 * MINUTE_MS);
});

test("runs behind a sign of the schedule whose runs were left out: it is not gone", async () => {
  await clock.advance(3 * DAY_MS);
  expect(runs.length).toBeGreaterThanOrEqual(2);
  for (const { at, signAt } of runs) expect(at - signAt).toBeLessThan(3 * MINUTE_MS);
});
