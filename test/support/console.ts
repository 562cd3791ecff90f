import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import type { BrowserContext, Cookie, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { DEMO } from "../../scripts/stack/identity/people.ts";
import { findChromium, openChromium } from "../integration/stack/chromium.ts";
import { inFull, isFull } from "./full.ts";
import { patience } from "./patience.ts";
import { type SharedService, sharedService } from "./shared-service.ts";

/** `describe.runIf(hasBrowser)(...)`: the console is tried in an installed Chromium. */
export const hasBrowser = findChromium() !== null;
if (!hasBrowser) console.log("console: not run (no chromium)");

/** The console in a browser, on the shared stack. What is here is of the test that runs. */
export interface ConsoleSetting {
  service: SharedService;
  context: BrowserContext;
  page: Page;
  /** What went wrong by itself: errors, policy reports, requests to others. Each test ends with none. */
  complaints: string[];
  /**
   * Opens an address behind /console, and waits until it has read what it shows: what comes later moves a button away
   * under a press. `isRead: false` waits for its heading alone.
   */
  open(path: string, wish?: { isRead?: boolean }): Promise<void>;
  /** By pasting: the demo workspace's login unless another credential is given. */
  signIn(credential?: string): Promise<void>;
}

/** Call it in a `describe`; every test begins signed in (the first by pasting, the others with its cookie), in a tab of its own. */
export function useConsole({ isSignedIn = true } = {}): ConsoleSetting {
  const setting = { complaints: [] as string[] } as ConsoleSetting;
  let close = async () => {};
  let session: Cookie[] | null = null;
  beforeAll(async () => {
    setting.service = await sharedService();
    ({ context: setting.context, close } = await openChromium(findChromium()!));
    await setting.context.addInitScript({
      path: path.join(import.meta.dirname, "console-page.js"),
    });
  });
  afterAll(() => close());
  beforeEach(async () => {
    setting.complaints.length = 0;
    await setting.context.clearCookies();
    setting.page = await newPage(setting);
    if (!isSignedIn) return;
    if (session !== null) return setting.context.addCookies(session);
    await setting.signIn();
    session = await setting.context.cookies();
  });
  afterEach(async () => {
    await setting.page.close();
    expect(setting.complaints).toEqual([]);
  });
  setting.open = async (path, { isRead = true } = {}) => {
    await setting.page.goto(`${setting.service.baseUrl}/console${path}`);
    await setting.page.waitForSelector("h1");
    if (isRead) await setting.page.waitForSelector("main .skeleton", { state: "detached" });
  };
  setting.signIn = async (credential = setting.service.access.jwt) => {
    if (!setting.page.url().includes("/console")) await setting.open("/service");
    await setting.page.getByLabel("API key or login token").fill(credential);
    await setting.page.keyboard.press("Enter");
    await setting.page.waitForSelector(".rail-foot");
  };
  return setting;
}

/** What a login does by itself, beside the page. */
export async function asLogin(
  { baseUrl }: SharedService,
  jwt: string,
  method: string,
  at: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(baseUrl + at, {
    method,
    headers: { authorization: `Bearer ${jwt}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${at}: ${await response.text()}`);
  return response.json();
}

/** The demo login joins the other demo workspace, "Demo (free)". */
export async function joinFree(service: SharedService): Promise<void> {
  const { jwt, free_jwt: free } = service.access;
  const wish = { email: DEMO.email, role: "member" };
  const made = await asLogin(service, free, "POST", "/api/v2/workspace/invitations", wish);
  const token = (made as { url: string }).url.split("/").at(-1);
  await asLogin(service, jwt, "POST", `/api/v2/invitations/${token}/accept`);
}

/** A refusal of the API is no fault of the page's; it is shown there. */
const REFUSED = /^Failed to load resource: /;

async function newPage({ context, service, complaints }: ConsoleSetting): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(patience(30_000));
  await page.setViewportSize({ width: 1280, height: 800 });
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (said) => {
    if (said.type() === "error" && !REFUSED.test(said.text())) complaints.push(said.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    // A person goes to sign in.
    if (url.startsWith(service.stack.identity.url) && request.isNavigationRequest()) return;
    if (!url.startsWith(`${service.baseUrl}/`) && !url.startsWith("data:"))
      complaints.push(`asked ${url}`);
  });
  return page;
}

/** The service does the first of these, and its answer never comes. */
export async function loseAnswerOf(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds against WCAG 2.2 AA and best practices: rule and place, one line each. */
export async function axeFindings(page: Page, rules: "all" | "colours" = "all"): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => {${axe}})(); undefined`);
  return page.evaluate<string[]>(`consolePage.axeFindings("${rules}")`);
}

/**
 * By axe, and 320 px without a sideways scroll; `ready` waits for what the page is about. In the full run
 * each page is looked at in both schemes and, by axe, at 320 px; by default in those that are asked for.
 */
export async function inspect(
  page: Page,
  ready: () => Promise<unknown>,
  asked: readonly ("light" | "dark")[] = ["light"],
): Promise<string[]> {
  const found: string[] = [];
  const schemes = inFull(["light", "dark"] as const, asked);
  for (const colorScheme of schemes) {
    // Without motion, so that no colour is looked at on its way from one scheme to the other.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await ready();
    // The schemes differ in nothing but colours.
    const rules = colorScheme === "light" ? "all" : "colours";
    found.push(...(await axeFindings(page, rules)).map((line) => `${colorScheme} ${line}`));
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: 800 });
  const wide = await page.evaluate<number>("consolePage.tooWide()");
  if (wide > 0) found.push(`at 320 px it is ${wide} px too wide`);
  if (isFull) found.push(...(await axeFindings(page)).map((line) => `320 px ${line}`));
  found.push(...(await page.evaluate<string[]>("consolePage.smallTargets()")));
  await page.setViewportSize(size);
  return found;
}
