/** Drafts are looked at beside what they rest on; what a person approved is what goes out. */
import type { Cookie, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";
import { advanceUntil, eventually } from "../../support/service.ts";

/** A sender's gap is longer than 60 s: each message of one alias is another tick's. */
const PACE = { seconds: 60, moves: 30 };
const HOSTILE = `Fjord <img src=x onerror="document.title='owned'">`;

interface Draft {
  campaign_lead_id: string;
  lead_id: string;
  generation_id: string;
  subject: string;
  body: string;
}

describe.runIf(hasBrowser)("drafts", () => {
  const it = useConsole();
  let mark = 0;
  let dataset: string;
  let campaign: string;
  let batch: string;
  let drafts: Draft[];

  const post = async (at: string, body: unknown = {}) =>
    (await it.service.api("POST", at, body)) as Record<string, string>;
  const emailOf = (n: number) => `reader${n}-${mark}@inbox.zz`;
  const sentTo = async (n: number) =>
    (await it.service.mailbox("GET", `/api/messages?to=${emailOf(n)}`)) as {
      subject: string;
      text: string;
    }[];
  const openBatch = async () => {
    await it.open(`/drafts/${batch}?campaign=${campaign}`);
    await it.page.waitForSelector(".paper");
  };
  const paper = () => it.page.locator(".paper");
  const showsDraftTo = (n: number) =>
    it.page.getByRole("region", { name: `Draft to Reader ${n}` }).waitFor();
  const toast = (text: string) => it.page.locator(".toast").getByText(text).waitFor();

  /** A running campaign that waits for a review, with a draft for each of three people. */
  beforeEach(async () => {
    mark++;
    const { host, port, security, username, password } = it.service.stack.mailbox.smtp;
    if (mark === 1)
      await post("/api/v1/sender-profiles/", {
        ...{ name: "Main", full_name: "Sam Field", company: "Overture", is_default: true },
      });
    const alias = await post("/api/v1/mailer/aliases", {
      email: `sender-${mark}@sender.zz`,
      display_name: "Sender",
      transport: { kind: "smtp", host, port, security, username, password },
    });
    dataset = (await post("/api/v1/datasets", { name: "Readers" }))["id"]!;
    const rows = [0, 1, 2].map((n) => ({
      ...{ email: emailOf(n), first_name: "Reader", last_name: String(n), company: HOSTILE },
    }));
    await post(`/api/v1/datasets/${dataset}/import`, { rows });
    const text = { type: "INLINE", subject: `Notes ${mark}`, body: "A word about our work." };
    const made = await post("/api/v1/campaigns/", {
      name: `Letters ${mark}`,
      dataset_id: dataset,
      alias_ids: [alias["id"]],
      steps: [{ step: 1, ai_personalization_enabled: true, variants: [text] }],
      sending_window_start: "00:00",
      sending_window_end: "00:00",
      send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
      min_interval_seconds: 60,
      unreviewed_launch_policy: "hold",
    });
    campaign = made["campaign_id"]!;
    await post(`/api/v1/campaigns/${campaign}/launch`);
    await eventually("it is active", async () => {
      const { status } = (await it.service.api("GET", `/api/v1/campaigns/${campaign}`)) as {
        status: string;
      };
      return status === "active";
    });
    // More of them a minute than anybody may ask for.
    it.service.stack.redis.faults.order("forget", 1);
    const generated = await post(`/api/v1/campaigns/${campaign}/playground/generate`, {
      step_index: 1,
      n_leads: 3,
    });
    batch = generated["batch_id"]!;
    await it.service.stack.qstash.idle();
    drafts = await eventually("the drafts are written", async () => {
      const at = `/api/v1/campaigns/${campaign}/playground/drafts?batch_id=${batch}`;
      const answer = (await it.service.api("GET", at)) as { done: boolean; drafts: Draft[] };
      return answer.done && answer.drafts;
    });
  });

  /** A claim that nothing holds: the first word of the body. */
  const withoutSource = (n: number) =>
    it.service.sql.query(
      `update generations set claims = '[{"start": 0, "end": 2, "kind": "name", "source_index": null}]' where id = $1`,
      [drafts[n]!.generation_id],
    );

  test("are approved by keys, each from the one before, and go out to the letter", async () => {
    const { page } = it;
    await openBatch();
    await showsDraftTo(0);
    expect(await paper().locator(".words").evaluate(BYTES)).toBe(drafts[0]!.body);
    expect(await page.locator(".sources li").count()).toBeGreaterThan(0);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await inspect(page, () => page.waitForSelector(".paper"))).toEqual([]);
    await page.keyboard.press("j");
    await showsDraftTo(1);
    await page.keyboard.press("k");
    await showsDraftTo(0);
    await page.keyboard.press("a");
    await showsDraftTo(1);
    await page.getByText("1 of 3 approved").waitFor();
    await page.keyboard.press("z");
    await toast("Taken back.");
    await page.getByText("0 of 3 approved").waitFor();
    await page.getByRole("button", { name: "Approve all that cite a source" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve 3 drafts" }).click();
    await page.getByText("3 of 3 approved").waitFor();
    for (const [n, { subject, body }] of drafts.entries()) {
      const [sent] = await advanceUntil(it.service, PACE, "it is sent", async () => {
        const all = await sentTo(n);
        return all.length > 0 && all;
      });
      expect(sent!.subject).toBe(subject);
      expect(sent!.text.replaceAll("\r\n", "\n").startsWith(body)).toBe(true);
    }
  });

  test("are not approved unseen where a key is held", async () => {
    const { page } = it;
    let approvals = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/approve")) approvals++;
    });
    await openBatch();
    await showsDraftTo(0);
    await page.keyboard.down("a");
    await showsDraftTo(1);
    await page.getByText("1 of 3 approved").waitFor();
    for (let n = 0; n < 3; n++) await page.keyboard.down("a");
    await page.keyboard.up("a");
    // One may go through them by a held key.
    await page.keyboard.press("k");
    await showsDraftTo(0);
    await page.keyboard.down("j");
    await page.keyboard.down("j");
    await showsDraftTo(2);
    await page.keyboard.up("j");
    await page.keyboard.press("z");
    await page.getByText("0 of 3 approved").waitFor();
    expect(approvals).toBe(1);
  });

  test("that claim something without a source are in amber, and asked about before they are approved", async () => {
    const { page } = it;
    await withoutSource(0);
    await openBatch();
    await page.locator("mark.open").waitFor();
    await page.locator(".sources .open").getByText("No source says").waitFor();
    expect(await inspect(page, () => page.waitForSelector("mark.open"))).toEqual([]);
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No source says").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("0 of 3 approved").waitFor();
    await page.getByRole("button", { name: "Approve all that cite a source" }).click();
    await dialog.getByRole("button", { name: "Approve 2 drafts" }).click();
    await page.getByText("2 of 3 approved").waitFor();
    await page.keyboard.press("a");
    await dialog.getByRole("button", { name: "Approve it as it is" }).click();
    await page.getByText("3 of 3 approved").waitFor();
  });

  test("are edited: what is typed outlives a reload, and exactly that is sent", async () => {
    const { page } = it;
    const words = "Hello {{ first_name }}, {a|b} 100 %.\n\n  Two blanks, and akejhrz.";
    await openBatch();
    await page.keyboard.press("e");
    const field = page.getByLabel("Text", { exact: true });
    await field.fill(words);
    await page.reload();
    await page.waitForSelector(".paper");
    await page.keyboard.press("e");
    expect(await field.inputValue()).toBe(words);
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await showsDraftTo(1);
    await page.keyboard.press("k");
    await page.getByRole("article", { name: "The approved text" }).waitFor();
    expect(await paper().locator(".words").evaluate(BYTES)).toBe(words);
    const [sent] = await advanceUntil(it.service, PACE, "it is sent", async () => {
      const all = await sentTo(0);
      return all.length > 0 && all;
    });
    expect(sent!.text.replaceAll("\r\n", "\n").startsWith(words)).toBe(true);
    expect(sent!.subject).toBe(drafts[0]!.subject);
  });

  test("that are out of date are refused, and one's own words stay", async () => {
    const { page } = it;
    await openBatch();
    await page.keyboard.press("e");
    const field = page.getByLabel("Text", { exact: true });
    await field.fill("In my own words.");
    await it.service.api("PATCH", `/api/v1/datasets/${dataset}/leads/${drafts[0]!.lead_id}`, {
      title: "Retired",
    });
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await page.getByRole("alert").getByText("generate a new one").waitFor();
    expect(await field.inputValue()).toBe("In my own words.");
    await page.reload();
    await page.getByText("1 out of date").waitFor();
    await page.locator(".draft-list a").first().click();
    await page.getByText("it would not be sent as it is").waitFor();
    await page.keyboard.press("r");
    await page.getByRole("dialog").getByText("1 credit, if it is written").waitFor();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: "Write it again: 1 credit" })
      .click();
    await page.getByText("0 of 1 approved").waitFor();
    await it.service.stack.qstash.idle();
    await page.waitForSelector(".paper");
    await page.keyboard.press("a");
    await page.getByText("1 of 1 approved").waitFor();
  });

  test("of two members: the second sees what the first did, and does not overwrite it", async () => {
    const { page, context } = it;
    const owner = await context.cookies();
    const second = await context.newPage();
    await second.goto(`${it.service.baseUrl}/console/service`);
    const member = await joins(second);
    /** Cookies are the browser's: whose turn it is has theirs. */
    const turnOf = (who: typeof owner) => context.addCookies(who);
    await turnOf(owner);
    await openBatch();
    await second.goto(page.url());
    await second.waitForSelector(".paper");
    // It hears of nothing before it is about to approve.
    await second.route("**/api/v2/events*", (route) => route.abort());
    await page.keyboard.press("e");
    await page.getByLabel("Text", { exact: true }).fill("The words of the first.");
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await page.getByText("1 of 3 approved").waitFor();
    await turnOf(member);
    await second.keyboard.press("a");
    await second.getByRole("alert").getByText("Another text was approved at").waitFor();
    await second
      .getByRole("article", { name: "The approved text" })
      .getByText("The words of the first.")
      .waitFor();
    await second.unroute("**/api/v2/events*");
    await second.keyboard.press("j");
    await second.getByRole("region", { name: "Draft to Reader 1" }).waitFor();
    await second.keyboard.press("a");
    await page.getByText("2 of 3 approved").waitFor();
    await second.close();
    const [mine, theirs] = await Promise.all([0, 1].map((n) => approvedOf(n)));
    expect(mine!.body).toBe("The words of the first.");
    expect(theirs!.body).toBe(drafts[1]!.body);
    expect(theirs!.approved_by).not.toBe(mine!.approved_by);
    await turnOf(owner);
  });

  /** Signs another login in, as a member of the same workspace; answers the cookies of their session. */
  async function joins(tab: Page): Promise<Cookie[]> {
    const invited = { email: "demo-free@overture.zz", role: "member" };
    const { url } = await post("/api/v2/workspace/invitations", invited);
    const ask = (method: string, at: string, body: unknown) =>
      tab.evaluate<Record<string, string>>(
        `fetch("/api/v2/${at}", { method: "${method}", headers: { "content-type": "application/json" },
          body: ${JSON.stringify(JSON.stringify(body))} }).then((reply) => reply.json())`,
      );
    await ask("POST", "auth/session", { credential: it.service.access.free_jwt });
    const joined = await ask("POST", `invitations/${url!.split("/").at(-1)}/accept`, {});
    await ask("PATCH", "auth/session", { workspace_id: joined["workspace_id"] });
    return it.context.cookies();
  }

  const approvedOf = async (n: number) => {
    const at = `/api/v2/campaigns/${campaign}/leads/${drafts[n]!.campaign_lead_id}`;
    const lead = (await it.service.api("GET", at)) as {
      metadata: { approved_emails: Record<string, { body: string; approved_by: string }> };
    };
    return lead.metadata.approved_emails["1"];
  };

  test("are generated with their cost said, and a batch's address is enough to find it", async () => {
    const { page } = it;
    await it.open("/drafts");
    const name = `Generate drafts of Letters ${mark}`;
    await page.getByRole("button", { name }).click();
    await page.getByLabel("For how many people").fill("2");
    expect(await inspect(page, () => page.waitForSelector("dialog[open]"))).toEqual([]);
    await page.getByRole("button", { name: "Generate for 2 credits at most" }).click();
    await page.getByText("of 2 approved").waitFor();
    await it.service.stack.qstash.idle();
    await page.waitForSelector(".paper");
    await it.open(`/drafts/${batch}`);
    await page.getByText("of 3 approved").waitFor();
    expect(new URL(page.url()).searchParams.get("campaign")).toBe(campaign);
    await page.getByRole("link", { name: "All batches" }).click();
    await page.getByRole("link", { name: "2 drafts of step 1" }).waitFor();
  });
});

/** The text on the paper without the numbers of its claims. */
const BYTES = (place: { cloneNode(deep: boolean): unknown }): string => {
  const copy = place.cloneNode(true) as {
    querySelectorAll(what: string): Iterable<{ remove(): void }>;
    textContent: string;
  };
  for (const each of [...copy.querySelectorAll("sup")]) each.remove();
  return copy.textContent;
};
