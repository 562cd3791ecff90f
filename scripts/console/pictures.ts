import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { consolePatterns } from "./patterns.ts";
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
const SLOWER = 4;
/** A page is still when nothing was asked for so long. */
const STILL_MS = 400;

/** A picture of each route in each look, and the time of its first paint; a page that scrolls sideways is named. */
export async function takePictures({ running, folder, only, say }: Order): Promise<void> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "overture-pictures-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
  });
  try {
    const base = `${running.base_url}/console`;
    await picturesOf(context, `${base}/service`, "sign-in", folder);
    await signIn(context, base, running.jwt);
    const { paths, left } = await addressesOf(running);
    for (const each of paths) {
      if (only.length > 0 && !only.some((beginning) => each.startsWith(beginning))) continue;
      const name = each.slice(1).replaceAll("/", "-");
      const wide = await picturesOf(context, base + each, name, folder);
      const ms = await firstPaint(context, base + each);
      const late = ms > MOST_FIRST_PAINT_MS ? `, more than ${MOST_FIRST_PAINT_MS}` : "";
      say(`${each.padEnd(40)} first paint ${ms} ms${late}${wide}`);
    }
    for (const each of left) say(`${each.padEnd(40)} no picture: the service has nothing to show`);
    say(`The pictures are in ${folder}`);
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
    if (tooWide > 0) found += `, ${look.name}: ${tooWide} px too wide`;
    await page.screenshot({ path: path.join(folder, `${name}.${look.name}.png`), fullPage: true });
  }
  await page.close();
  return found;
}

/** Its heading and its data are there: no skeleton, and nobody asked for a while. */
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

/** Of three loads the middle one, as somebody finds it who was here before. */
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

/** Lists that the first row of fills in a part of a pattern. */
const EXAMPLES: Record<string, string> = {
  campaign: "campaigns/",
  dataset: "datasets",
  domain: "mailer/domains",
  alias: "mailer/aliases",
  template: "templates",
  conversation: "conversations",
  lead: "leads?limit=1",
};

/** Patterns with their parts filled in from what the demo made. */
async function addressesOf(
  running: StackDescription,
): Promise<{ paths: string[]; left: string[] }> {
  const [paths, left]: string[][] = [[], []];
  for (const pattern of await consolePatterns()) {
    let filled: string | null = pattern;
    for (const [, part] of pattern.matchAll(/:(\w+)/g)) {
      const id = await exampleOf(running, part!);
      filled = id === null || filled === null ? null : filled.replace(`:${part}`, id);
    }
    if (filled === null) left!.push(pattern);
    else paths!.push(filled);
  }
  return { paths: paths!, left: left! };
}

async function exampleOf(running: StackDescription, part: string): Promise<string | null> {
  const list = EXAMPLES[part];
  if (list === undefined) return null;
  const answer = await fetch(`${running.base_url}/api/v2/${list}`, {
    headers: { authorization: `Bearer ${running.jwt}` },
  });
  if (!answer.ok) return null;
  const { items } = (await answer.json()) as { items: Record<string, string>[] };
  return items[0]?.["id"] ?? items[0]?.["campaign_id"] ?? items[0]?.[`${part}_id`] ?? null;
}
