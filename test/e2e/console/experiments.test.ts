/** Variants that are tried out: from weights that stay, over what is judged, to a winner with its evidence. */
import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";
import { armsOf } from "#db/engine/draw.ts";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";
import { daysOfLater, launchCampaign } from "../../support/service.ts";

const STEP = {
  step: 1,
  variants: ["Short", "Long <b>"].map((subject) => ({ type: "INLINE", subject, body: "Hello" })),
};

describe.runIf(hasBrowser)("the experiments of a campaign", () => {
  const it = useConsole();

  /** So many sends of either text, as if their horizon had been over on these dates. */
  async function judged(campaignId: string, dates: string[], replied: [number, number]) {
    const arms = new PgDialect().sqlToQuery(armsOf(sql`c.steps -> 0`)).sql;
    for (const [i, replies] of replied.entries())
      await it.service.sql.query(
        `insert into experiment_judgements (send_id, campaign_id, step, arm, judged_on, weights_version, config_version, accepted_at, replied, clicked, harmed)
         select gen_random_uuid(), c.id, 1, ${arms} ->> $2::int, day::date, 0, 1, day::timestamptz, k <= $3, false, false
         from campaigns c, unnest($4::text[]) day, generate_series(1, 200) k where c.id = $1`,
        [campaignId, i, replies, dates],
      );
  }

  test("say nothing of weights that stay, then what is judged, and the winner with its evidence; they are frozen and begun anew", async () => {
    const { page, service } = it;
    const id = await launchCampaign(service, {
      aliases: 1,
      emails: ["ada@inbox.zz"],
      days: await daysOfLater(service),
      steps: [STEP],
    });
    const says = async (text: string) => {
      await it.open(`/campaigns/${id}`);
      const said = page.getByText(text);
      await said.waitFor();
      expect(await inspect(page, () => said.waitFor())).toEqual([]);
    };
    await says("The variants keep the weights that they were given.");

    const experiment = { metric: "reply", horizon_days: 5, floor: 0.05 };
    await service.api("PATCH", `/api/v2/campaigns/${id}`, { steps: [{ ...STEP, experiment }] });
    await says("Nothing is judged yet: each message is, 5 days after it went out.");

    await judged(id, ["2026-01-01", "2026-01-02", "2026-01-03"], [4, 30]);
    // It is weighed once a date, by a check that comes every 15 to 20 minutes; one of today may have been before.
    await service.advance(86_400);
    await says("B is the winner: its evidence is");
    const rows = await page
      .getByRole("region", { name: "Variants of step 1" })
      .getByRole("row")
      .allInnerTexts();
    expect(rows.slice(1).map((row) => row.split("\t").map((cell) => cell.trim()))).toEqual([
      ["A", "5 %", "600", "12", "0", "0 %"],
      [expect.stringContaining("the winner"), "95 %", "600", "90", "0", "100 %"],
    ]);
    await page.getByText("a winner: A 5 %, B 95 %").waitFor();

    await page.getByRole("button", { name: "Freeze" }).click();
    await page.getByText("Frozen: its weights stay.").waitFor();
    expect(await page.getByRole("button", { name: "Freeze" }).count()).toBe(0);
    await page.getByRole("button", { name: "Begin anew" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Begin anew" }).click();
    await page.getByText("Nothing is judged yet").waitFor();
    await page.getByText("begun anew: weights as they were given").waitFor();
  });
});
