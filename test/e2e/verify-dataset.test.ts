import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { commit, createDb } from "#db/base/client.ts";
import { grantStatement } from "#db/billing/credits.ts";
import { patience } from "../support/patience.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";
import { inFull, isFull } from "../support/full.ts";

let service: SharedService;
beforeAll(async () => {
  service = await sharedService(async () => ({ PROBE_INTERVAL_MS: "0" }));
});

/** 1,000 are verified beside this, by the integration tests; `npm run test:full` has the whole size here. */
const ROWS = inFull(10_000, 200);
/** The Worker is killed each time that so many more are done. */
const KILL_EVERY = ROWS * 0.35;
const LOOK_MS = 100;

interface Report {
  status: string;
  total: number;
  processed: number;
  credits_consumed: number;
  summary: { safe: number; risky: number; invalid: number; unknown: number };
}

test(
  "a dataset is verified though the Worker is killed twice in the middle of it, and each credit is charged once",
  async () => {
    await grant(ROWS);
    const before = await balance();
    const { id } = (await service.api("POST", "/api/v1/datasets", { name: "Many" })) as {
      id: string;
    };
    const rows = Array.from({ length: ROWS }, (_, index) => ({ email: `lead${index}@bulk.zz` }));
    await service.api("POST", `/api/v1/datasets/${id}/import`, { rows });
    const path = `/api/v1/email-verification/dataset/${id}`;
    const begun = (await service.api("POST", path)) as Report;
    expect(begun).toMatchObject({ status: "running", total: ROWS, processed: 0 });
    expect(await balance()).toMatchObject({ available: before.available - ROWS, held: ROWS });

    const look = () => service.api("GET", path).catch(() => null) as Promise<Report | null>;
    const startedAt = performance.now();
    let kills = 0;
    const seen = new Set<number>();
    for (let last = 0; ;) {
      await delay(LOOK_MS);
      const report = await look();
      if (report === null) continue;
      expect(report.processed).toBeGreaterThanOrEqual(last);
      last = report.processed;
      seen.add(last);
      if (report.status === "completed") break;
      if (last < (kills + 1) * KILL_EVERY) {
        moveOn(report);
        continue;
      }
      kills++;
      await service.worker().kill("SIGKILL");
      await service.untilUp();
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    await moving;
    expect(kills).toBe(2);
    expect(seen.size).toBeGreaterThan(5);
    expect(await look()).toMatchObject({
      status: "completed",
      total: ROWS,
      processed: ROWS,
      credits_consumed: ROWS,
      summary: { safe: ROWS * 0.8, risky: 0, invalid: ROWS * 0.2, unknown: 0 },
    });
    expect(await balance()).toMatchObject({ available: before.available - ROWS, held: 0 });
    const [bulk] = service.stack.farm.traffic
      .operators()
      .filter((each) => each.operator === "bulk.zz");
    expect(bulk!.mostOpen).toBeLessThanOrEqual(2);
    if (!isFull) return;
    console.log(
      `${ROWS} rows in ${seconds.toFixed(0)} s, ${(ROWS / seconds).toFixed(0)} a second, ${kills} kills; ${ROWS} credits; ` +
        `${bulk!.connections} connections to the operator, ${bulk!.mostOpen} at most at a time`,
    );
  },
  patience(1_200_000),
);

async function grant(amount: number): Promise<void> {
  const { databaseUrl, neon } = service.stack;
  const db = createDb({ url: databaseUrl, localGateway: new URL(neon.url).host });
  const { workspace } = (await service.api("GET", "/api/v1/auth/me")) as {
    workspace: { id: string };
  };
  const ref = { type: "test", id: randomUUID() };
  const of = { id: randomUUID(), workspaceId: workspace.id, now: service.stack.clock.now() };
  await commit(db, [grantStatement(db, { ...of, amount, ref })]);
}

const balance = async () =>
  (await service.api("GET", "/api/v1/payments/balance")) as { available: number; held: number };

let stood = { processed: -1, looks: 0 };
let moving: Promise<void> | null = null;
/**
 * Where nothing moves, what was killed is waited for: claims end, and messages come again. The clock itself waits for
 * what it makes due, which is to be killed too.
 */
function moveOn({ processed }: Report): void {
  const looks = processed === stood.processed ? stood.looks + 1 : 0;
  stood = { processed, looks };
  if (looks === 0 || looks % 5 > 0) return;
  moving ??= service
    .advance(61)
    .catch(() => {})
    .finally(() => (moving = null));
}
