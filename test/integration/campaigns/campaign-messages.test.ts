import { PgDialect } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";
import { messagesQuery } from "#db/campaigns/campaign-messages.ts";
import { FACTS, insertSent, type SentRow } from "../../support/sent-messages.ts";
import { createRandom } from "../../support/random.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const DAY = 86_400_000;
const STATES = ["accepted", "assumed_sent", "rejected", "claimed", "failed", "unknown", "canceled"];

interface Item {
  id: string;
  at: string;
  date: string;
  kind: string;
  [name: string]: unknown;
}

async function page(campaignId: string, query = "") {
  const path = `/api/v2/campaigns/${campaignId}/messages?${query}`;
  const { status, body } = await tenant.call("GET", path);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as { items: Item[]; next_cursor: string | null; has_more: boolean };
}

/** Every page, one behind the other. */
async function all(campaignId: string, query = "", limit = 200): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = "";
  do {
    const found = await page(campaignId, `limit=${limit}&${query}${cursor}`);
    items.push(...found.items);
    cursor = found.next_cursor === null ? "" : `&cursor=${found.next_cursor}`;
    expect(found.has_more).toBe(cursor !== "");
  } while (cursor !== "");
  return items;
}

/** Messages of three days, some of one slot, in every state. */
async function ledger() {
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 1 });
  const start = Date.parse("2026-05-04T08:00:00Z");
  const random = createRandom(11);
  const rows: SentRow[] = Array.from({ length: 150 }, () => ({
    campaignId,
    laneId: aliasIds[0]!,
    at: new Date(start + random.below(3) * DAY + random.below(20) * 60_000),
    step: 1 + random.below(2),
    state: random.pick(STATES),
    opens: random.below(2),
    facts: FACTS.filter(() => random.below(4) === 0),
  }));
  await insertSent(sending.api.sql, tenant, rows);
  // Of a window that goes past midnight: they count to the day on which it opened.
  await sending.api.sql.query(
    "update sends set campaign_day = campaign_day - 1 where campaign_id = $1 and opens = 1",
    [campaignId],
  );
  return { campaignId, rows, aliasId: aliasIds[0]! };
}

interface PlanNode {
  Plans?: PlanNode[];
  [name: string]: unknown;
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe("a campaign's messages", () => {
  test("are those that its stats count, day by day, in their order, on pages of any size", async () => {
    const { campaignId } = await ledger();
    const whole = await all(campaignId);
    const { body } = await tenant.call("GET", `/api/v2/campaigns/${campaignId}/stats?by=day`);
    for (const { key, sent, bounced, replied } of body.rows) {
      const ofDay = await all(campaignId, `date=${key}`);
      expect(ofDay.every(({ date }) => date === key)).toBe(true);
      expect([
        ofDay.filter(({ kind }) => kind !== "failed").length,
        ofDay.filter(({ bounced_at }) => bounced_at !== null).length,
        ofDay.filter(({ replied_at }) => replied_at !== null).length,
      ]).toEqual([sent, bounced, replied]);
    }
    expect(body.rows).toHaveLength(4);
    for (const limit of [1, 7]) expect(await all(campaignId, "", limit)).toEqual(whole);
    const places = whole.map(({ date, at }) => `${date} ${at}`);
    expect(places).toEqual(places.toSorted());
    expect(await all(campaignId, "date=2026-05-02")).toEqual([]);
  });

  test("each says to whom, from whom, which step and variant, and what came of it", async () => {
    const { campaignId, aliasIds } = await sending.campaign(tenant, {
      leads: 1,
      steps: [{ delayDays: 0 }, { delayDays: 2 }],
    });
    await sending.tick();
    const [send] = await sending.sendsOf(campaignId);
    const {
      items: [item],
    } = await page(campaignId);
    expect(item).toMatchObject({
      id: send!.id,
      kind: "sent",
      assumed: false,
      step: 1,
      alias_id: aliasIds[0],
      connected_account_id: null,
      bounced_at: null,
      reason: null,
    });
    expect([item!["email"], item!["lead_id"]]).toEqual([
      expect.stringContaining("@"),
      expect.any(String),
    ]);
    await sending.api.sql.query(
      "update sends set soft_bounced_at = accepted_at, reason = '452 4.2.2 Mailbox full' where id = $1",
      [send!.id],
    );
    const [bounced] = (await page(campaignId)).items;
    expect(bounced).toMatchObject({ soft_bounced_at: item!.at, reason: "452 4.2.2 Mailbox full" });
  });

  test("a day's page reads its own messages, however many the campaign has", async () => {
    const { campaignId, rows, aliasId } = await ledger();
    const day = (offset: number) => new Date(Date.parse("2026-07-01T08:00:00Z") + offset * DAY);
    const more = Array.from({ length: 5_000 }, (_, index) => ({
      ...rows[0]!,
      laneId: aliasId,
      state: "accepted",
      at: day(index % 100),
    }));
    await insertSent(sending.api.sql, tenant, more);
    await sending.api.sql.query("analyze sends");
    const asked = { day: "2026-07-05", limit: 20 };
    const last = { day: "2026-07-05", slotAt: day(4), id: "00000000-0000-0000-0000-000000000000" };
    for (const after of [undefined, last]) {
      const statement = messagesQuery({ id: campaignId }, { ...asked, after });
      const { sql: text, params } = new PgDialect().sqlToQuery(statement);
      const explained = await sending.api.sql.query(
        `explain (analyze, format json) ${text}`,
        params,
      );
      const reads = nodesOf(explained.rows[0]["QUERY PLAN"][0].Plan).filter(
        (node) => node["Relation Name"] === "sends",
      );
      expect(reads).toMatchObject([{ "Index Name": "sends_campaign_day", "Actual Rows": 21 }]);
    }
  });

  test.each(["cursor=x", "cursor=MTIz", "date=yesterday", "date=2026-02-30", "limit=0"])(
    "%s is refused",
    async (query) => {
      const { campaignId } = await sending.campaign(tenant, { leads: 1 });
      const path = `/api/v2/campaigns/${campaignId}/messages?${query}`;
      expect((await tenant.call("GET", path)).status).toBe(422);
    },
  );
});
