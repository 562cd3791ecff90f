/** On every route: axe in both schemes, 320 px, three scripts and questions at most, no policy report, nobody else asked, a heading and a title. */
import * as fs from "node:fs";
import * as path from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { consolePatterns } from "../../../scripts/console/patterns.ts";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";

/** A screen enters itself here, with what its heading says. */
const ROUTES: [path: string, heading: string][] = [
  ["/", "Today"],
  ["/stats", "Statistics"],
  ["/stats?by=hour", "Statistics"],
  ["/credits", "Credits"],
  ["/emails", "Single emails"],
  ["/emails/new", "Write an email"],
  ["/settings/webhooks", "Webhooks"],
  ["/settings/members", "Members"],
  ["/settings/events", "Who did what"],
  ["/campaigns", "Campaigns"],
  ["/campaigns/new", "New campaign"],
  ["/service", "Service"],
  ["/settings", "Workspace"],
  ["/settings/workspace", "Workspace"],
  ["/settings/api-keys", "API keys"],
  ["/settings/confirmations", "Agents"],
  ["/inbox", "Inbox"],
  ["/inbox?tab=bounces", "Inbox"],
  ["/drafts", "Drafts"],
  ["/network", "Network"],
  ["/posts", "Posts"],
  ["/settings/notifications", "Notifications"],
  ["/no/such/page", "There is no such page"],
];

/** Screens that need something made first: the file beside this one that makes it, and calls `inspect`. */
const IN: Record<string, string[]> = {
  "inbox.test.ts": ["/inbox/:id"],
  "drafts.test.ts": ["/drafts/:batch"],
  "campaigns.test.ts": [
    "/campaigns/:id",
    "/campaigns/:id/leads",
    "/campaigns/:id/steps",
    "/campaigns/:id/settings",
  ],
  "people.test.ts": [
    "/senders",
    "/senders/aliases/new",
    "/senders/aliases/:id",
    "/senders/domains",
    "/senders/domains/:id",
    "/senders/profiles",
    "/senders/profiles/new",
    "/senders/profiles/:id",
    "/people",
    "/people/:dataset",
    "/people/:dataset/import",
    "/person/:lead",
    "/templates",
    "/templates/:id",
    "/suppressions",
  ],
  "placement.test.ts": ["/senders/placement", "/senders/placement/:id"],
  "webhooks.test.ts": ["/settings/webhooks/:id", "/emails/:id"],
  "members.test.ts": ["/invitations/:token"],
};
const ELSEWHERE: Record<string, string> = Object.fromEntries(
  Object.entries(IN).flatMap(([file, patterns]) => patterns.map((pattern) => [pattern, file])),
);

test("each screen is tried, here or in its own file", async () => {
  const here = new Set(ROUTES.map(([path]) => path));
  const isTried = (pattern: string) => {
    const file = ELSEWHERE[pattern];
    if (file === undefined) return here.has(pattern);
    return fs.readFileSync(path.join(import.meta.dirname, file), "utf8").includes("inspect(");
  };
  expect((await consolePatterns()).filter((pattern) => !isTried(pattern))).toEqual([]);
});

/** A screen asks the API three questions at most, but for these: each part of theirs fails by itself. */
const QUESTIONS: Record<string, number> = { "/": 7, "/settings/members": 4 };

/** What a page asks for that is loaded anew: scripts, and questions to the API beside the frame's one. */
async function requestsOf(page: Page) {
  const asked = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  return {
    scripts: asked.filter((path) => path.endsWith(".js")),
    questions: asked.filter((path) => /^\/api\/v2\/(?!auth\/me$)/.test(path)),
  };
}

describe.runIf(hasBrowser)("every route", () => {
  const it = useConsole();

  test.each(ROUTES)("%s", async (at, heading) => {
    const { page } = it;
    await it.open(at);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.waitForSelector(".skeleton", { state: "detached" });
    expect(await page.title()).toBe(`${heading} - Overture`);
    const { scripts, questions } = await requestsOf(page);
    expect(scripts.slice(3)).toEqual([]);
    expect(questions.slice(QUESTIONS[at] ?? 3)).toEqual([]);
    const found = await inspect(page, () => page.waitForSelector("h1"), ["light", "dark"]);
    expect(found).toEqual([]);
  });

  test("the sign-in, and the list of keys", async () => {
    const { page } = it;
    await it.open("/service");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
    expect(await inspect(page, () => page.waitForSelector("dialog[open]"))).toEqual([]);
    await page.keyboard.press("Escape");
    await it.context.clearCookies();
    await it.open("/service");
    await page.getByLabel("API key or login token").waitFor();
    expect(await inspect(page, () => page.waitForSelector("h1"))).toEqual([]);
  });
});
