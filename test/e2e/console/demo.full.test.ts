/** The demo in the console, from the link that `npm start` prints to its end: nothing is loaded anew, and nothing goes wrong. */
import * as path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO_NAME } from "../../../scripts/demo/campaign.ts";
import { findChromium, openChromium } from "../../integration/stack/chromium.ts";
import { hasBrowser } from "../../support/console.ts";
import { patience } from "../../support/patience.ts";
import { type StartedStack, startedStack } from "../../support/started-stack.ts";

describe.runIf(hasBrowser)("the demo, watched from its first minute", () => {
  let stack: StartedStack;
  let page: Page;
  let close = async () => {};
  const complaints: string[] = [];
  beforeAll(async () => {
    stack = await startedStack();
    const browser = await openChromium(findChromium()!);
    close = browser.close;
    await browser.context.addInitScript({
      path: path.join(import.meta.dirname, "../../support/console-page.js"),
    });
    page = await browser.context.newPage();
    page.setDefaultTimeout(patience(30_000));
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("console", (said) => {
      if (said.type() === "error") complaints.push(said.text());
    });
    page.on("response", (answer) => {
      if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
    });
  });
  afterAll(async () => {
    await close();
    await stack.close();
  });

  const sum = (bars: string) =>
    page
      .locator(bars)
      .evaluateAll((all) => all.reduce((total, bar) => total + Number(bar.dataset["count"]), 0));

  test(
    "the campaign appears, its bars move from what is to come to what was sent, and a reply arrives",
    async () => {
      const started = await stack.run("start.ts", "--background", `--port=${stack.port}`);
      expect(started.code).toBe(0);
      const link = /opens signed in, once: (\S+)/.exec(stack.startLog())![1]!;
      await page.goto(link);
      await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
      await page.getByRole("link", { name: "Campaigns" }).click();
      await page.getByRole("link", { name: DEMO_NAME }).click();
      await page.getByRole("heading", { level: 1, name: DEMO_NAME }).waitFor();

      const seen: [sent: number, coming: number][] = [];
      const isDone = async () => {
        const now = [await sum("rect[class^=sent]"), await sum("rect[class^=coming]")] as const;
        if (now[0] !== seen.at(-1)?.[0]) seen.push([...now]);
        return page.getByText("Completed.").isVisible();
      };
      const inTime = { timeout: patience(120_000), interval: 250 };
      await expect.poll(isDone, inTime).toBe(true);
      await expect.poll(() => sum("rect[class^=coming]"), inTime).toBe(0);
      await isDone();
      const sent = seen.map(([count]) => count);
      // In several looks, each of which found more: it moved while one watched.
      expect(sent).toEqual(sent.toSorted((a, b) => a - b));
      expect(sent.length).toBeGreaterThan(3);
      expect(seen[0]![1]).toBeGreaterThan(0);
      expect(sent.at(-1)).toBe(33);

      await page.getByRole("link", { name: "Inbox" }).click();
      await page.locator(".rows a").filter({ hasText: "Could you call me on Thursday?" }).click();
      await page.getByText("no further step of the campaign goes to them").waitFor();
      expect(complaints).toEqual([]);
    },
    patience(300_000),
  );
});
