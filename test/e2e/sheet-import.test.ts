import { afterAll, beforeAll, expect, test } from "vitest";
import { createKillPoints, type KillPoints } from "../support/kill-points.ts";
import { eventually, startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let points: KillPoints;

beforeAll(async () => {
  points = createKillPoints(() => service.worker().kill("SIGKILL"));
  service = await startTestService({
    mostRestarts: 1_000,
    workerEnv: async (env) => ({
      NEON_LOCAL: new URL(await points.http("database", `http://${env["NEON_LOCAL"]}`)).host,
      QSTASH_URL: await points.http("queue", env["QSTASH_URL"]!),
      GOOGLE_SHEETS_BASE: await points.http("google", env["GOOGLE_SHEETS_BASE"]!),
    }),
  });
}, 60_000);
afterAll(async () => {
  await points?.close();
  await service?.close();
});

const ROWS = 5_600;
const SHEET = `https://docs.google.com/spreadsheets/d/local-rows-${ROWS}/edit#gid=0`;

const newDataset = async (): Promise<string> =>
  ((await service.api("POST", "/api/v1/datasets", { name: "Leads" })) as { id: string }).id;

const isBack = () =>
  eventually(
    "the Worker is back",
    async () => (await fetch(`${service.baseUrl}/health`).catch(() => null))?.ok,
  );

interface Progress {
  status: string;
  total: number;
  created: number;
  duplicate: number;
}

/** The import of a new dataset, killed at that point of it, and gone on with by whoever is left. */
async function importKilledAt(target: number): Promise<{ passed: string[]; progress: Progress }> {
  const id = await newDataset();
  const at = `/api/v1/datasets/${id}/import`;
  points.arm(target);
  const begin = () => service.api("POST", at, { sheet_url: SHEET });
  let passed: string[] | null = null;
  const revive = async () => {
    if (!points.struck()) return;
    await isBack();
    passed = points.passed();
    points.arm(0);
  };
  await begin().catch(() => {});
  await revive();
  const look = () => service.api("GET", at) as Promise<Progress>;
  for (let round = 0; round < 12; round++) {
    // The queue's messages fall due; the cron, which a moving clock leaves out where the engine has nothing to do,
    // makes its full check every quarter of an hour.
    await service.advance(300).catch(() => {});
    await revive();
    await service.stack.heartbeat.runNow().catch(() => {});
    await revive();
    const progress = await look().catch(() => null);
    await revive();
    // Killed before anything was kept: its caller, who got no answer, asks again.
    if (progress === null) await begin().catch(() => {});
    else if (progress.status !== "importing")
      return { passed: passed ?? points.passed(), progress };
  }
  throw new Error(`The import that was killed at point ${target} never ended`);
}

/** Kills are dear: so many, spread over the whole import from its request to its take-over. */
const KILLS = 14;

test("the Worker killed all along an import: every row is there once, and the import ends", async () => {
  const { passed: list, progress } = await importKilledAt(0);
  expect(progress).toMatchObject({ status: "ready", total: ROWS, created: ROWS, duplicate: 0 });
  // Behind the last read come its pages and the take-over; what follows is the clock's own work.
  const end = list.findLastIndex((name) => name.startsWith("google")) + 10;
  const stride = Math.ceil(end / KILLS);
  const killedAt: string[] = [];
  for (let target = 1; target <= end; target += stride) {
    const { passed, progress: after } = await importKilledAt(target);
    expect(after, `killed at ${target}, ${passed.at(-1)}`).toMatchObject({
      status: "ready",
      total: ROWS,
      created: ROWS,
      duplicate: 0,
    });
    if (passed.length === target) killedAt.push(passed.at(-1)!.split(" ")[0]!);
  }
  points.arm(0);
  console.log(`${end} points of an import, killed at ${killedAt.length}`);
  expect(killedAt.length).toBeGreaterThan(KILLS / 2);
  expect(new Set(killedAt)).toContain("google");
  expect(new Set(killedAt)).toContain("database");
}, 200_000);
