/** An hour in which everything that a tick leans on gives way, in turn and together. */
import { expect, test } from "vitest";
import type { Tenant } from "../../support/api.ts";
import { createOutage, type Outage } from "../../support/outage.ts";
import { queryOf } from "../../support/query.ts";
import { createRandom } from "../../support/random.ts";
import { sending, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

/** What fails in the ten minutes that begin with that one. */
const HOUR: Record<number, Outage> = {
  // Longer than a worker tries to record what it sent.
  0: { databaseAway: 40 },
  10: { vaultBroken: true },
  20: { relayTroubled: true },
  30: { repliesLost: true },
  40: { ticksDoubled: true, relayTroubled: true },
  // Shorter: what a worker began and could not record, nor had answered, is anybody's guess.
  50: { databaseAway: 4, repliesLost: true, relayTroubled: true, ticksDoubled: true },
};
/** A vault that is away for longer closes the senders for longer. */
const outageAt = (minute: number): Outage => {
  const outage = HOUR[Math.floor(minute / 10) * 10]!;
  return { ...outage, vaultBroken: outage.vaultBroken === true ? minute < 13 : minute === 55 };
};

const LEADS = 16;
const STEPS = 2;

async function launchAll(): Promise<{ tenant: Tenant; campaignId: string; domain: string }[]> {
  const campaigns = [];
  for (const workspace of [1, 2, 3]) {
    const tenant = await sending.api.tenant();
    for (const number of [1, 2]) {
      const domain = `c${number}.w${workspace}.zz`;
      const { campaignId } = await sending.campaign(tenant, {
        leads: LEADS,
        aliases: 2,
        domain,
        intervalSeconds: 200,
        steps: Array.from({ length: STEPS }, () => ({ delayDays: 0 })),
      });
      campaigns.push({ tenant, campaignId, domain });
    }
  }
  return campaigns;
}

const rowsOf = async (statement: string) => (await sending.api.sql.query(statement)).rows;

/** Each reservation of the day is an attempt that was begun: on campaigns and on senders. */
async function expectCountersToBeTheLedgers(): Promise<void> {
  const wrong = await rowsOf(`
    select 'campaign' as what, c.id, c.used, sum(s.attempts)::int as begun from campaigns c join sends s on s.campaign_id = c.id
    group by c.id having c.used <> sum(s.attempts)
    union all
    select 'sender', l.id, l.used, sum(s.attempts)::int from sender_lanes l join sends s on s.lane_id = l.id
    group by l.id having l.used <> sum(s.attempts)`);
  expect(wrong).toEqual([]);
}

const OPEN = "select id from sends where state in ('claimed', 'transmitting')";
const UNFINISHED = "select id from campaigns where status <> 'completed'";

test("an hour in which database, vault and relay give way loses no message, sends none twice, and every count is the wire's", async () => {
  const campaigns = await launchAll();
  const outage = createOutage(sending, createRandom(7));
  let failed = 0;
  for (let minute = 0; minute < 60; minute++) failed += await outage.minute(outageAt(minute));
  expect(failed).toBeGreaterThan(0);
  // All works again: leases end, and nothing is under way.
  while ((await rowsOf(OPEN)).length > 0) await outage.calm();
  await expectCountersToBeTheLedgers();
  // What nobody knows of counts as sent a day later, and its lead goes on.
  for (let ticks = 0; ticks < 100 && (await rowsOf(UNFINISHED)).length > 0; ticks++)
    await outage.calm();
  expect(await rowsOf(UNFINISHED)).toEqual([]);

  const wire = sending.mailbox.wireLog();
  const sends = await rowsOf("select state, message_id from sends");
  expect(wire.map(({ message_id: id }) => id).toSorted()).toEqual(
    sends.map(({ message_id: id }) => `<${id}>`).toSorted(),
  );
  expect(sends).toHaveLength(campaigns.length * LEADS * STEPS);
  expect(new Set(sends.map(({ state }) => state))).toEqual(new Set(["accepted", "assumed_sent"]));
  for (const { tenant, campaignId, domain } of campaigns) {
    const { body } = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/stats?by=alias`);
    const rows =
      await query`select a.id, a.email from mail_aliases a join campaign_senders s on s.lane_id = a.id where s.campaign_id = ${campaignId}`;
    const ofCampaign = wire.filter(({ envelope }) => envelope.to[0]!.endsWith(`@${domain}`));
    expect(body.rows.map(({ key, sent }: { key: string; sent: number }) => [key, sent])).toEqual(
      rows
        .map(({ id, email }) => [
          id,
          ofCampaign.filter(({ envelope }) => envelope.from === email).length,
        ])
        .toSorted(),
    );
  }
});
