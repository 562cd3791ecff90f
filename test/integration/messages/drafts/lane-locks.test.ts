/** What the end of a text locks: the sender that may send it, and not each of a campaign with thousands. */
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { lockLanesOfLeads } from "#db/engine/index.ts";
import { claimJob } from "#db/base/job-queue.ts";
import { GENERATIONS } from "#db/messages/generations.ts";
import { endGeneration } from "#src/domain/messages/drafts/end-generation.ts";
import { createDrafts } from "../../../support/drafts.ts";
import type { CampaignRows } from "../../../support/engine.ts";
import { untilWaiting } from "../../../support/locks.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
/** Of more than 16 only a few are locked (../../engine/many-senders.test.ts). */
const SENDERS = 12;
const OWN = 7;

let rows: CampaignRows;
let [answered, fresh]: string[] = [];
/** The first lead follows up with a sender of its own, the second has none yet; both wait for their texts, and all senders are parked. */
beforeEach(async () => {
  rows = await sending.campaign(tenant, { leads: 2, aliases: SENDERS });
  [answered, fresh] = rows.campaignLeadIds;
  await createDrafts(sending.api, tenant).personalize(rows.campaignId);
  await query`update campaign_leads set status = 'active', alias_id = ${rows.aliasIds[OWN]} where id = ${answered}`;
  await query`update sender_lanes set next_slot_at = null where id = any(${rows.aliasIds}::uuid[])`;
});

const lockedFor = async (leads: string[], campaignId = rows.campaignId) => {
  const { rows: lanes } = (await lockLanesOfLeads(
    sending.api.deps.db,
    campaignId,
    leads,
    sending.api.deps.clock.now(),
  )) as unknown as {
    rows: { id: string }[];
  };
  return lanes.map(({ id }) => id);
};
const awake = async () =>
  (
    await query`select id from sender_lanes where id = any(${rows.aliasIds}::uuid[]) and next_slot_at is not null`
  ).map(({ id }) => id);

/** A text that is about to end, of a lead that waits for it, while all senders are parked. */
async function begun(lead: string): Promise<() => Promise<unknown>> {
  const { api } = sending;
  const [now, token] = [api.deps.clock.now(), randomUUID()];
  const draft = { campaignId: rows.campaignId, campaignLeadId: lead };
  const id = await createDrafts(api, tenant).write(draft, { subject: "Hello", body: "Hello" });
  await query`update generations set status = 'pending', due_at = ${now} where id = ${id}`;
  await query`update campaign_leads set hold_reason = 'awaiting_draft' where id = ${lead}`;
  await query`update sender_lanes set next_slot_at = null where id = any(${rows.aliasIds}::uuid[])`;
  const until = new Date(now.getTime() + 60_000);
  const claimed = await claimJob(api.deps.db, GENERATIONS, id, { token, now, until });
  if (claimed.kind !== "claimed") throw new Error(claimed.kind);
  const { job } = claimed;
  return () =>
    endGeneration(
      api.deps,
      { generation: job, token },
      { ...job, status: "generated", heldReason: null },
    );
}

/** Fails where the work waits for a lock, while another transaction has all senders but one. */
async function whileOthersAreHeld(work: () => Promise<unknown>): Promise<void> {
  const others = rows.aliasIds.filter((_, index) => index !== OWN);
  const holder = await sending.api.sql.connect();
  try {
    await holder.query("begin");
    await holder.query("select from sender_lanes where id = any($1::uuid[]) for update", [others]);
    const done = work();
    const waits = untilWaiting(sending.api.sql, 1).then(
      () => "waits",
      () => done,
    );
    expect(await Promise.race([done, waits])).not.toBe("waits");
  } finally {
    await holder.query("rollback");
    holder.release();
  }
}

test("the lead's own sender; without one each of the campaign; and of another campaign none", async () => {
  expect(await lockedFor([answered!])).toEqual([rows.aliasIds[OWN]]);
  expect(await lockedFor([fresh!])).toEqual(rows.aliasIds.toSorted());
  expect(await lockedFor([answered!, fresh!])).toEqual(rows.aliasIds.toSorted());
  expect(await lockedFor([])).toEqual([]);
  const other = await sending.campaign(tenant, { leads: 1 });
  expect(await lockedFor([answered!], other.campaignId)).toEqual([]);
});

test("a text of a lead that has a sender waits for no other one, and wakes it alone", async () => {
  await whileOthersAreHeld(await begun(answered!));
  expect(await awake()).toEqual([rows.aliasIds[OWN]]);
  expect((await sending.leadOf(answered!)).hold_reason).toBeNull();
});

test("a text of a lead without one wakes all of them", async () => {
  const end = await begun(fresh!);
  await end();
  expect((await awake()).toSorted()).toEqual(rows.aliasIds.toSorted());
});
