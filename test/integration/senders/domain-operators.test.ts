import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { judgeDomains } from "#src/domain/senders/health/read-health.ts";
import { lookUpOperators } from "#src/domain/research/verification/recipient-domains.ts";
import { verifyAddress } from "#src/domain/research/verification/verify-address.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import type { Tenant } from "../../support/api.ts";
import { activeCampaign } from "../../support/campaigns.ts";
import { insertSent, type SentRow } from "../../support/sent-messages.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({});
beforeEach(async () => void (await query`delete from recipient_domains`));

const PATH = "/api/v1/mailer/domains";
let count = 0;

interface Made {
  id: string;
  domain: string;
}
const domain = async (owner = tenant): Promise<Made> =>
  (await owner.call("POST", PATH, { domain: `operators${count++}.zz` })).body;
const operators = async ({ id }: Made, days = "", owner: Tenant = tenant) => {
  const { status, body } = await owner.call("GET", `${PATH}/${id}/operators${days}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};
const rowOf = async (made: Made, operator: string) =>
  (await operators(made)).operators.find(
    (each: { operator: string }) => each.operator === operator,
  );

const ago = (days: number) => new Date(api.deps.clock.now().getTime() - days * DAY_MS);

async function alias({ id, domain: name }: Made): Promise<string> {
  const laneId = randomUUID();
  const row = {
    ...{ id: laneId, workspace_id: tenant.workspaceId, user_id: tenant.userId, domain_id: id },
    ...{ created_at: ago(90), updated_at: ago(0), email: `a-${laneId.slice(0, 8)}@${name}` },
    ...{ display_name: "Ann", transport_kind: "smtp", transport_settings: {} },
    ...{ status: "active", daily_limit: 50, is_default: false, revision: 1 },
  };
  await api.sql.query(
    `insert into mail_aliases select (jsonb_populate_record(null::mail_aliases, $1::jsonb)).*`,
    [JSON.stringify(row)],
  );
  return laneId;
}

type Sent = Omit<SentRow, "campaignId" | "laneId" | "at"> & { days?: number };
async function sent(made: Made, ...rows: Sent[]): Promise<void> {
  const laneId = await alias(made);
  await insertSent(
    api.sql,
    tenant,
    rows.map(({ days = 2, ...row }) => ({
      ...{ campaignId: randomUUID(), laneId, at: ago(days) },
      ...row,
    })),
  );
}
const knowing = (name: string, operator: string | null) => query`
  insert into recipient_domains (domain, operator, looked_up_at, due_at, used_at) values (${name}, ${operator}, ${ago(1)}, ${ago(-6)}, ${ago(1)})`;
const kept = async () =>
  (await query`select domain, operator from recipient_domains order by domain`).map(
    ({ domain: name, operator }) => [name, operator],
  );
/** A domain of which the hourly round is due. */
const due = async (made: Made) =>
  void (await query`update mail_domains set status = 'verified' where id = ${made.id}`);

describe("how operators take a domain's mail", () => {
  test("a domain that has written to nobody has no operators", async () => {
    const made = await domain();
    expect(await operators(made)).toEqual({
      ...{ domain: made.domain, since: expect.any(String), until: expect.any(String) },
      ...{ counted_since: null, messages: 0, more: 0, operators: [] },
    });
  });

  test("another workspace's domain is not found", async () => {
    const made = await domain();
    const other = await api.tenant();
    expect((await other.call("GET", `${PATH}/${made.id}/operators`)).status).toBe(404);
  });

  test("messages of all domains of an operator are counted together, by how they ended", async () => {
    const made = await domain();
    await knowing("one.zz", "google");
    await knowing("two.zz", "google");
    await sent(
      made,
      { to: "a@one.zz" },
      { to: "b@two.zz", state: "assumed_sent" },
      { to: "c@two.zz", attempts: 3 },
      { to: "d@one.zz", state: "rejected", reason: "550 5.1.1 no such user" },
      { to: "e@one.zz", facts: ["bounced"] },
      { to: "f@one.zz", state: "failed", attempts: 6, reason: "450 4.2.0 Greylisted" },
      { to: "g@one.zz", state: "retry_wait", attempts: 1, reason: "450 4.2.0 Greylisted" },
      { to: "h@one.zz", facts: ["complained"] },
      { to: "i@one.zz", facts: ["soft_bounced"] },
    );
    expect(await rowOf(made, "google")).toMatchObject({
      ledger: {
        ...{ domains: 2, unknown_domains: 0, messages: 9, accepted: 5, refused: 3, waiting: 1 },
        ...{ deferred: 4, complained: 1, refused_by_policy: 0, waiting_by_policy: 0 },
        looked_up_at: expect.any(String),
      },
      placement: null,
    });
  });

  test("what no server was asked to take, and what nobody knows the end of, is not counted", async () => {
    const made = await domain();
    await sent(
      made,
      ...["claimed", "transmitting", "unknown", "canceled"].map((state) => ({ state })),
      ...["released", "failed", "retry_wait"].map((state) => ({ state, attempts: 0 })),
    );
    expect((await operators(made)).messages).toBe(0);
  });

  test("what is the sender's is told apart from what is the recipient's, in the receiver's words", async () => {
    const made = await domain();
    const limited = "451 4.7.650 The mail server has been temporarily rate limited";
    await sent(
      made,
      ...Array.from({ length: 3 }, (_, at) => ({
        ...{ to: `a${at}@slow.zz`, state: "retry_wait", attempts: 0, refusals: 1, reason: limited },
      })),
      { to: "b@slow.zz", state: "rejected", reason: "554 5.7.1 Message rejected as spam" },
      { to: "c@slow.zz", state: "rejected", reason: "550 5.1.1 User unknown" },
    );
    expect(await rowOf(made, "slow.zz")).toMatchObject({
      ledger: { refused: 2, refused_by_policy: 1, waiting: 3, waiting_by_policy: 3, deferred: 3 },
      replies: [
        { reply: limited, category: "rate_limited", is_policy: true, messages: 3 },
        { is_policy: expect.any(Boolean), messages: 1 },
        { is_policy: expect.any(Boolean), messages: 1 },
      ],
    });
  });

  test("a report's words stand in for the acceptance before it", async () => {
    const made = await domain();
    const laneId = await alias(made);
    const { id: campaignId } = await activeCampaign(api, tenant);
    await insertSent(api.sql, tenant, [
      { campaignId, laneId, at: ago(2), to: "a@strict.zz", reason: "250 Ok", facts: ["bounced"] },
    ]);
    const said = "550 5.7.26 This mail is unauthenticated\u202e";
    await query`
      with lead as (update campaign_leads set last_error = ${said}, status = 'bounced' where id = (select id from campaign_leads where campaign_id = ${campaignId} limit 1) returning id)
      update sends s set campaign_lead_id = lead.id from lead where s.lane_id = ${laneId}`;
    const row = await rowOf(made, "strict.zz");
    expect(row.ledger).toMatchObject({ refused: 1, refused_by_policy: 1 });
    expect(row.replies).toEqual([
      {
        ...{ reply: expect.not.stringContaining("\u202e"), category: "authentication" },
        ...{ is_policy: true, messages: 1 },
      },
    ]);
  });

  test("a domain that nobody has looked up, or that has no mail hosts, is its own operator", async () => {
    const made = await domain();
    await knowing("nowhere.zz", null);
    await sent(made, { to: "a@new.zz" }, { to: "b@nowhere.zz" });
    expect(await rowOf(made, "new.zz")).toMatchObject({
      ledger: { unknown_domains: 1, looked_up_at: null },
    });
    expect(await rowOf(made, "nowhere.zz")).toMatchObject({
      ledger: { unknown_domains: 1, looked_up_at: expect.any(String) },
    });
  });

  test("an operator that slowed the domain down says how much is written to it now, and until when", async () => {
    const made = await domain();
    const at = ago(0);
    const hours = (count: number) => new Date(at.getTime() + count * 3_600_000);
    await query`
      insert into operator_rates (domain_id, operator, per_hour, changed_at, next_at, full_at, since, reason)
      values (${made.id}, 'slow.zz', 12, ${hours(-1)}, ${hours(0.1)}, ${hours(7)}, ${hours(-2)}, ${"421 4.7.28 rate\u202e"}),
             (${made.id}, 'free.zz', 30, ${hours(-9)}, ${hours(-8)}, ${hours(-4)}, ${hours(-9)}, '421')`;
    expect(await rowOf(made, "free.zz")).toBeUndefined();
    expect(await rowOf(made, "slow.zz")).toEqual({
      ...{ operator: "slow.zz", ledger: null, replies: [], placement: null },
      rate: {
        ...{ per_hour: 18, next_at: hours(0.1).toISOString(), full_at: hours(7).toISOString() },
        ...{ since: hours(-2).toISOString(), reason: expect.not.stringContaining("\u202e") },
      },
    });
  });

  test("the days are asked for, from 1 to 90", async () => {
    const made = await domain();
    await sent(made, { days: 3 }, { days: 40 });
    expect((await operators(made)).messages).toBe(1);
    expect((await operators(made, "?days=90")).messages).toBe(2);
    expect((await operators(made, "?days=1")).messages).toBe(0);
    for (const days of ["0", "91", "x"])
      expect((await tenant.call("GET", `${PATH}/${made.id}/operators?days=${days}`)).status).toBe(
        422,
      );
  });

  test("of more than fifty operators those with most messages are told, and how many are not", async () => {
    const made = await domain();
    const all = Array.from({ length: 53 }, (_, at) => ({ to: `a@op${at}.zz` }));
    await sent(made, ...all, { to: "b@op52.zz" });
    const { operators: told, more, messages } = await operators(made);
    expect([told.length, more, messages, told[0].operator]).toEqual([50, 3, 54, "op52.zz"]);
  });
});

describe("who runs a domain's mail hosts", () => {
  beforeEach(() => {
    api.dns.zones.put("hosted.zz", "hosted.zz. MX 10 aspmx.l.google.com.\n");
    api.dns.zones.put("own.zz", "own.zz. MX 10 mx.elsewhere.zz.\n");
    api.dns.zones.put("null.zz", "null.zz. MX 0 .\n");
  });

  test("is looked up of the domains that were written to, and counts for what was sent before", async () => {
    const made = await domain();
    await sent(made, { to: "a@hosted.zz" }, { to: "b@own.zz" }, { to: "c@null.zz" });
    await due(made);
    await judgeDomains(api.deps);
    expect(await kept()).toEqual([
      ["hosted.zz", null],
      ["null.zz", null],
      ["own.zz", null],
    ]);
    await lookUpOperators(api.deps);
    expect(await kept()).toEqual([
      ["hosted.zz", "google"],
      ["null.zz", null],
      ["own.zz", "elsewhere.zz"],
    ]);
    expect(await rowOf(made, "google")).toMatchObject({ ledger: { messages: 1 } });
  });

  test("is looked up again after a week, and not before", async () => {
    const made = await domain();
    await sent(made, { to: "a@hosted.zz" });
    await due(made);
    await judgeDomains(api.deps);
    await lookUpOperators(api.deps);
    api.dns.zones.put("hosted.zz", "hosted.zz. MX 10 mx.moved.zz.\n");
    await lookUpOperators(api.deps);
    expect(await kept()).toEqual([["hosted.zz", "google"]]);
    api.advance((7 * DAY_MS) / 1000);
    await lookUpOperators(api.deps);
    expect(await kept()).toEqual([["hosted.zz", "moved.zz"]]);
  });

  test("stays what it was while DNS is silent, which is asked again after an hour", async () => {
    await knowing("hosted.zz", "google");
    await query`update recipient_domains set due_at = ${ago(0)}`;
    api.dns.faults.order("servfail", 10);
    await lookUpOperators(api.deps);
    api.dns.faults.clear();
    expect(await kept()).toEqual([["hosted.zz", "google"]]);
    const [{ due_at: dueAt }] = await query`select due_at from recipient_domains`;
    expect(dueAt.getTime() - api.deps.clock.now().getTime()).toBeGreaterThan(3_500_000);
  });

  test("is kept when an address is verified", async () => {
    await verifyAddress(api.deps, "ann@hosted.zz").catch(() => undefined);
    await expect.poll(kept).toEqual([["hosted.zz", "google"]]);
  });
});
