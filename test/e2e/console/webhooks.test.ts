/** Webhooks with their deliveries, who did what, and single emails. */
import { beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";
import { eventually } from "../../support/service.ts";

describe.runIf(hasBrowser)("in the console", () => {
  const it = useConsole();
  let datasetId = "";
  let aliasId = "";
  const created = async (path: string, body: unknown) =>
    (await it.service.api("POST", path, body)) as { id: string; campaign_id: string };
  const happen = (name: string) =>
    created("/api/v2/campaigns/", {
      name,
      ...{ dataset_id: datasetId, alias_ids: [aliasId] },
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Hello" }] }],
    });
  const dialog = () => it.page.getByRole("dialog");
  const hookOf = (name: string) =>
    it.service.stack.receiver.hooks().find((hook) => hook.name === name);

  beforeAll(async () => {
    datasetId = (await created("/api/v2/datasets", { name: "People" })).id;
  });

  test("an email is written, leaves, and is found; one that is set for later is cancelled", async () => {
    const { page, service } = it;
    await it.open("/emails/new");
    await page.getByText("No sender can send.").waitFor();
    const { host, port, security, username, password } = service.stack.mailbox.smtp;
    const alias = await created("/api/v2/mailer/aliases", {
      email: "ann@single.zz",
      display_name: "Ann",
      transport: { kind: "smtp", host, port, security, username, password },
    });
    aliasId = alias.id;
    await page.reload();
    const write = async (to: string, subject: string) => {
      await page.getByLabel("To", { exact: true }).fill(to);
      await page.getByLabel("Subject").fill(subject);
      await page.getByLabel("Text").fill("Hello <3");
    };
    await write("not an address", "Hello <b>Bo</b>");
    await page.getByRole("button", { name: "Send it" }).click();
    await page.locator("input[name=to_email]:focus").waitFor();
    await page.reload();
    expect(await page.getByLabel("Subject").inputValue()).toBe("Hello <b>Bo</b>");
    await page.getByLabel("To", { exact: true }).fill("bo@inbox.zz");
    await page.getByRole("button", { name: "Send it" }).click();
    await page.getByRole("heading", { level: 1, name: "Hello <b>Bo</b>" }).waitFor();
    await service.advance(30);
    await page.getByText("The sender's server took it.").waitFor();
    const [mail] = (await service.mailbox("GET", "/api/messages?to=bo%40inbox.zz")) as {
      subject: string;
    }[];
    expect(mail?.subject).toBe("Hello <b>Bo</b>");

    await it.open("/emails/new");
    await write("cy@inbox.zz", "Later");
    await page.getByLabel("When").selectOption({ label: "at a time that I choose" });
    await page.getByLabel("Date and time").fill("2099-01-01T09:00");
    await page.getByRole("button", { name: "Set it for this time" }).click();
    await page.getByRole("heading", { level: 1, name: "Later" }).waitFor();
    await page.getByText("1 Jan 2099, 09:00").waitFor();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await dialog().getByRole("button", { name: "Cancel the email" }).click();
    const end = page.getByText("It was cancelled before it left.");
    await end.waitFor();
    expect(await inspect(page, () => end.waitFor())).toEqual([]);

    await it.open("/emails?status=cancelled");
    await page.getByRole("link", { name: "Later" }).waitFor();
    expect(await page.getByRole("link", { name: "Hello <b>Bo</b>" }).count()).toBe(0);
    await page.getByRole("combobox", { name: "State" }).selectOption("");
    await page.getByLabel("To", { exact: true }).fill("bo@inbox.zz");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("link", { name: "Hello <b>Bo</b>" }).click();
    await page.getByRole("heading", { level: 1, name: "Hello <b>Bo</b>" }).waitFor();
  });

  test("a webhook is made, its test arrives signed, and what its receiver refused is listed until it is taken", async () => {
    const { page, service } = it;
    const url = service.stack.receiver.urlOf("crm");
    await it.open("/settings/webhooks");
    await page.getByRole("button", { name: "Make the first" }).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await dialog().getByLabel("Address", { exact: true }).fill("no address");
    await dialog().getByLabel("What it is for").fill("The <u>CRM</u>");
    await dialog().getByLabel("Events").selectOption({ label: "only those that I choose" });
    await dialog().getByRole("button", { name: "Make the webhook" }).click();
    // Both faults are said, the first has the focus, and nothing typed is lost.
    await page.locator("dialog input[name=url]:focus").waitFor();
    expect(await dialog().getByLabel("What it is for").inputValue()).toBe("The <u>CRM</u>");
    await dialog().getByLabel("Address", { exact: true }).fill(url);
    await dialog().getByLabel("Campaigns: launched").check();
    await dialog().getByRole("button", { name: "Make the webhook" }).click();
    const secret = await dialog().locator(".secret code").innerText();
    expect(secret).toMatch(/^whsec_/);
    service.stack.receiver.tell("crm", secret);
    await dialog().getByRole("link", { name: "Send it a test" }).click();
    await page.getByRole("heading", { level: 1, name: "The <u>CRM</u>" }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.keyboard.press("t");
    await page.getByRole("status").getByText("The test was taken.").waitFor();
    expect(hookOf("crm")?.events).toMatchObject([{ signature: "right", answered: 200 }]);

    await page.getByText("Every event got through at once.").waitFor();
    // Until it is seen: the clock runs, and a next try that is taken would hide the first.
    service.stack.receiver.faults.order("server_error", 1_000);
    await happen("Refused at first");
    await service.advance(6);
    const row = page.getByRole("row").filter({ hasText: "campaign created" });
    await row.getByText("the last answered 500").waitFor();
    service.stack.receiver.faults.clear();
    await row.getByRole("button", { name: "Send again" }).click();
    await service.advance(10);
    await row.getByText(/taken after \d/).waitFor();
    expect(await inspect(page, () => row.waitFor())).toEqual([]);
    const answers = hookOf("crm")!
      .events.filter(({ type }) => type === "campaign.created")
      .map(({ answered }) => answered);
    expect([answers.at(-1), answers[0]]).toEqual([500, 200]);
    await page.getByRole("link", { name: "Given up" }).click();
    await page.getByText("No delivery is in this state.").waitFor();
    await page.goBack();
    await row.getByText(/taken after \d/).waitFor();
  });

  test("a webhook is paused, goes on, gets a new secret, is changed by two, and is deleted", async () => {
    const { page, service } = it;
    const { id } = await created("/api/v2/webhooks", {
      url: service.stack.receiver.urlOf("other"),
    });
    await it.open(`/settings/webhooks/${id}`);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("You paused it.").waitFor();
    await page.getByRole("button", { name: "Let it go on" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "New secret" }).click();
    await dialog().getByRole("button", { name: "Make a new secret" }).click();
    const secret = await dialog().locator(".secret code").innerText();
    await dialog().getByRole("button", { name: "I have it" }).click();
    service.stack.receiver.tell("other", secret);
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("The test was taken.").waitFor();
    expect(hookOf("other")?.events).toMatchObject([{ signature: "right" }]);

    await page.getByRole("button", { name: "Change", exact: true }).click();
    await dialog().getByLabel("What it is for").fill("Mine");
    await service.api("PATCH", `/api/v2/webhooks/${id}`, { types: ["reply.*"] });
    await dialog().getByRole("button", { name: "Keep the changes" }).click();
    await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
    await page.getByText("reply.*").waitFor();

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Send again what it had" }).click();
    await dialog().getByRole("button", { name: "Send it again" }).click();
    await page.locator("dialog input[name=since]:focus").waitFor();
    await dialog().getByLabel("From").fill("2026-01-01T00:00");
    await dialog().getByRole("button", { name: "Send it again" }).click();
    await page.getByText(/will be sent again|Nothing happened/).waitFor();

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog().getByRole("button", { name: "Delete the webhook" }).click();
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    await page.getByRole("link", { name: "/hooks/other" }).waitFor({ state: "detached" });
  });

  test("who did what is told newest first, by whom and about what one asks, and goes on by itself", async () => {
    const { page } = it;
    const name = "<script>alert(1)</script>";
    const { campaign_id: id } = await happen(name);
    await it.open("/settings/events?types=campaign.*");
    const rows = page.getByRole("row");
    const first = rows.nth(1);
    await first.getByText(`"${name}" was made.`).waitFor();
    await page.getByRole("combobox", { name: "Campaign", exact: true }).selectOption(id);
    await eventually("only that campaign is shown", async () => (await rows.count()) === 2);
    // It appears without a reload.
    await it.service.api("PATCH", `/api/v2/campaigns/${id}`, { daily_limit: 7 });
    await first.getByText(`"${name}" was changed.`).waitFor();
    expect(await rows.count()).toBe(3);
    const who = await first.getByRole("link").last().innerText();
    await first.getByRole("link", { name: who }).last().click();
    const query = new URL(page.url()).searchParams;
    expect([query.get("campaign_id"), query.get("types")]).toEqual([id, "campaign.*"]);
    expect(query.get("actor")).toMatch(/^[0-9a-f-]{36}$/);
    await rows.nth(2).waitFor();
    await page.getByRole("combobox", { name: "Who" }).selectOption("system");
    await page.getByText("Nothing of that happened.").waitFor();
    await page.reload();
    await page.getByText("Nothing of that happened.").waitFor();
    expect(await page.getByRole("combobox", { name: "Who" }).inputValue()).toBe("system");
  });
});
