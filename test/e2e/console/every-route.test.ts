/** On every route: axe in both schemes, 320 px, no policy report, nobody else asked, a heading and a title. */
import { describe, expect, test } from "vitest";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";

/** A screen enters itself here, with what its heading says. */
const ROUTES: [path: string, heading: string][] = [
  ["/service", "Service"],
  ["/settings", "Workspace"],
  ["/settings/workspace", "Workspace"],
  ["/settings/api-keys", "API keys"],
  ["/settings/notifications", "Notifications"],
  ["/no/such/page", "There is no such page"],
];

describe.runIf(hasBrowser)("every route", () => {
  const it = useConsole();

  test.each(ROUTES)("%s", async (path, heading) => {
    const { page } = it;
    await it.open(path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.waitForSelector(".skeleton", { state: "detached" });
    expect(await page.title()).toBe(`${heading} - Overture`);
    expect(await inspect(page, () => page.waitForSelector("h1"))).toEqual([]);
  });

  test("the sign-in, and the list of keys", async () => {
    const { page } = it;
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    expect(await inspect(page, () => page.waitForSelector("dialog[open]"))).toEqual([]);
    await page.keyboard.press("Escape");
    await it.context.clearCookies();
    await it.open("/service");
    await page.getByLabel("API key or login token").waitFor();
    expect(await inspect(page, () => page.waitForSelector("h1"))).toEqual([]);
  });
});
