import { expect, test } from "vitest";
import { api, useApi } from "../support/use-api.ts";
import { memoryWorld, postgresWorld } from "../support/engine-worlds.ts";
import { foldSums } from "#src/domain/campaigns/keep-sums.ts";
import { countedFigures, saidFigures } from "../support/sums.ts";
import { patience } from "../support/patience.ts";
import { textOf } from "./end-invariants.ts";
import { mixedCampaign, personal, stormy, stormyChannels, stormyDrafts } from "./scenarios.ts";
import { simulate } from "./simulate.ts";
import { inFull } from "../support/full.ts";

const SIZE = inFull({ campaigns: 20, days: 20, leads: 20 }, { campaigns: 3, days: 4, leads: 6 });

/** Most ticks of a small storm are heartbeats at which nothing is due. */
const HEARTBEAT = inFull({}, { heartbeatMinutes: 720 });

useApi();

const STORMS = [
  ["a storm of faults", stormy, SIZE],
  [
    "a storm over two channels",
    stormyChannels,
    { ...SIZE, campaigns: Math.ceil(SIZE.campaigns / 2) },
  ],
  [
    "a storm of texts that a model writes",
    stormyDrafts,
    { ...SIZE, campaigns: Math.ceil(SIZE.campaigns / 2) },
  ],
  [
    "a storm over campaigns of one lead each",
    personal,
    { campaigns: inFull(300, 20), days: 2, leads: 1 },
  ],
  ["a storm over three accounts", mixedCampaign, { ...SIZE, campaigns: 1, leads: SIZE.leads * 6 }],
] as const;

test.each(
  STORMS.flatMap((storm) => inFull([1, 2, 3], [1]).map((seed) => [...storm, seed] as const)),
)(
  "%s breaks no invariant of the engine on Postgres, and goes as on the model",
  async (_, scenario, size, seed) => {
    const { workspaceId, userId } = await api.tenant({ credits: 1_000_000 });
    const run = { ...scenario(seed, size), ...HEARTBEAT };
    const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
    const world = await postgresWorld(ports, run.data, run.start);
    const { violations, sends, hash, draftsWritten } = await simulate({
      ...run,
      world,
      restDays: 7,
    });
    expect(violations.map(textOf)).toEqual([]);
    // What a campaign's stats say is what its messages add up to.
    const { rows: campaigns } = await api.sql.query<{ id: string }>(
      "select id from campaigns where workspace_id = $1",
      [workspaceId],
    );
    for (const { id } of campaigns) {
      expect(await saidFigures(api.deps.db, workspaceId, id)).toEqual(
        await countedFigures(api.sql, id),
      );
      await foldSums(api.deps, 1);
    }
    expect(sends).toBeGreaterThan(inFull(30, 20));
    const model = await simulate({ ...run, world: memoryWorld(run.data) });
    expect(hash).toBe(model.hash);
    // Each text that was delivered was paid for, and no other.
    const { rows } = await api.sql.query(
      "select count(*)::int as paid from credit_entries where workspace_id = $1 and kind = 'capture'",
      [workspaceId],
    );
    expect(rows).toEqual([{ paid: draftsWritten }]);
  },
  patience(inFull(1_200_000, 180_000)),
);
