/** Today, statistics and credits: what a person looks at first, and what it leads to. */
import { describe, expect, test } from "vitest";
import { hasBrowser, useConsole } from "../../support/console.ts";
import { type Publishable, zoneFor } from "../../support/publish.ts";
import {
  advanceUntil,
  daysOfLater,
  eventually,
  launchCampaign,
  statusOf,
} from "../../support/service.ts";

describe.runIf(hasBrowser)("the first page", () => {
  const it = useConsole();
  const created = async (path: string, body: unknown) =>
    (await it.service.api("POST", path, body)) as { id: string; campaign_id: string };
  const isDone = (step: string) =>
    it.page.locator(`[data-step=${step}]`).getByText("done", { exact: true }).waitFor();
  const steps = () => it.page.locator("[data-step]");

  test("of an empty workspace has four steps, each ticked once the API says so", async () => {
    const { page, service } = it;
    await it.open("");
    await steps().nth(3).waitFor();
    expect(await steps().getByText("to do").count()).toBe(4);
    await page.getByText("Nothing is going to be sent.").waitFor();

    const domain = (await created("/api/v2/mailer/domains", {
      domain: "begun.zz",
    })) as unknown as Publishable & { id: string };
    await page.reload();
    await page.getByText("begun.zz is pending").waitFor();
    service.stack.dns.zones.put("begun.zz", zoneFor(domain, []));
    await service.api("POST", `/api/v2/mailer/domains/${domain.id}/verify`);
    await page.reload();
    await isDone("domain");

    const { host, port, security, username, password } = service.stack.mailbox.smtp;
    const alias = await created("/api/v2/mailer/aliases", {
      email: "ann@begun.zz",
      display_name: "Ann <b>",
      transport: { kind: "smtp", host, port, security, username, password },
    });
    await page.reload();
    await isDone("alias");
    expect(await steps().getByText("to do").count()).toBe(2);

    const dataset = await created("/api/v2/datasets", { name: "People & friends" });
    await service.api("POST", `/api/v2/datasets/${dataset.id}/import`, {
      rows: [{ email: "ada@inbox.zz" }],
    });
    await page.reload();
    await page.getByText("People & friends has 1 person.").waitFor();

    const campaign = await created("/api/v2/campaigns/", {
      name: '<img src=x onerror="alert(1)">',
      dataset_id: dataset.id,
      alias_ids: [alias.id],
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Hello" }] }],
      sending_window_start: "00:00",
      sending_window_end: "00:00",
      send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    });
    await page.reload();
    await page.getByText("is written and waits to be launched").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    await service.api("POST", `/api/v2/campaigns/${campaign.campaign_id}/launch`);
    const isActive = async () => (await statusOf(service, campaign.campaign_id)) === "active";
    await eventually("the launch ends", isActive);
    await page.reload();
    await page.getByText("ann@begun.zz").waitFor();
    expect(await steps().count()).toBe(0);
  });

  test("draws the next days as the forecast has them, and has each in a table", async () => {
    const { page, service } = it;
    await launchCampaign(service, {
      aliases: 1,
      emails: ["f1@inbox.zz", "f2@inbox.zz", "f3@inbox.zz"],
      // None of them before the page has asked, too.
      days: await daysOfLater(service, { first: 3, days: 4 }),
      steps: [
        { step: 1, variants: [{ type: "INLINE", subject: "One", body: "One" }] },
        { step: 2, delay_days: 2, variants: [{ type: "INLINE", subject: "Two", body: "Two" }] },
      ],
    });
    const { days } = (await service.api("GET", "/api/v2/forecast?days=7")) as {
      days: { sends: number; new_leads: number; follow_ups: number }[];
    };
    const sum = (of: (day: (typeof days)[number]) => number) =>
      days.reduce((total, day) => total + of(day), 0);
    expect(sum(({ follow_ups }) => follow_ups)).toBeGreaterThan(0);
    await it.open("");
    const picture = page.getByRole("img", { name: `${sum(({ sends }) => sends)} messages in the` });
    await picture.waitFor();
    await page.getByText("As a table").click();
    const rows = await page
      .getByRole("region", { name: "Messages of the next 7 days" })
      .getByRole("row")
      .allInnerTexts();
    const figures = rows.slice(1).map((row) => row.split("\t").slice(1, 4).map(Number));
    expect(figures.length).toBe(7);
    expect(figures.reduce((total, [sends = 0]) => total + sends, 0)).toBe(sum((day) => day.sends));
    expect(figures.reduce((total, [, first = 0]) => total + first, 0)).toBe(
      sum((day) => day.new_leads),
    );
  });

  test("says what needs a person, and leads to the place where it is mended", async () => {
    const { page, service } = it;
    const hook = await created("/api/v2/webhooks", {
      url: service.stack.receiver.urlOf("gone"),
      description: "For <i>the CRM</i>",
    });
    service.stack.receiver.faults.order("gone", 1);
    const listed = async (path: string) =>
      ((await service.api("GET", path)) as { items: { id: string }[] }).items[0]!;
    const dataset = await listed("/api/v2/datasets");
    const alias = await listed("/api/v2/mailer/aliases");
    await created("/api/v2/campaigns/", {
      name: "Something that happens",
      ...{ dataset_id: dataset.id, alias_ids: [alias.id] },
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Hello" }] }],
    });
    // The feed waits for transactions of other test files: a round may come before it has the event.
    const isDisabled = async () =>
      ((await service.api("GET", `/api/v2/webhooks/${hook.id}`)) as { status: string }).status ===
      "disabled";
    await advanceUntil(service, { seconds: 10, moves: 30 }, "the receiver is gone", isDisabled);
    await it.open("");
    const needs = page.locator(".needs li").filter({ hasText: "410" });
    await needs.getByText("stands still").waitFor();
    await needs.getByRole("link", { name: "See its deliveries" }).click();
    await page.getByRole("heading", { level: 1, name: "For <i>the CRM</i>" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/settings/webhooks/${hook.id}`);
    await page.getByRole("button", { name: "Enable it" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    await page.getByText("Nothing. What stands still").waitFor();
  });

  test("one part that fails says so alone, and the others are shown", async () => {
    const { page } = it;
    await page.route("**/api/v2/attention", (route) =>
      route.fulfill({ status: 500, body: "no json" }),
    );
    await it.open("");
    await page.getByRole("alert").getByText("did not say why").waitFor();
    await page.getByRole("region", { name: "Senders and what they sent today" }).waitFor();
    await page.unroute("**/api/v2/attention");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
  });

  test("statistics count by what the address says, and the way back leads through it", async () => {
    const { page, service } = it;
    const id = await launchCampaign(service, {
      aliases: 1,
      emails: ["counted@inbox.zz"],
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "One", body: "One" }] }],
    });
    await service.advance(600);
    await eventually("it is sent", async () => (await statusOf(service, id)) === "completed");
    await it.open("/stats?by=alias");
    await page.getByRole("rowheader", { name: "ann@begun.zz" }).waitFor();
    await page.getByRole("link", { name: "By day" }).click();
    await page.getByRole("img", { name: "messages sent" }).first().waitFor();
    const { rows } = (await service.api("GET", "/api/v2/stats")) as { rows: { sent: number }[] };
    const sent = rows.reduce((total, row) => total + row.sent, 0);
    expect(sent).toBeGreaterThan(0);
    expect(await page.locator(".figures span").first().innerText()).toBe(`${sent}\nsent`);
    await page.goBack();
    await page.getByRole("columnheader", { name: "Sender" }).waitFor();
    await page.getByLabel("From").fill("2020-01-01");
    await page.getByRole("alert").getByText("at most 92").waitFor();
    expect(new URL(page.url()).searchParams.get("from")).toBe("2020-01-01");
    await page.getByRole("link", { name: "Last 30 days" }).click();
    await page.getByRole("rowheader", { name: "ann@begun.zz" }).waitFor();
  });

  test("credits that are bought on the provider's page appear, and what was not bought does not", async () => {
    const { page, service } = it;
    await it.context.clearCookies();
    await it.signIn(service.access.free_jwt);
    await it.open("/credits");
    await page.getByText("free plan", { exact: true }).waitFor();
    await page.getByText("No credit has moved yet.").waitFor();
    await page.getByRole("button", { name: "Buy 1,000" }).click();
    await page.waitForURL(`${service.stack.payments.url}/**`);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Credits" }).waitFor();
    await page.getByRole("button", { name: "Buy 1,000" }).click();
    await page.waitForURL(`${service.stack.payments.url}/**`);
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.waitForURL(`${service.baseUrl}/console/credits?session=*`);
    await page.getByText("1,000 credits were added.").waitFor();
    await page.getByText("paid plan", { exact: true }).waitFor();
    await page.locator(".rail-foot").getByText("1,000 credits, paid").waitFor();
    await page.getByRole("rowheader", { name: "Bought." }).waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await eventually("the address is as before", () => page.url().endsWith("/console/credits"));
    // The provider's page is another site's, and the only one that was asked.
    const foreign = it.complaints.filter((each) => !each.includes(service.stack.payments.url));
    expect(foreign).toEqual([]);
    it.complaints.length = 0;
  });
});
