import { beforeAll, expect, test } from "vitest";
import { aimAtMissed, type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { patience } from "../support/patience.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";

let service: SharedService;
let points: KillPoints;

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "queue", "google"]));
});

const ROWS = 5_600;
const SHEET = `https://docs.google.com/spreadsheets/d/local-rows-${ROWS}/edit#gid=0`;

const newDataset = async (): Promise<string> =>
  ((await service.api("POST", "/api/v1/datasets", { name: "Leads" })) as { id: string }).id;

interface Progress {
  status: string;
  total: number;
  created: number;
  duplicate: number;
}

/** The import of a new dataset, killed at that point of it, and gone on with by whoever is left. */
async function importKilledAt(
  target: number,
  isMeant?: (name: string) => boolean,
): Promise<{ passed: string[]; progress: Progress }> {
  const id = await newDataset();
  const at = `/api/v1/datasets/${id}/import`;
  points.arm(target, isMeant);
  const begin = () => service.api("POST", at, { sheet_url: SHEET });
  let passed: string[] | null = null;
  const revive = async () => {
    if (!points.struck()) return;
    await service.untilUp();
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

test(
  "the Worker killed all along an import: every row is there once, and the import ends",
  async () => {
    const { passed: list, progress } = await importKilledAt(0);
    expect(progress).toMatchObject({ status: "ready", total: ROWS, created: ROWS, duplicate: 0 });
    // Behind the last read come its pages and the take-over; what follows is the clock's own work.
    const end = list.findLastIndex((name) => name.startsWith("google")) + 10;
    const killedAt: string[] = [];
    const strike = async (target: number, isMeant?: (name: string) => boolean) => {
      const { passed, progress: after } = await importKilledAt(target, isMeant);
      expect(after, `killed at ${target}, ${passed.at(-1)}`).toMatchObject({
        status: "ready",
        total: ROWS,
        created: ROWS,
        duplicate: 0,
      });
      if (passed.length === target) killedAt.push(passed.at(-1)!);
    };
    const targets = targetsAmong(end, 2);
    for (const target of targets) await strike(target);
    const struck = killedAt.length;
    const missed = await aimAtMissed(["google", "database"], killedAt, strike);
    points.arm(0);
    console.log(`${end} points of an import, killed at ${killedAt.length}`);
    expect(struck).toBeGreaterThan(targets.length / 2);
    expect(missed, "never killed at").toEqual([]);
  },
  patience(900_000),
);
