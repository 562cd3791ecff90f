/** Signing in and out, addresses, and the way back. */
import { describe, expect, test } from "vitest";
import { DEMO } from "../../../scripts/stack/identity/people.ts";
import { hasBrowser, useConsole } from "../../support/console.ts";

describe.runIf(hasBrowser)("a session", () => {
  const it = useConsole({ isSignedIn: false });
  const heading = (name: string) => it.page.getByRole("heading", { level: 1, name }).waitFor();

  test("a deep link asks to sign in and is then shown; it stays over a reload, and ends when one signs out", async () => {
    const { page, service } = it;
    await it.open("/settings/api-keys");
    await heading("Sign in");
    await page.getByLabel("API key or login token").fill(`svc_live_nobody${"0".repeat(37)}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("This API key is not known.").waitFor();
    expect(await page.getByLabel("API key or login token").inputValue()).toContain("nobody");
    await it.signIn();
    await heading("API keys");
    expect(new URL(page.url()).pathname).toBe("/console/settings/api-keys");
    await page.reload();
    await heading("API keys");
    const [cookie] = await it.context.cookies(service.baseUrl);
    expect(cookie).toMatchObject({ name: "__Host-overture", httpOnly: true, sameSite: "Strict" });
    expect(await page.evaluate("[document.cookie, localStorage.length]")).toEqual(["", 0]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading("Sign in");
    expect(await it.context.cookies(service.baseUrl)).toEqual([]);
    await it.open("/service");
    await page.goBack();
    await heading("Sign in");
    expect(await page.locator("main").innerText()).not.toContain("svc_live_");
  });

  test("somebody signs in at the identity provider, and is back where they wanted to go", async () => {
    const { page, service } = it;
    await it.open("/settings/workspace?from=mail");
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL(`${service.stack.identity.url}/**`);
    await page.getByRole("button", { name: "Demo", exact: true }).click();
    await heading("Workspace");
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      "/console/settings/workspace?from=mail",
    );
    await page.locator(".rail-foot").getByText("demo@").waitFor();
  });

  test("the one-time link of a local start opens the console signed in, and opens nothing again", async () => {
    const { page, service } = it;
    const link = service.stack.identity.linkFor(DEMO, `${service.baseUrl}/console/`);
    await page.goto(link);
    await heading("Today");
    await page.locator(".rail-foot").getByText("demo@").waitFor();
    await it.context.clearCookies();
    await page.goto(link);
    expect(await it.context.cookies(service.baseUrl)).toEqual([]);
    await it.open("/service");
    await heading("Sign in");
  });

  test("links, back and forward go through the pages, and the heading takes the focus", async () => {
    const { page } = it;
    await it.open("/service");
    await it.signIn();
    await heading("Service");
    await page.getByRole("link", { name: "Settings" }).click();
    await heading("Workspace");
    await page.waitForSelector("h1:focus");
    await page.goBack();
    await heading("Service");
    await page.waitForSelector("h1:focus >> text=Service");
    await page.goForward();
    await heading("Workspace");
    await page.keyboard.press("g");
    await page.keyboard.press("v");
    await heading("Service");
  });

  test("single keys are for fields first, and can be switched off", async () => {
    const { page } = it;
    await it.open("/settings/api-keys");
    await it.signIn();
    await heading("API keys");
    await page.keyboard.press("n");
    const name = page.getByLabel("Name");
    await name.fill("");
    await name.pressSequentially("n?gv");
    expect(await name.inputValue()).toBe("n?gv");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByLabel("Single keys do something").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await page.keyboard.press("?");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.evaluate("localStorage.clear()");
  });
});
