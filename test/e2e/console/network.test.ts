/** Accounts of a professional network with codes and countdowns, and posts from them. */
import { describe, expect, test } from "vitest";
import { hasBrowser, inspect, loseAnswerOf, useConsole } from "../../support/console.ts";
import { IMAGES } from "../../support/images.ts";

describe.runIf(hasBrowser)("the network", () => {
  const it = useConsole();
  const dialog = () => it.page.getByRole("dialog");

  async function logIn(username: string): Promise<void> {
    await it.page.keyboard.press("n");
    await dialog().getByLabel("Username").fill(username);
    await dialog().getByLabel("Password").fill("correct horse");
    await dialog().getByRole("button", { name: "Connect", exact: true }).click();
  }

  test("nothing connected says what to do; an account is connected by its code, and no password stays in the page", async () => {
    const { page } = it;
    await it.open("/network");
    await page.getByText("No account is connected.").waitFor();
    expect(await inspect(page, () => page.waitForSelector(".empty"))).toEqual([]);
    await logIn("otp@network.zz");
    await dialog()
      .getByText(/^[45]:\d\d left, 5 tries/)
      .waitFor();
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("horse");
    await dialog().getByLabel("Code").fill("000000");
    await dialog().getByRole("button", { name: "Send the code" }).click();
    await dialog()
      .getByText(/left, 4 tries/)
      .waitFor();
    expect(await dialog().getByLabel("Code").inputValue()).toBe("000000");
    expect(await inspect(page, () => page.waitForSelector("dialog[open]"))).toEqual([]);
    await dialog().getByLabel("Code").fill("123456");
    await dialog().getByRole("button", { name: "Send the code" }).click();
    const row = page
      .getByRole("row")
      .filter({ has: page.getByText("the default", { exact: true }) });
    await row.getByText("connected", { exact: true }).waitFor();
    await page.getByText("No chats yet.").waitFor();
    expect(await inspect(page, () => page.waitForSelector("table"))).toEqual([]);
    await row.getByRole("button", { name: /^Limits/ }).click();
    await dialog().getByLabel("Messages a day").fill("700");
    await dialog().getByRole("button", { name: "Keep these limits" }).click();
    await dialog().locator(".fault").waitFor();
    await dialog().getByLabel("Messages a day").fill("70");
    await dialog().getByRole("button", { name: "Keep these limits" }).click();
    await row.getByText("70 messages").waitFor();
  });

  test("a code that comes too late is told so, and one begins again; a refused login keeps its name", async () => {
    const { service } = it;
    await it.open("/network");
    await logIn("2fa@network.zz");
    await dialog().getByLabel("Code").fill("123456");
    await service.advance(6 * 60);
    await dialog().getByRole("button", { name: "Send the code" }).click();
    await dialog().getByText("The five minutes are over.").waitFor();
    await dialog().getByRole("button", { name: "Begin again" }).click();
    await dialog().getByLabel("Username").fill("badpass@network.zz");
    await dialog().getByLabel("Password").fill("correct horse");
    await dialog().getByRole("button", { name: "Connect", exact: true }).click();
    await dialog().getByRole("alert").waitFor();
    expect(await dialog().getByLabel("Username").inputValue()).toBe("badpass@network.zz");
  });

  const forgetAborted = () =>
    it.complaints.splice(
      0,
      Infinity,
      ...it.complaints.filter((each) => !each.includes("ERR_FAILED")),
    );

  test("a login whose answer is lost, with what the code needs in it, is begun again", async () => {
    // Five logins an hour.
    await it.service.advance(3600);
    await it.open("/network");
    await loseAnswerOf(it.page, "**/api/v2/connected-accounts/connect");
    await logIn("2fa@network.zz");
    await dialog().getByText("No answer.").waitFor();
    const connect = dialog().getByRole("button", { name: "Connect", exact: true });
    await connect.click();
    await dialog().getByText("was lost on its way").waitFor();
    await connect.click();
    await dialog().getByLabel("Code").fill("000000");
    await dialog().getByRole("button", { name: "Send the code" }).click();
    await dialog()
      .getByText(/left, 4 tries/)
      .waitFor();
    forgetAborted();
  });

  test("a post whose answer is lost is looked for before it is published again", async () => {
    const { page } = it;
    await it.open("/posts");
    await page.getByText("No posts yet.").waitFor();
    await page.keyboard.press("n");
    await dialog().getByLabel("Text").fill("Said once.");
    await loseAnswerOf(it.page, "**/api/v2/socialnet/posts/");
    await dialog().getByRole("button", { name: "Publish it now" }).click();
    await dialog().getByText("look whether it is among the posts").waitFor();
    await page.keyboard.press("Escape");
    const row = page.getByRole("row").filter({ hasText: "Said once." });
    await row.getByRole("button", { name: /^Delete/ }).click();
    await dialog().locator("button[type=submit]").click();
    await page.getByText("No posts yet.").waitFor();
    forgetAborted();
  });

  test("a post goes out with its image, another waits for its time and is changed, and both are deleted", async () => {
    const { page, service } = it;
    const words = 'We moved. <img src=x onerror="alert(1)">';
    await it.open("/posts");
    await page.getByText("No posts yet.").waitFor();
    await page.keyboard.press("n");
    await dialog().getByLabel("Text").fill(words);
    await page.reload();
    await page.getByText("No posts yet.").waitFor();
    await page.keyboard.press("n");
    expect(await dialog().getByLabel("Text").inputValue()).toBe(words);
    await dialog()
      .locator("input[type=file]")
      .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from(IMAGES.png) });
    await dialog().locator("img.thumb").waitFor();
    expect(await inspect(page, () => page.waitForSelector("dialog[open]"))).toEqual([]);
    await dialog().getByRole("button", { name: "Publish it now" }).click();
    const first = page.getByRole("row").filter({ hasText: "We moved." });
    await first.getByText("published").waitFor();
    await first.getByText("With an image.").waitFor();
    // The network outlives the files before this one.
    const texts = service.stack.network.posts().map(({ text }) => text);
    expect(texts.filter((text) => text === words)).toEqual([words]);
    expect(await page.locator("main img").count()).toBe(0);

    await page.keyboard.press("n");
    await dialog().getByLabel("Text").fill("In a week.");
    // A time of which a part is missing is none to the browser, and not "now" either.
    const when = dialog().getByLabel("When");
    await when.focus();
    await page.keyboard.type("1201");
    await dialog().getByRole("button", { name: "Publish it now" }).click();
    await dialog().getByText("This is not complete.").waitFor();
    await page.waitForSelector("input[name=scheduled_at][aria-invalid=true]:focus");
    expect(await page.getByRole("row").filter({ hasText: "In a week" }).count()).toBe(0);
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 16);
    await when.fill(inAWeek);
    await dialog().getByRole("button", { name: "Schedule it" }).click();
    const second = page.getByRole("row").filter({ hasText: "In a week" });
    await second.getByText("scheduled").waitFor();
    await second.getByRole("button", { name: /^Change/ }).click();
    await dialog().getByLabel("Text").fill("In a week, at noon.");
    await dialog().getByRole("button", { name: "Keep the changes" }).click();
    await page.getByText("In a week, at noon.", { exact: true }).waitFor();
    expect(await inspect(page, () => page.waitForSelector("table"))).toEqual([]);
    for (const row of [second, first]) {
      await row.getByRole("button", { name: /^Delete/ }).click();
      await dialog().locator("button[type=submit]").click();
      await row.waitFor({ state: "detached" });
    }
    await page.getByText("No posts yet.").waitFor();
  });

  test("an account is deleted after it was asked about, and what is left stays", async () => {
    const { page } = it;
    await it.open("/network");
    const name = await page.locator("tbody th").first().innerText();
    const row = page.locator("tbody tr").first();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await dialog()
      .getByRole("heading", { name: /^Delete .+\?$/ })
      .waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    expect(await page.locator("tbody th").first().innerText()).toBe(name);
    const before = await page.locator("tbody tr").count();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await dialog().getByRole("button", { name: "Delete the account" }).click();
    await page.locator(".toast").getByText("is deleted.").waitFor();
    await page
      .locator("tbody tr")
      .nth(before - 1)
      .waitFor({ state: "detached" });
  });
});
