/** Campaigns in the console: what it says is what the API says, what it shows is what was sent, and nothing typed is lost. */
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { instantOf, wallAt, type Weekday, weekdayOf } from "#src/console/pure/wall-time.ts";
import { whenWords } from "#src/console/pure/day-words.ts";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";
import { daysOfLater, eventually, statusOf, WEEK } from "../../support/service.ts";

const HOSTILE = '"><img src=x onerror=alert(1)> \u202eevil <script>alert(2)</script>';

interface Draft {
  name?: string;
  emails?: string[];
  firstName?: string;
  /** HH:MM on the clocks of the zone; absent: all day. */
  window?: [string, string];
  zone?: string;
  days?: Weekday[];
  steps?: object[];
}

describe.runIf(hasBrowser)("campaigns", () => {
  const it = useConsole();
  let made = 0;
  const api = <Answer = { id: string; campaign_id: string }>(
    method: string,
    path: string,
    body?: unknown,
  ) => it.service.api(method, path, body) as Promise<Answer>;

  async function draft(wish: Draft = {}): Promise<string> {
    const { emails = ["ada@inbox.zz"], firstName = "Ada", window = ["00:00", "00:00"] } = wish;
    const { host, port, security, username, password } = it.service.stack.mailbox.smtp;
    const mark = `${Date.now().toString(36)}${made++}`;
    const alias = await api("POST", "/api/v1/mailer/aliases", {
      email: `anna-${mark}@sender.zz`,
      display_name: "Anna",
      transport: { kind: "smtp", host, port, security, username, password },
    });
    const dataset = await api("POST", "/api/v1/datasets", { name: `People ${mark}` });
    await api("POST", `/api/v1/datasets/${dataset.id}/import`, {
      rows: emails.map((email) => ({ email, first_name: firstName, company: HOSTILE })),
    });
    const campaign = await api("POST", "/api/v1/campaigns/", {
      name: wish.name ?? `Campaign ${mark}`,
      dataset_id: dataset.id,
      alias_ids: [alias.id],
      timezone: wish.zone ?? "UTC",
      sending_window_start: window[0],
      sending_window_end: window[1],
      send_days: wish.days ?? WEEK,
      min_interval_seconds: 60,
      steps: wish.steps ?? [
        {
          step: 1,
          track_opens: false,
          variants: [{ type: "INLINE", subject: "Hello {{ first_name }}", body: "<p>Once</p>" }],
        },
      ],
    });
    return campaign.campaign_id;
  }

  async function launch(id: string): Promise<void> {
    await api("POST", `/api/v1/campaigns/${id}/launch`);
    await eventually("it is launched", async () => (await statusOf(it.service, id)) === "active");
  }

  const mailsTo = (email: string) =>
    it.service.mailbox("GET", `/api/messages?to=${encodeURIComponent(email)}`) as Promise<
      { subject: string; text: string }[]
    >;

  /** By Tab alone, from where the focus is. */
  async function tabTo(target: Locator): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      if (await target.evaluate((element) => element.matches(":focus"))) return;
      await it.page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${target}`);
  }

  /** A zone in which it is between six and seven in the morning. */
  async function morningZone(): Promise<string> {
    const { timestamp } = await api<{ timestamp: string }>("GET", "/api/v1/health");
    const ahead = ((6 - new Date(timestamp).getUTCHours() + 36) % 24) - 12;
    return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
  }
  const nowOf = async () =>
    Date.parse((await api<{ timestamp: string }>("GET", "/api/v1/health")).timestamp);

  test("one is launched by keys alone: checks, its numbers on the button, and the mail arrives", async () => {
    const { page } = it;
    const id = await draft({ name: "By keys", emails: ["keys@inbox.zz", "more@inbox.zz"] });
    // The second of two keys has to come soon after the first, which a busy machine may be late for.
    await eventually("two keys lead to the list", async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("c");
      return (await page.getByRole("heading", { level: 1, name: "Campaigns" }).count()) === 1;
    });
    await tabTo(page.getByRole("link", { name: "By keys" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "By keys" }).waitFor();
    await page.getByText("Draft.").waitFor();
    await page.keyboard.press("l");
    const dialog = page.getByRole("dialog", { name: "Launch By keys?" });
    await dialog.getByText("checks let it go").waitFor();
    expect(await dialog.locator(".checks li").count()).toBe(16);
    const button = dialog.getByRole("button", { name: /^Launch: 2 people, 2 messages, ends / });
    await button.waitFor();
    await tabTo(button);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await eventually("it is active", async () => (await statusOf(it.service, id)) === "active");
    await it.service.advance(180);
    expect((await mailsTo("keys@inbox.zz")).map(({ subject }) => subject)).toEqual(["Hello Ada"]);
    // It is on the axis without a reload.
    await page.locator("rect.sent-first").first().waitFor();
  });

  test("a closed window: reason and time are the API's; when it opens it sends, and the bars are what was sent", async () => {
    const { page } = it;
    const zone = await morningZone();
    const emails = ["one@inbox.zz", "two@inbox.zz", "three@inbox.zz"];
    const id = await draft({ emails, zone, window: ["09:00", "17:00"] });
    await launch(id);
    const status = await api<{
      reasons: { code: string; message: string }[];
      next_send_at: string;
      senders: { name: string }[];
    }>("GET", `/api/v1/campaigns/${id}/sending-status`);
    expect(status.reasons[0]!.code).toBe("window_closed");
    await it.open(`/campaigns/${id}`);
    const sentence = page.locator(".big");
    const when = whenWords(Date.parse(status.next_send_at), await nowOf(), zone, true);
    await sentence.getByText(status.reasons[0]!.message).waitFor();
    expect(await sentence.innerText()).toBe(
      `Waiting. ${status.reasons[0]!.message} The next message goes to one@inbox.zz at ${when}, step 1 from ${status.senders[0]!.name}.`,
    );
    expect(await page.locator("rect.coming-first").getAttribute("data-count")).toBe("3");
    expect(await page.locator("rect[class^=sent]").count()).toBe(0);

    await it.service.advance(3.5 * 3600);
    const stats = await api<{ rows: { sent: number }[] }>(
      "GET",
      `/api/v1/campaigns/${id}/stats?by=day`,
    );
    const mails = (await Promise.all(emails.map(mailsTo))).flat();
    await page.reload();
    await page.locator("rect.sent-first").waitFor();
    const bars = page.locator("rect.sent-first, rect.sent-follow-up");
    const counts = await bars.evaluateAll((all) =>
      all.map((bar) => Number(bar.getAttribute("data-count"))),
    );
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(mails.length);
    expect([mails.length, stats.rows.map(({ sent }) => sent)]).toEqual([3, [3]]);
    expect(await page.locator("rect[class^=coming]").count()).toBe(0);

    // The day opens what went out, to the second; each leads to its lead.
    await page.locator("a[data-date][tabindex='0']").press("Enter");
    const drawer = page.getByRole("dialog");
    const { items } = await api<{ items: { at: string; email: string }[] }>(
      "GET",
      `/api/v1/campaigns/${id}/messages`,
    );
    const sent = drawer.getByRole("table", { name: /^Messages that went out on / });
    await sent.waitFor();
    const said = await sent.locator("tbody tr").allInnerTexts();
    expect(said.map((text) => text.split(/\s+/).slice(0, 2))).toEqual(
      items.map(({ at, email }) => [wallAt(Date.parse(at), zone).slice(11), email]),
    );
    expect(said).toHaveLength(3);
    expect(await inspect(page, () => sent.waitFor())).toEqual([]);
    await sent.getByRole("link", { name: "two@inbox.zz" }).click();
    await page.getByRole("dialog", { name: "two@inbox.zz" }).waitFor();
  });

  test("a day without messages says why in the table, and a day opens its messages to the second", async () => {
    const { page } = it;
    const zone = await morningZone();
    const today = wallAt(await nowOf(), zone).slice(0, 10);
    const index = WEEK.indexOf(weekdayOf(today));
    const days = [WEEK[index]!, WEEK[(index + 3) % 7]!];
    const id = await draft({
      zone,
      days,
      window: ["09:00", "17:00"],
      steps: [
        { step: 1, variants: [{ type: "INLINE", subject: "One", body: "One" }] },
        { step: 2, delay_days: 3, variants: [{ type: "INLINE", body: "Two" }] },
      ],
    });
    await launch(id);
    await it.open(`/campaigns/${id}?view=table`);
    const table = page.getByRole("table").first();
    const closed = table.getByRole("row").filter({ hasText: "today" }).first();
    expect(await closed.innerText()).toContain("Its sending window is closed.");
    const gap = table.getByRole("row").filter({ hasText: "does not send on this weekday" });
    expect(await gap.count()).toBe(1);
    expect(await gap.innerText()).toMatch(/^\w{3} \d+ .*to \w{3} \d+ /);

    await page.getByRole("button", { name: "As a table" }).click();
    const bar = page.locator("a[data-date]").last();
    await page.locator("a[data-date][tabindex='0']").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog");
    await drawer.getByText("1 message to come").waitFor();
    const { sends } = await api<{ sends: { at: string }[] }>(
      "GET",
      `/api/v1/campaigns/${id}/forecast?days=14`,
    );
    const row = drawer.getByRole("row").filter({ hasText: "ada@inbox.zz" });
    expect(await row.innerText()).toContain(wallAt(Date.parse(sends[1]!.at), zone).slice(11));
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(await bar.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  test("steps: refused by the API and signed out in the middle, nothing is lost; beside them stands what a lead gets", async () => {
    const { page } = it;
    const id = await draft({ firstName: HOSTILE });
    await it.open(`/campaigns/${id}/steps`);
    const step = page.getByRole("region", { name: "Step 1", exact: true });
    const text = step.getByLabel("Text", { exact: true });
    const preview = page.getByRole("region", { name: "Its text" });
    const body = "<p>For <b>{{ company }}</b>, at last</p>";
    await text.first().fill(body);
    // The mail is drawn, and the hostile company is text in it.
    await preview.getByText(`For ${HOSTILE}, at last`).waitFor();
    expect(await preview.locator("b").innerText()).toBe(HOSTILE);
    await step.getByRole("button", { name: "Add a variant to step 1" }).click();
    await text.nth(1).fill("Another {{ nothing_like_it }}");
    await step.getByLabel("Weight").first().fill("0");
    await step.getByLabel("Weight").nth(1).fill("0");
    const save = page.getByRole("button", { name: "Save the steps" });
    await save.click();
    await step.getByText("At least one variant needs a weight above 0.").waitFor();
    expect(await text.nth(1).inputValue()).toBe("Another {{ nothing_like_it }}");

    await step.getByLabel("Weight").first().fill("70");
    await step.getByLabel("Days after the launch").fill("soon");
    await save.click();
    await step.getByText("Give a whole number of days from 0 to 365.").waitFor();
    await page.waitForSelector("input[name='steps/0/delay_days']:focus");
    await step.getByLabel("Days after the launch").fill("2");
    await it.context.clearCookies();
    await save.click();
    const signIn = page.getByRole("dialog", { name: "Sign in again" });
    await signIn.getByLabel("API key or login token").fill(it.service.access.jwt);
    await signIn.getByRole("button", { name: "Sign in" }).click();
    await signIn.waitFor({ state: "detached" });
    expect(await text.first().inputValue()).toBe(body);
    await save.click();
    await page.getByText("The steps are saved.").waitFor();
    const { steps_config: steps } = await api<{ steps_config: object[] }>(
      "GET",
      `/api/v1/campaigns/${id}`,
    );
    expect(steps).toMatchObject([
      {
        delay_days: 2,
        variants: [
          { label: "A", weight: 70, body },
          { label: "B", weight: 0, body: "Another {{ nothing_like_it }}" },
        ],
      },
    ]);
    expect(await page.locator("main img").count()).toBe(0);
  });

  test("steps that somebody else changed meanwhile are not overwritten, and both are there to choose from", async () => {
    const { page } = it;
    const id = await draft();
    await it.open(`/campaigns/${id}/steps`);
    const text = page.getByLabel("Text", { exact: true });
    await text.fill("Mine");
    await api("PATCH", `/api/v1/campaigns/${id}`, {
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "S", body: "Theirs" }] }],
    });
    await page.getByRole("button", { name: "Save the steps" }).click();
    await page.getByText("Somebody changed it meanwhile.").waitFor();
    expect(await text.inputValue()).toBe("Mine");
    await page.getByRole("button", { name: "Take what is there now" }).click();
    await expect.poll(() => text.inputValue()).toBe("Theirs");
  });

  test("what may not change any more is shut, with a word why; a window that is moved is moved", async () => {
    const { page } = it;
    const id = await draft({ days: await daysOfLater(it.service) });
    await launch(id);
    await it.open(`/campaigns/${id}/settings`);
    const senders = page.getByRole("group", { name: "Senders" });
    await senders.getByText("pause it first").waitFor();
    expect(await senders.getByLabel("Time zone").isDisabled()).toBe(true);
    await page.getByLabel("Messages a day").fill("many");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Give a whole number.").waitFor();
    await page.getByLabel("Messages a day").fill("77");
    await page.getByLabel("From", { exact: true }).fill("08:30");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The settings are saved.").waitFor();
    expect(await api("GET", `/api/v1/campaigns/${id}`)).toMatchObject({
      daily_limit: 77,
      sending_window_start: "08:30:00",
    });
  });

  test("leads are found, held many at once until a time of the campaign's zone, and one tells its story", async () => {
    const { page } = it;
    const zone = "America/New_York";
    const id = await draft({
      zone,
      days: await daysOfLater(it.service, { zone }),
      emails: ["ann@inbox.zz", "bob@inbox.zz", "cyd@inbox.zz"],
      firstName: HOSTILE,
    });
    await launch(id);
    await it.open(`/campaigns/${id}/leads`);
    await page.getByLabel("Choose ann@inbox.zz").check();
    await page.getByLabel("Choose bob@inbox.zz").check();
    await page.getByRole("button", { name: "Hold" }).click();
    const dialog = page.getByRole("dialog", { name: "Hold 2 leads" });
    await dialog.getByLabel("Until").fill("2035-07-04T09:30");
    await dialog.getByLabel("Why").fill(HOSTILE);
    await dialog.getByRole("button", { name: "Hold 2 leads" }).click();
    await page.getByText("2 leads held.").waitFor();
    const { items } = await api<{
      items: { email: string; hold_until: string; hold_reason: string }[];
    }>("GET", `/api/v1/campaigns/${id}/leads?held=true`);
    const until = new Date(instantOf("2035-07-04T09:30", zone)!.at).toISOString();
    expect(items).toMatchObject([
      { email: "ann@inbox.zz", hold_until: until, hold_reason: HOSTILE },
      { email: "bob@inbox.zz", hold_until: until },
    ]);
    await page.getByLabel("Held").selectOption("true");
    await page.getByLabel("Choose cyd@inbox.zz").waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?held=true");
    await page.getByRole("link", { name: "bob@inbox.zz" }).click();
    const drawer = page.getByRole("dialog", { name: "bob@inbox.zz" });
    await drawer.getByText("joined").waitFor();
    await drawer.getByRole("button", { name: "Release" }).click();
    await page.getByText("1 lead released.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Choose bob@inbox.zz").waitFor({ state: "detached" });
    expect(await page.locator("main img").count()).toBe(0);
  });

  test("a pause says what it holds back, a resume goes on, a copy and a deletion say what they do", async () => {
    const { page } = it;
    const id = await draft({
      name: "Paused",
      days: await daysOfLater(it.service),
      emails: ["p1@inbox.zz", "p2@inbox.zz"],
    });
    await launch(id);
    await it.open(`/campaigns/${id}`);
    await page.getByRole("button", { name: "Pause" }).click();
    const sure = page.getByRole("button", { name: /^Pause: \d messages? to come/ });
    await sure.click();
    await page.locator(".big").getByText("It was paused by hand").waitFor();
    expect(await statusOf(it.service, id)).toBe("paused");
    await page.getByRole("link", { name: "Leads" }).click();
    await page.getByRole("link", { name: "p1@inbox.zz" }).click();
    const lead = page.getByRole("dialog", { name: "p1@inbox.zz" });
    await lead.getByText("It was paused by hand").waitFor();
    expect(await lead.getByText("Nothing stands against it").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: /^Delete: 2 people, \d messages?$/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByText("Draft.").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: /^Delete: 0 people, 0 messages$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
    await page.getByRole("link", { name: "Paused", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /^Paused/ }).count()).toBe(1);
  });

  test("a draft is made from nothing but what there is, and what is refused stands at its field", async () => {
    const { page } = it;
    await draft();
    const held = Promise.withResolvers<void>();
    await page.route("**/mailer/aliases?*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await it.open("/campaigns/new", { isRead: false });
    await page.locator("main .skeleton:not(.unseen)").waitFor();
    // A form that grew when its senders came would move its button away under a press.
    expect(await page.getByRole("button", { name: "Make the draft" }).count()).toBe(0);
    held.resolve();
    await page.getByLabel("Name").fill(HOSTILE);
    await page.getByLabel("First message", { exact: true }).fill("Hello {{ first_name }}");
    await page.getByRole("button", { name: "Make the draft" }).click();
    await page.locator(".fault").first().waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe(HOSTILE);
    await page.getByLabel("People").selectOption({ index: 1 });
    await page.getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Make the draft" }).click();
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText())
      .toBe(`${HOSTILE}: steps`);
    expect(await page.locator("main img, main script").count()).toBe(0);
  });

  test("each page in both schemes and at 320 px, for who does not see and who has a small screen", async () => {
    const { page } = it;
    const id = await draft({
      name: HOSTILE,
      firstName: HOSTILE,
      days: await daysOfLater(it.service),
    });
    await launch(id);
    for (const path of ["", "?view=table", "/leads", "/steps", "/settings"]) {
      await it.open(`/campaigns/${id}${path}`);
      await page.waitForSelector(".skeleton", { state: "detached" });
      const found = await inspect(page, () => page.waitForSelector(".sheet"));
      expect([path, found]).toEqual([path, []]);
    }
    for (const path of ["/campaigns", "/campaigns/new"]) {
      await it.open(path);
      await page.waitForSelector(".skeleton", { state: "detached" });
      expect([path, await inspect(page, () => page.waitForSelector(".sheet"))]).toEqual([path, []]);
    }
  });
});
