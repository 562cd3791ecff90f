/** The API is gone, slow, or refuses in the middle of a form: it is said where it happened, and nothing typed is lost. */
import { describe, expect, test } from "vitest";
import { hasBrowser, joinFree, loseAnswerOf, useConsole } from "../../support/console.ts";
import { daysOfLater, launchCampaign, statusOf } from "../../support/service.ts";

describe.runIf(hasBrowser)("a form while the API", () => {
  const it = useConsole();
  const name = () => it.page.getByRole("dialog").getByLabel("Name");
  const make = () => it.page.getByRole("button", { name: "Make the key" });

  /** A key with a name that is code where text is not kept text. */
  async function begin(typed = 'Zapier <img src=x onerror="alert(1)">'): Promise<string> {
    await it.open("/settings/api-keys");
    await it.page.getByRole("button", { name: "New key" }).click();
    await name().fill(typed);
    return typed;
  }

  const keyCalls = (calls: string[]) => calls.filter((each) => each.startsWith("POST"));

  test("takes it: the key is shown once, its hostile name is text, and it can be revoked", async () => {
    const { page } = it;
    const typed = await begin();
    await make().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/svc_live_[\w-]{43}/).waitFor();
    await dialog.getByRole("button", { name: "I have it" }).click();
    const row = page.getByRole("row").filter({ hasText: typed });
    await row.getByText("valid").waitFor();
    expect(await page.content()).not.toMatch(/svc_live_[\w-]{43}/);
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke the key" }).click();
    await row.getByText("revoked").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    // What was sent is not begun again.
    await page.getByRole("button", { name: "New key" }).click();
    expect(await name().inputValue()).toBe("");
  });

  test("refuses a field: it is said there, and the field has the focus", async () => {
    const { page } = it;
    await begin("   ");
    await make().click();
    const fault = page.locator(".fault");
    await fault.waitFor();
    expect(await name().getAttribute("aria-invalid")).toBe("true");
    expect(await name().getAttribute("aria-describedby")).toContain(await fault.getAttribute("id"));
    await page.waitForSelector("input[name=name]:focus");
    expect(await name().inputValue()).toBe("   ");
  });

  test("is out of reach: the page says since when, and the same again is done once", async () => {
    const { page } = it;
    const typed = await begin("Offline");
    const idempotencyKeys: string[] = [];
    page.on("request", (request) => {
      const key = request.headers()["idempotency-key"];
      if (request.method() === "POST" && key !== undefined) idempotencyKeys.push(key);
    });
    await it.context.setOffline(true);
    await make().click();
    await page.getByText("No answer since").waitFor();
    expect(await name().inputValue()).toBe(typed);
    await it.context.setOffline(false);
    await page.getByText("No answer since").waitFor({ state: "detached" });
    await make().click();
    await page
      .getByRole("dialog")
      .getByText(/svc_live_/)
      .waitFor();
    expect(new Set(idempotencyKeys).size).toBe(1);
    expect(idempotencyKeys.length).toBe(2);
  });

  test("did it, its answer is lost and the page loaded again: the same again is done once", async () => {
    const { page, service } = it;
    await it.open("/people");
    const begin = () => page.getByRole("button", { name: "New dataset" }).click();
    const send = () => page.getByRole("button", { name: "Make the dataset" }).click();
    await loseAnswerOf(page, "**/api/v2/datasets");
    await begin();
    await name().fill("Of one press");
    await send();
    await page.getByRole("dialog").getByText("No answer.").waitFor();
    await page.reload();
    await begin();
    expect(await name().inputValue()).toBe("Of one press");
    await send();
    await page.waitForURL("**/people/*/import");
    const { items } = (await service.api("GET", "/api/v2/datasets?limit=200")) as {
      items: { name: string }[];
    };
    expect(items.filter((each) => each.name === "Of one press")).toHaveLength(1);
  });

  test("did it, and its answer is lost: a pause after somebody's resume is a pause of its own", async () => {
    const { page, service } = it;
    const id = await launchCampaign(service, {
      aliases: 1,
      emails: ["pause@inbox.zz"],
      days: await daysOfLater(service),
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "S", body: "B" }] }],
    });
    await it.open(`/campaigns/${id}`);
    const pause = async () => {
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: /^Pause: / }).click();
    };
    await loseAnswerOf(page, "**/campaigns/*/pause");
    await pause();
    await page.getByText("No answer.").first().waitFor();
    expect(await statusOf(service, id)).toBe("paused");
    await service.api("POST", `/api/v1/campaigns/${id}/resume`);
    await pause();
    await page.getByText("is paused.").waitFor();
    expect(await statusOf(service, id)).toBe("paused");
  });

  test("is slow: the button says that it is at work, and a second press asks nothing more", async () => {
    const { page } = it;
    const calls: string[] = [];
    page.on("request", (request) => calls.push(`${request.method()} ${request.url()}`));
    await begin("Slow");
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/v2/api-keys", async (route) => {
      if (route.request().method() === "POST") await held;
      await route.continue();
    });
    await make().click();
    await page.getByRole("button", { name: "Sending" }).waitFor();
    await name().press("Enter");
    release();
    await page
      .getByRole("dialog")
      .getByText(/svc_live_/)
      .waitFor();
    expect(keyCalls(calls).length).toBe(1);
    await page.unroute("**/api/v2/api-keys");
  });

  test("has a stop in the store of its quotas: 503 with the request's id, and typing goes on", async () => {
    const { page, service } = it;
    const typed = await begin("Store");
    service.stack.redis.faults.order("unavailable", 1_000);
    await make().click();
    const alert = page.getByRole("dialog").getByRole("alert");
    await alert.waitFor();
    expect(await alert.getByText("Request").count()).toBe(1);
    service.stack.redis.faults.clear();
    expect(await name().inputValue()).toBe(typed);
  });

  test("ended the session: one signs in above the page, and goes on where one was", async () => {
    const { page } = it;
    const typed = await begin("Signed out");
    await it.context.clearCookies();
    await make().click();
    const signIn = page.getByRole("dialog", { name: "Sign in again" });
    await signIn.getByRole("button", { name: "Close" }).click();
    expect(await name().inputValue()).toBe(typed);
    await page.keyboard.press("Escape");
    await page.getByText("You are signed out.").waitFor();
    await page.locator(".signed-out").getByRole("button", { name: "Sign in" }).click();
    await signIn.getByLabel("API key or login token").fill(it.service.access.jwt);
    await signIn.getByRole("button", { name: "Sign in" }).click();
    await signIn.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New key" }).click();
    expect(await name().inputValue()).toBe(typed);
    await make().click();
    await page
      .getByRole("dialog")
      .getByText(/svc_live_/)
      .waitFor();
  });

  test("ended the session of a guest: one signs in, and is in the same workspace with what one typed", async () => {
    const { page, service } = it;
    await joinFree(service);
    const workspace = page.locator(".rail-foot b");
    await it.open("/settings/members");
    const home = await workspace.innerText();
    const goTo = async (name: string) => {
      await it.open("/settings/members");
      await page.getByRole("button", { name: `Go there to ${name}` }).click();
      await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
      await workspace.getByText(name, { exact: true }).waitFor();
    };
    const begin = async () => {
      await it.open("/people");
      await page.getByRole("button", { name: "New dataset" }).click();
    };
    await goTo("Demo (free)");
    await begin();
    await name().fill("A guest's");
    await it.context.clearCookies();
    await page.getByRole("button", { name: "Make the dataset" }).click();
    const signIn = page.getByRole("dialog", { name: "Sign in again" });
    await signIn.getByLabel("API key or login token").fill(service.access.jwt);
    await signIn.getByRole("button", { name: "Sign in" }).click();
    await signIn.waitFor({ state: "detached" });
    expect(await name().inputValue()).toBe("A guest's");
    expect(await workspace.innerText()).toBe("Demo (free)");
    // The session is in it too, for a page that is opened next.
    await page.reload();
    await workspace.getByText("Demo (free)", { exact: true }).waitFor();
    // Where one comes back to, what was typed waits.
    await goTo(home);
    await begin();
    expect(await name().inputValue()).toBe("");
    await goTo("Demo (free)");
    await begin();
    expect(await name().inputValue()).toBe("A guest's");
    await goTo(home);
  });

  test("was reloaded in the middle: what was typed is there again, in this workspace alone", async () => {
    const { page, service } = it;
    const typed = await begin("Reloaded");
    await page.reload();
    await page.getByRole("button", { name: "New key" }).click();
    expect(await name().inputValue()).toBe(typed);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await it.signIn(service.access.free_jwt);
    await page.getByRole("button", { name: "New key" }).click();
    expect(await name().inputValue()).toBe("");
  });

  test("has had enough for this hour: the seconds are counted down, and the button waits", async () => {
    const { page, service } = it;
    const typed = await begin("Too many");
    const limited = async () => {
      const answer = await fetch(`${service.baseUrl}/api/v2/api-keys`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${service.access.jwt}`,
          "content-type": "application/json",
        },
        body: "{}",
      });
      return answer.status === 429;
    };
    let tries = 0;
    while (!(await limited())) expect(tries++).toBeLessThan(20);
    await make().click();
    await page.getByRole("button", { name: /^Possible in \d+ s$/ }).waitFor();
    expect(await page.locator("dialog button[type=submit]").isDisabled()).toBe(true);
    expect(await name().inputValue()).toBe(typed);
  });

  test("does not allow it: it says what it takes", async () => {
    const { page } = it;
    await it.context.clearCookies();
    await it.signIn(it.service.access.free_jwt);
    await begin("Free");
    await make().click();
    await page.getByRole("dialog").getByRole("alert").getByText(/plan/).waitFor();
  });

  test("ended, and somebody of another workspace signs in: nothing of the first is left", async () => {
    const { page, service } = it;
    await begin("Of the first");
    await it.context.clearCookies();
    await make().click();
    const signIn = page.getByRole("dialog", { name: "Sign in again" });
    await signIn.getByLabel("API key or login token").fill(service.access.free_jwt);
    await signIn.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".rail-foot", { hasText: "free" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "New key" }).click();
    expect(await name().inputValue()).toBe("");
  });

  test("fails at one answer: that part says so, the rest stands, and it is tried again", async () => {
    const { page } = it;
    const problem = { status: 503, code: "UNAVAILABLE", detail: "The store is away." };
    await page.route("**/api/v2/workspace", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        headers: { "x-request-id": "r-17" },
        body: JSON.stringify(problem),
      }),
    );
    await it.open("/settings/workspace");
    const alert = page.locator("main").getByRole("alert");
    await alert.getByText("The store is away.").waitFor();
    await alert.getByText("r-17").waitFor();
    await page.getByRole("heading", { level: 1, name: "Workspace" }).waitFor();
    await page.unroute("**/api/v2/workspace");
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByLabel("Time zone").waitFor();
    expect(await alert.count()).toBe(0);
  });

  test("is slow with a search: one runs at a time, and the last is for all that was typed", async () => {
    const { page } = it;
    await it.open("/people");
    const asked: (string | null)[] = [];
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/api/v2/leads?*", async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("q"));
      await answered;
      await route.continue();
    });
    const field = page.getByRole("searchbox");
    await field.fill("a");
    await expect.poll(() => asked).toEqual(["a"]);
    for (const text of ["an", "ann", "anna"]) await field.fill(text);
    answer();
    await expect.poll(() => asked.at(-1)).toBe("anna");
    expect(asked).toEqual(["a", "anna"]);
    expect(new URL(page.url()).searchParams.get("q")).toBe("anna");
    await page.unroute("**/api/v2/leads?*");
  });
});
