import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { addressesOf } from "./addresses.ts";
import { searchTime } from "./search-time.ts";
import type { StackDescription } from "../stack/running.ts";

interface Order {
  running: StackDescription;
  folder: string;
  /** Beginnings of paths; none means all. */
  only: string[];
  say(line: string): void;
}

const LOOKS = [
  { name: "light", width: 1280, colorScheme: "light" },
  { name: "dark", width: 1280, colorScheme: "dark" },
  { name: "narrow", width: 360, colorScheme: "light" },
] as const;
const MOST_FIRST_PAINT_MS = 500;
const MOST_SEARCH_MS = 150;
const SLOWER = 4;
/** A page is still when nothing was asked for so long. */
const STILL_MS = 400;
/** What a page and its parts ask the API at most; with fewer left in the minute, the next page waits for the next one. */
const ENOUGH_REQUESTS = 40;

/** A picture of each route in each look, and the time of its first paint; a page that scrolls sideways is named. */
export async function takePictures({ running, folder, only, say }: Order): Promise<void> {
  await withBrowser(async (context, quota) => {
    const base = `${running.base_url}/console`;
    await picturesOf(context, `${base}/service`, "sign-in", folder);
    await signIn(context, base, running.jwt);
    const { pages, left } = await addressesOf(running);
    const failed: string[] = [];
    if (only.length === 0) {
      const ms = await searchTime(context, running);
      const late = ms > MOST_SEARCH_MS ? `, more than ${MOST_SEARCH_MS}` : "";
      say(`a search among 1,000 people stands after ${ms} ms${late}`);
    }
    for (const { path: each } of pages) {
      if (only.length > 0 && !only.some((beginning) => each.startsWith(beginning))) continue;
      const name = each.slice(1).replaceAll("/", "-") || "today";
      await untilThereIsQuota(quota);
      const found = await picturesOf(context, base + each, name, folder);
      await untilThereIsQuota(quota);
      const ms = await firstPaint(context, base + each);
      const late = ms > MOST_FIRST_PAINT_MS ? `, more than ${MOST_FIRST_PAINT_MS}` : "";
      say(`${each.padEnd(40)} first paint ${ms} ms${late}${found}`);
      if (found.includes(NOT_THE_PAGE)) failed.push(each);
    }
    for (const each of left) say(`${each.padEnd(40)} no picture: the service has nothing to show`);
    say(`The pictures are in ${folder}`);
    if (failed.length > 0)
      throw new Error(`These pages show a failure and are no pictures: ${failed.join(", ")}`);
  });
}

/** What the README shows of the console, as a window of 1280 by 800 shows it. */
const README_PAGES: Record<string, string> = {
  "/campaigns/:id": "campaign.png",
  "/drafts/:batch": "drafts.png",
};

export async function takeReadmePictures({
  running,
  folder,
  say,
}: Omit<Order, "only">): Promise<void> {
  await withBrowser(async (context) => {
    const base = `${running.base_url}/console`;
    await signIn(context, base, running.jwt);
    const { pages } = await addressesOf(running);
    for (const [pattern, file] of Object.entries(README_PAGES)) {
      const found = pages.find((page) => page.pattern === pattern);
      if (found === undefined) throw new Error(`The service has nothing to show at ${pattern}.`);
      const page = await context.newPage();
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(base + found.path);
      await untilStill(page);
      const trouble = await troubleOf(page);
      if (trouble !== null) throw new Error(`${found.path} ${NOT_THE_PAGE}: ${trouble}`);
      await page.screenshot({ path: path.join(folder, file) });
      await page.close();
      say(`docs/pictures/${file}`);
    }
  });
}

/** Until when the quota of the session is nearly used up. */
interface Quota {
  untilMs: number;
}

async function withBrowser(
  use: (context: BrowserContext, quota: Quota) => Promise<void>,
): Promise<void> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "overture-pictures-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
  });
  const quota = { untilMs: 0 };
  context.on("response", (response) => heed(quota, response.headers()["ratelimit"]));
  try {
    await use(context, quota);
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function signIn(context: BrowserContext, base: string, jwt: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${base}/service`);
  await page.getByLabel("API key or login token").fill(jwt);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".rail-foot");
  await page.close();
}

async function picturesOf(
  context: BrowserContext,
  url: string,
  name: string,
  folder: string,
): Promise<string> {
  const page = await context.newPage();
  let found = "";
  for (const look of LOOKS) {
    await page.setViewportSize({ width: look.width, height: 800 });
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.goto(url);
    await untilStill(page);
    const tooWide = await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    const trouble = name === "sign-in" ? null : await troubleOf(page);
    if (trouble !== null) found += `, ${look.name} ${NOT_THE_PAGE}: ${trouble}`;
    if (tooWide > 0) found += `, ${look.name}: ${tooWide} px too wide`;
    await page.screenshot({ path: path.join(folder, `${name}.${look.name}.png`), fullPage: true });
  }
  await page.close();
  return found;
}

const NOT_THE_PAGE = "shows a failure";

/** What a page says instead of what it is about. */
async function troubleOf(page: Page): Promise<string | null> {
  const note = page.locator("main.sign-in h1, .signed-out, .note.bad").first();
  return (await note.count()) === 0 ? null : (await note.innerText()).slice(0, 120);
}

/** The scarcest of the quotas that an answer names (`"name";r=left;t=seconds`). */
function heed(quota: Quota, header = ""): void {
  for (const [, left, seconds] of header.matchAll(/;r=(\d+);t=(\d+)/g))
    if (Number(left) < ENOUGH_REQUESTS) quota.untilMs = Date.now() + (Number(seconds) + 1) * 1000;
}

async function untilThereIsQuota(quota: Quota): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, quota.untilMs - Date.now())));
}

/** Its heading and its data are there: no skeleton, and no request for a while. */
async function untilStill(page: Page): Promise<void> {
  await page.waitForSelector("h1");
  await page.waitForSelector(".skeleton", { state: "detached" });
  let last = performance.now();
  const note = () => (last = performance.now());
  page.on("request", note).on("requestfinished", note);
  while (performance.now() - last < STILL_MS)
    await new Promise((resolve) => setTimeout(resolve, STILL_MS / 4));
  page.off("request", note).off("requestfinished", note);
}

/** Of three loads the middle one, as a returning visitor finds it. */
async function firstPaint(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    await page.goto(url);
    await page.waitForSelector("h1");
    times.push(
      await page.evaluate<number>(
        "new Promise((done) => new PerformanceObserver((list) => done(list.getEntriesByName('first-contentful-paint')[0].startTime)).observe({ type: 'paint', buffered: true }))",
      ),
    );
  }
  await page.close();
  return Math.round(times.toSorted((a, b) => a - b)[1]!);
}
