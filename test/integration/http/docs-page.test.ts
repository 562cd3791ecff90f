import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startApi, type TestApi } from "../../support/api.ts";
import { serve } from "../../support/serve.ts";
import { findChromium, openChromium } from "../stack/chromium.ts";

/** The docs page in a browser, over the service itself: what a reader sees, and calls that really happen. */
const executable = findChromium();
if (executable === null) console.log("browser: not run (no chromium)");

let api: TestApi;
let base: string;
let context: BrowserContext;
let page: Page;
/** What the page itself complained about, and whom else it asked. */
let complaints: string[];
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (executable === null) return;
  api = await startApi();
  closers.push(() => api.close());
  const served = await serve(api);
  closers.push(() => served.close());
  base = served.url;
  const browser = await openChromium(executable);
  closers.push(() => browser.close());
  ({ context } = browser);
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

beforeEach(async () => {
  if (executable === null) return;
  page = await openPage();
});

async function openPage(hash = ""): Promise<Page> {
  complaints = [];
  const opened = await context.newPage();
  opened.on("pageerror", ({ message }) => complaints.push(message));
  opened.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
  opened.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`) && !request.url().startsWith("data:"))
      complaints.push(request.url());
  });
  await opened.goto(`${base}/docs${hash}`);
  await opened.waitForSelector(".operation");
  return opened;
}

describe.runIf(executable !== null)("the docs page", () => {
  test("shows version 2 where it is asked for, and says of each which it is", async () => {
    const shown = () => page.locator(".operation").count();
    expect(await page.locator('nav [aria-current="page"]#v1').count()).toBe(1);
    const first = await shown();
    await page.click("#v2");
    await page.waitForSelector('#v2[aria-current="page"]');
    await page.waitForSelector(".operation");
    // Without the paid calls and what has no version.
    expect(first - (await shown())).toBe(7);
    expect(await page.locator("#content").innerText()).toContain("/api/v2/campaigns/");
    expect(await page.locator("#content").innerText()).not.toContain("/api/v1/campaigns/");
    expect(await page.locator('[data-version="2"]').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("every operation is there, in words without backticks, and nobody else is asked", async () => {
    const { paths } = (await (await api.request("/openapi.json")).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const cards = page.locator(".operation");
    expect((await cards.evaluateAll((all) => all.map(({ id }) => id))).toSorted()).toEqual(
      ids.toSorted(),
    );
    await cards.evaluateAll((all) => all.forEach((card) => card.toggleAttribute("open", true)));
    await expect.poll(() => page.locator(".inside:empty").count()).toBe(0);
    await page
      .locator("main pre, main textarea")
      .evaluateAll((all) => all.forEach((one) => one.remove()));
    const text = await page.locator("main").innerText();
    expect(text.match(/.{0,40}`.{0,40}/g)).toBeNull();
    expect(text).not.toContain("undefined");
    expect(text).not.toMatch(/^null$/m);
    expect(complaints).toEqual([]);
  });

  test("what is searched for is left in page and menu alike", async () => {
    await page.fill("#find", "suppression_id");
    const left = page.locator(".operation:visible");
    await expect.poll(() => left.count()).toBe(2);
    const shown = await left.evaluateAll((all) => all.map(({ id }) => `#${id}`));
    const menu = page.locator("#menu li:visible a");
    expect(await menu.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual(
      shown,
    );
    expect(await page.locator("#menu .group:visible").count()).toBe(1);
    await page.fill("#find", "no such word anywhere");
    await expect.poll(() => page.locator("#state").textContent()).toContain("Nothing here has");
  });

  test("the group that is read is marked in the menu", async () => {
    await page.goto(`${base}/docs#suppressions`);
    const current = page.locator("#menu [aria-current]");
    await expect.poll(() => current.allTextContents()).toEqual(["Suppressions"]);
  });

  test("a call is made with the key of the field, and answered below", async () => {
    const token = await api.token({});
    await page.fill("#key", token);
    await page.goto(`${base}/docs#createDataset`);
    const card = page.locator("#createDataset");
    await card.locator(".trying > summary").click();
    await card.locator("textarea").fill('{"name": "From the page"}');
    await card.locator(".try button").click();
    await expect.poll(() => card.locator(".result .status").textContent()).toBe("201");
    expect(await card.locator(".result pre").textContent()).toContain('"name": "From the page"');

    await page.goto(`${base}/docs#getDataset`);
    const get = page.locator("#getDataset");
    await get.locator(".trying > summary").click();
    await get.locator('input[name="dataset_id"]').fill("../../../health");
    await get.locator(".try button").click();
    await expect.poll(() => get.locator(".result .status").textContent()).toBe("422");
  });

  test("the key is in this tab alone, and gone when the field is emptied", async () => {
    await page.fill("#key", "svc_live_secret");
    expect(await page.evaluate("[localStorage.length, document.cookie]")).toEqual([0, ""]);
    await page.reload();
    expect(await page.inputValue("#key")).toBe("svc_live_secret");
    const other = await openPage();
    expect(await other.inputValue("#key")).toBe("");
    await other.close();
    await page.fill("#key", "");
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  test("on a phone nothing is wider than the screen, also with an operation open", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${base}/docs#createCampaign`);
    await page.waitForSelector("#createCampaign[open] .inside pre");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });
});
