import { maintain } from "#src/domain/engine/upkeep.ts";
import type { ClaimedSend, SendOutcome } from "#db/engine/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { beforeEach } from "vitest";
import { beginWish } from "../../../support/begin-wish.ts";
import { makeScenario } from "../../../support/engine-scenario.ts";
import { memoryWorld, postgresWorld, type World } from "../../../support/engine-worlds.ts";
import { createRandom } from "../../../support/random.ts";
import { api } from "../../../support/use-api.ts";

/** A Monday, so that weekday windows are open. */
export const NOW = new Date("2026-03-02T09:00:00Z");
export const TOMORROW = "2026-03-03T00:00:00.000Z";
export const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
export const TOKEN = "00000000-0000-4000-8000-00000000000a";
export const OTHER = "00000000-0000-4000-8000-00000000000b";

export const STORES = ["memory", "postgres"] as const;
let kind: (typeof STORES)[number];
export const useStore = (of: typeof kind) => beforeEach(() => void (kind = of));

/** What `setUp` was given last, and a store that holds it. */
export let data: ModelData;
export let world: World;

export async function setUp(next: ModelData): Promise<void> {
  data = next;
  if (kind === "memory") {
    world = memoryWorld(structuredClone(next));
    return;
  }
  const { workspaceId, userId } = await api.tenant();
  const owner = { workspaceId, userId };
  world = await postgresWorld({ db: api.deps.db, sql: api.sql, owner }, next, NOW);
}

export function scenario(options: Partial<Parameters<typeof makeScenario>[1]> = {}): ModelData {
  const data = makeScenario(createRandom(5), {
    start: NOW,
    campaigns: 1,
    lanes: 1,
    lanesPerCampaign: 9,
    leads: 3,
    delays: [0, 1],
    sharedAddresses: 0,
    ...options,
  });
  for (const lane of data.lanes) Object.assign(lane, { ramp: null, minIntervalSeconds: null });
  return data;
}

export async function claim(now = NOW, horizonSeconds = 0, token = TOKEN, leaseSeconds = 180) {
  const until = new Date(now.getTime() + horizonSeconds * 1000);
  await maintain(world.store, now, until, new Set());
  return world.store.claim({ now, until, limit: 50, workerToken: token, leaseSeconds });
}
/** The one that is claimed first. */
export const claimOne = async (...args: Parameters<typeof claim>): Promise<ClaimedSend> =>
  (await claim(...args))[0]!;

export const begin = (sends: ClaimedSend[], now = NOW, token = TOKEN) =>
  world.store.recordAndBegin(
    now,
    token,
    [],
    sends.map(({ id }) => beginWish(id, now)),
  );
/** Claimed, and handed over. */
export async function beginOne(now = NOW): Promise<ClaimedSend> {
  const send = await claimOne(now);
  await begin([send], now);
  return send;
}

export const settle = (outcomes: SendOutcome[], now = NOW, token = TOKEN) =>
  world.store.recordAndBegin(now, token, outcomes, []);
export const accepted = ({ id, step }: ClaimedSend, nextActionAt: Date | null): SendOutcome => ({
  id,
  kind: "accepted",
  reason: "250",
  acceptedAt: NOW,
  nextStep: nextActionAt === null ? null : step + 1,
  nextActionAt,
  planned: { step, sentAt: NOW, configVersion: 1 },
});
export const refused = (
  { id }: ClaimedSend,
  lane: "none" | "limited" | "down" | "sealed" | "broken" | "spent",
  attemptSpent = false,
): SendOutcome => ({ id, kind: "retry", reason: "4xx", retryAt: NOW, attemptSpent, lane });

export const rows = () => world.rows();
export const one = <T>(all: Record<string, T>): T => Object.values(all)[0]!;
export const leadRow = async (send: ClaimedSend) => (await rows()).leads[send.campaignLeadId]!;
export const laneRow = async () => one((await rows()).lanes);
export async function refusalOf(send: ClaimedSend, now = NOW) {
  const [answer] = await begin([send], now);
  return answer!.begun ? null : answer!.reason;
}
