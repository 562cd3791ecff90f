import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { patience } from "../../support/patience.ts";
import { queryOf } from "../../support/query.ts";
import { advanceTo, runUntil } from "../../support/run-until.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

vi.setConfig({ testTimeout: patience(120_000) });
useSending();
const query = queryOf(() => sending.api.sql);

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** A campaign whose leads are at these domains by turns, and whose aliases belong to a domain each, by turns too. */
async function campaignTo(
  domains: string[],
  { leads = 12, aliases = 1, senders = 1, steps = 1 } = {},
) {
  const made = await sending.campaign(tenant, {
    ...{ leads, aliases, dailyLimit: 500, intervalSeconds: 60 },
    steps: Array.from({ length: steps }, () => ({ delayDays: 0 })),
  });
  const ids: string[] = [];
  for (let at = 0; at < senders; at++) {
    const domain = `${randomUUID()}.zz`;
    const { body } = await tenant.call("POST", "/api/v1/mailer/domains", { domain });
    ids.push(body.id);
  }
  await query`update mail_domains set status = 'verified' where id = any(${ids})`;
  for (const [at, alias] of made.aliasIds.entries())
    await query`update mail_aliases set domain_id = ${ids[at % senders]} where id = ${alias}`;
  await query`
    update campaign_leads set email = 'lead' || row_index || '@' || (${domains}::text[])[1 + row_index % ${domains.length}::int],
      email_key = 'lead' || row_index || '@' || (${domains}::text[])[1 + row_index % ${domains.length}::int] where campaign_id = ${made.campaignId}`;
  return { ...made, domainIds: ids };
}
const slow = (domainId: string, operator: string, perHour: number, minutes = 0) => {
  const changedAt = new Date(Date.now() - minutes * MINUTE);
  return query`
    insert into operator_rates (domain_id, operator, per_hour, changed_at, next_at, full_at, since, reason)
    values (${domainId}, ${operator}, ${perHour}, ${changedAt}, ${new Date(changedAt.getTime() + HOUR / perHour)},
      ${new Date(changedAt.getTime() + (60 - perHour) * 10 * MINUTE)}, ${changedAt}, '421 4.7.0 too fast')`;
};
const status = async (campaignId: string, lead = "") =>
  (await tenant.call("GET", `/api/v1/campaigns/${campaignId}/sending-status${lead}`)).body;
const begunOf = async (campaignId: string) =>
  (
    await query`select email_key, transmitting_at, lane_id, campaign_lead_id, step from sends where campaign_id = ${campaignId} and attempts > 0 order by transmitting_at`
  ).map(({ email_key: to, transmitting_at: at, ...send }) => ({
    ...{ operator: String(to).split("@")[1]!, at: at.getTime() as number },
    ...send,
  }));
const gapsOf = (times: number[]) => times.slice(1).map((at, index) => at - times[index]!);

beforeEach(async () => void (await query`delete from recipient_domains`));

describe("an operator that puts a domain off by policy", () => {
  test("alone gets less, and what goes to the others goes as if there were none", async () => {
    const { campaignId, domainIds } = await campaignTo(["defers.zz", "one.zz", "two.zz"], {
      leads: 45,
    });
    const start = Date.now();
    await runUntil(start + 35 * MINUTE);
    const rates =
      await query`select operator, per_hour from operator_rates where domain_id = ${domainIds[0]}`;
    expect(rates).toEqual([{ operator: "defers.zz", per_hour: expect.any(Number) }]);
    expect(rates[0].per_hour).toBeLessThan(30);
    const begun = await begunOf(campaignId);
    // Each minute one goes out, as if all of them were taken.
    expect(begun.filter(({ operator }) => operator !== "defers.zz").length).toBeGreaterThan(20);
    const [lane] =
      await query`select closed_until, failures from sender_lanes where id = (select lane_id from sends where campaign_id = ${campaignId} limit 1)`;
    expect(lane).toMatchObject({ closed_until: null, failures: 0 });
    // One it took, the first: the engine's clock alone has moved.
    const { reasons } = await status(campaignId);
    const said = reasons.filter(({ code }: { code: string }) => code === "operator_slowed");
    expect(said).toEqual([
      {
        code: "operator_slowed",
        message: expect.stringMatching(
          /\.zz writes at most \d+ an hour to defers\.zz, which answered: .*put off by policy.*14 leads wait/,
        ),
        until: expect.any(String),
      },
    ]);
  });

  test("does not rest the sender, whatever number of its domains put it off", async () => {
    const domains = ["one.zz", "two.zz", "three.zz", "four.zz"];
    for (const domain of domains)
      await query`insert into recipient_domains (domain, operator, due_at, used_at) values (${domain}, 'big', ${new Date()}, ${new Date()})`;
    const { campaignId, aliasIds } = await campaignTo(domains, { leads: 4 });
    await query`update campaign_leads set email = 'policy+' || email where campaign_id = ${campaignId}`;
    await runUntil(Date.now() + 20 * MINUTE);
    const [lane] = await query`select closed_until from sender_lanes where id = ${aliasIds[0]}`;
    expect(lane).toEqual({ closed_until: null });
  });
});

describe("a slow pair", () => {
  test("is in the forecast to the second, also where another domain of the campaign goes on", async () => {
    advanceTo(Math.ceil(Date.now() / HOUR) * HOUR);
    await query`insert into recipient_domains (domain, operator, due_at, used_at) values ('one.zz', 'big', ${new Date()}, ${new Date()}), ('two.zz', 'big', ${new Date()}, ${new Date()})`;
    const { campaignId, domainIds, aliasIds } = await campaignTo(["one.zz", "two.zz", "other.zz"], {
      ...{ leads: 60, aliases: 3, senders: 2, steps: 2 },
    });
    await slow(domainIds[0]!, "big", 6);
    const { body } = await tenant.call(
      "GET",
      `/api/v1/campaigns/${campaignId}/forecast?days=2&limit=1000`,
    );
    const end = Date.now() + 36 * HOUR;
    await runUntil(end);
    const begun = await begunOf(campaignId);
    expect(begun).toHaveLength(120);
    for (const alias of aliasIds) {
      const plan = body.sends.filter(({ alias_id: id }: { alias_id: string }) => id === alias);
      expect(
        begun
          .filter(({ lane_id: id }) => id === alias)
          .map(
            ({ at, campaign_lead_id: lead, step }) =>
              `${new Date(at).toISOString()} ${lead} ${step}`,
          ),
      ).toEqual(
        plan.map(
          ({
            at,
            campaign_lead_id: lead,
            step,
          }: {
            at: string;
            campaign_lead_id: string;
            step: number;
          }) => `${new Date(at).toISOString()} ${lead} ${step}`,
        ),
      );
    }
    // By the aliases of the slow domain, which take turns for it: 6 an hour at first.
    const slowOnes = new Set([aliasIds[0], aliasIds[2]]);
    const paced = begun.filter(
      ({ lane_id: id, operator }) => slowOnes.has(id) && operator !== "other.zz",
    );
    const gaps = gapsOf(paced.map(({ at }) => at));
    expect(Math.min(...gaps.slice(0, 3))).toBeGreaterThanOrEqual(HOUR / 9);
  });

  test("keeps its gap, which shrinks as the rate grows, and is free in the end", async () => {
    const { campaignId, domainIds } = await campaignTo(["one.zz"], { leads: 30 });
    const start = Date.now();
    await slow(domainIds[0]!, "one.zz", 57);
    await runUntil(start + 90 * MINUTE);
    const times = (await begunOf(campaignId)).map(({ at }) => at);
    expect(times[0]! - start).toBeGreaterThanOrEqual(Math.floor(HOUR / 57));
    for (const [index, gap] of gapsOf(times).entries()) {
      // Half an hour later the pair is free, also within a gap that its rate began: that may be as short as the sender's own.
      const isFree = times[index + 1]! - start >= 30 * MINUTE;
      const rate = isFree ? 60 : 57 + Math.floor((times[index]! - start) / (10 * MINUTE));
      expect(gap).toBeGreaterThanOrEqual(Math.floor(HOUR / rate));
    }
    const { reasons } = await status(campaignId);
    expect(reasons.some(({ code }: { code: string }) => code === "operator_slowed")).toBe(false);
  });

  test("is said of the campaign that has nothing else, and of the lead that waits for it", async () => {
    const { campaignId, domainIds, campaignLeadIds } = await campaignTo(["one.zz"], { leads: 2 });
    await slow(domainIds[0]!, "one.zz", 2);
    const [{ next_at: nextAt }] =
      await query`select next_at from operator_rates where domain_id = ${domainIds[0]}`;
    const said = await status(campaignId, `?lead_id=${campaignLeadIds[0]}`);
    expect(said.sending).toBe(false);
    expect(said.reasons[0]).toMatchObject({ code: "operator_slowed", until: nextAt.toISOString() });
    expect(said.lead.reasons.at(-1)).toMatchObject({
      code: "operator_slowed",
      until: nextAt.toISOString(),
    });
  });

  test("of one domain bars no other domain's sender from the same lead", async () => {
    const { campaignId, domainIds, aliasIds } = await campaignTo(["one.zz"], {
      ...{ leads: 3, aliases: 2, senders: 2 },
    });
    await slow(domainIds[0]!, "one.zz", 1);
    expect((await status(campaignId)).sending).toBe(true);
    await runUntil(Date.now() + 10 * MINUTE);
    const begun = await begunOf(campaignId);
    expect(begun.map(({ lane_id: id }) => id)).toEqual([aliasIds[1], aliasIds[1], aliasIds[1]]);
  });
});
