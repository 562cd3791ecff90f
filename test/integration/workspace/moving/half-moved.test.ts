/** What upkeep does for all workspaces at once, while the fence of one stands. */
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "#db/base/client.ts";
import { dropFence, raiseFence } from "#db/workspace/moving/fence.ts";
import { freeze, thaw } from "#db/workspace/moving/state.ts";
import { movedTables } from "#db/workspace/moving/tables.ts";
import type { Deps } from "#src/deps.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { lacksDrafts, prefetchDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { openDatabase } from "../../../../scripts/admin/database.ts";
import { type ModelPart, startModel } from "../../../../scripts/stack/model/model.ts";
import type { Tenant } from "../../../support/api.ts";
import { createEagerClock } from "../../../support/eager-clock.ts";
import { createDrafts } from "../../../support/drafts.ts";
import { forgetNotices, owe, readOutbox, wantsAll } from "../../../support/notices.ts";
import { queryOf } from "../../../support/query.ts";
import { tickWith } from "../../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

let model: ModelPart;
afterAll(() => model.close());
useSending(async () => (model = await startModel()).env);
const query = queryOf(() => sending.api.sql);
let neighbour: Tenant;
let address: string;
beforeEach(async () => {
  await forgetNotices(sending.api);
  neighbour = await sending.api.tenant();
  address = await wantsAll(neighbour);
});
afterEach(() => thawed());

const now = () => sending.api.deps.clock.now();

/** As the move's own process does it, which has a connection of its own. */
async function byItself(work: (db: Db, id: string) => Promise<void>): Promise<void> {
  const { db, close } = await openDatabase(sending.api.databaseUrl);
  await work(db, tenant.workspaceId).finally(close);
}
const halfMoved = () =>
  byItself(async (db, id) => {
    expect(await freeze(db, id, "b", now())).toBe(true);
    await raiseFence(db, id, await movedTables(db, id), now());
  });
const thawed = () =>
  byItself(async (db, id) => {
    expect(await dropFence(db, id)).toEqual([]);
    await thaw(db, id, now());
  });

const inbox = async (to: string) => (await sending.mailbox.messages({ to })).length;

test("its notices wait, and everybody else's arrive", async () => {
  const mine = await wantsAll(tenant);
  // More than a reader claims at once, made and not delivered before it was frozen.
  for (let many = 0; many < 7; many++) await owe(sending.api, tenant);
  sending.mailbox.faults.order("greeting_421", 7);
  await readOutbox(sending);
  sending.mailbox.faults.clear();
  expect(await inbox(mine)).toBe(0);
  await owe(sending.api, tenant);
  sending.api.advance(3600);
  await halfMoved();
  await owe(sending.api, neighbour);
  expect((await readOutbox(sending)).nextAt).toBeNull();
  expect([await inbox(address), await inbox(mine)]).toEqual([1, 0]);

  await thawed();
  await readOutbox(sending);
  expect([await inbox(address), await inbox(mine)]).toEqual([1, 8]);
});

test("what adds up nowhere, was refused or is tried out in it keeps no check from everybody's", async () => {
  const step = { delayDays: 0 };
  for (const who of [tenant, neighbour]) {
    await sending.campaign(who, { leads: 1, steps: [step] });
    await query`insert into credit_balances (workspace_id, available, held, owed, updated_at) values (${who.workspaceId}, 3, 0, 0, now())
      on conflict (workspace_id) do update set available = credit_balances.available + 3`;
  }
  await tickWith({ clock: createEagerClock(now().getTime()) });
  await query`update sends set state = 'rejected', bounced_at = ${now()}`;
  await query`update campaigns set status = 'active', steps = jsonb_set(steps, '{0,experiment}', '{"horizon_days": 5}')`;
  await halfMoved();

  const failed: unknown[] = [];
  const log: Deps["log"] = {
    ...sending.api.deps.log,
    error: (event, fields) =>
      void failed.push([event, fields?.["upkeep"] ?? fields?.["workspace_id"]]),
  };
  await fullCheck({ ...sending.api.deps, log });
  await sending.api.settled();
  expect(failed).toEqual([["ledger_discrepancy", neighbour.workspaceId]]);
  const told = await query`select workspace_id from outbox where kind = 'lead_hard_bounce'`;
  expect(told).toEqual([{ workspace_id: neighbour.workspaceId }]);
  const tried = await query`select workspace_id from experiments`;
  expect(tried).toEqual([{ workspace_id: neighbour.workspaceId }]);
});

async function lackingTexts(who: Tenant): Promise<string> {
  const { campaignId } = await sending.campaign(who, { leads: 2 });
  await createDrafts(sending.api, who).personalize(campaignId);
  return campaignId;
}
const askedFor = () =>
  query`select campaign_id, count(*)::int as texts from generations group by 1`;

test("its texts wait to be written, and everybody else's are asked for", async () => {
  await lackingTexts(tenant);
  await halfMoved();
  const theirs = await lackingTexts(neighbour);
  expect(await prefetchDrafts(sending.api.deps)).toBe(2);
  expect(await lacksDrafts(sending.api.deps)).toBe(false);
  expect(await askedFor()).toEqual([{ campaign_id: theirs, texts: 2 }]);

  await thawed();
  expect(await prefetchDrafts(sending.api.deps)).toBe(2);
});

test("so it is where the move begins just as they are asked for", async () => {
  await query`delete from generations`;
  await query`update campaigns set status = 'completed'`;
  await lackingTexts(tenant);
  const theirs = await lackingTexts(neighbour);
  const { deps } = sending.api;
  let begun: Promise<void> | undefined;
  const db: Db = Object.create(deps.db, {
    batch: {
      value: async (statements: Parameters<Db["batch"]>[0]) => {
        await (begun ??= halfMoved());
        return deps.db.batch(statements);
      },
    },
  });
  expect(await prefetchDrafts({ ...deps, db })).toBe(2);
  expect(await askedFor()).toEqual([{ campaign_id: theirs, texts: 2 }]);
});
