import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { findChromium, openChromium } from "./chromium.ts";

export const executable = findChromium();
if (executable === null) console.log("browser: not run (no chromium)");

/** The page of the file's tests. */
export let page: Page;
/** What went wrong in it during a test: errors, and scripts that spoke up. */
export const complaints: string[] = [];
/** What it loaded during a test. */
export const requested: string[] = [];

let browser: ReturnType<typeof openChromium> | undefined;

/** Ends the browser that `useBrowser` opened. */
export const closeBrowser = async () => (await browser)?.close();

/** A page of its own for these tests, in the browser of the file. */
export function useBrowser(viewport = { width: 1200, height: 800 }): void {
  beforeAll(async () => {
    const { context } = await (browser ??= openChromium(executable ?? ""));
    page = await context.newPage();
    // What the content policy stops is announced as a request too, but never finishes.
    page.on("requestfinished", (request) => requested.push(request.url()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(`a script ran: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }, 60_000);
  beforeEach(async () => {
    // The page of the test before still asks its own server, and would be heard of in this one.
    await page.goto("about:blank");
    complaints.length = 0;
    requested.length = 0;
    await page.setViewportSize(viewport);
  });
  afterAll(() => page.close());
}
