import { beforeEach, describe, expect, test } from "vitest";
import { complaints, page, useBrowser } from "../browser.ts";
import { form, networkSetting } from "../network-setting.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAADUlEQVR42mNgQAf/AQABDAEAa7Jx4gAAAABJRU5ErkJggg==";
const HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

export const describeNetworkPage = () =>
  describe("the network's page", () => {
    const setting = networkSetting();
    useBrowser();
    let account: string;

    beforeEach(async () => {
      account = await setting.connect("ok@example.zz");
      await page.goto("about:blank");
      await page.goto(setting.part.url);
      await page.getByRole("heading", { name: "Nobody yet" }).waitFor();
    });

    const entry = (name: string) =>
      page.getByRole("navigation", { name: "Entries" }).getByRole("button", { name });
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const list = (name: string) => page.getByRole("link", { name, exact: true }).click();
    const happened = () => page.getByRole("list", { name: "What happened" });

    test("an invitation appears as it is sent, is accepted, and answered by hand", async () => {
      await setting.invite(account, "declines-tom-berg", "Shall we talk?");
      await entry("Tom Berg").click();
      await happened().getByText("Shall we talk?").waitFor();
      await press("Accept");
      await happened().getByText("Tom Berg is connected").waitFor();
      await setting.say(account, "declines-tom-berg", "Thank you, Tom");
      await happened().getByText("Thank you, Tom").waitFor();
      await page.getByLabel("What Tom Berg writes").fill("Gladly, on Monday");
      await press("Send");
      await happened().getByText("Gladly, on Monday").waitFor();
      expect(setting.part.chats()).toMatchObject([
        { messages: [{ direction: "out" }, { direction: "in", text: "Gladly, on Monday" }] },
      ]);
      expect(complaints).toEqual([]);
    });

    test("an invitation that is declined stays open for its sender, and can be accepted after all", async () => {
      await setting.invite(account, "declines-tom-berg");
      await entry("Tom Berg").click();
      await press("Decline");
      await page.getByText("Tom Berg said no; the member is not told.").waitFor();
      await press("Accept");
      await happened().getByText("Tom Berg is connected").waitFor();
    });

    test("what is being typed outlives the news of others", async () => {
      await setting.say(account, "friend-tom-berg", "Hello");
      await entry("Tom Berg").click();
      const field = page.getByLabel("What Tom Berg writes");
      await field.fill("Half a sen");
      await setting.say(account, "friend-eva-roth", "Hello Eva");
      await entry("Eva Roth").waitFor();
      expect(await field.inputValue()).toBe("Half a sen");
    });

    test("a post shows its image and its counters, and can be removed", async () => {
      const image = new File([Buffer.from(PNG, "base64")], "x.png", { type: "image/png" });
      const body = form({
        account_id: account,
        text: "Our news\nin two lines",
        attachments: image,
      });
      await setting.call("POST", "posts", body);
      await setting.advance(86_400);
      await list("Posts");
      await entry("Our news").click();
      await page.getByText("in two lines").waitFor();
      await page.getByText("image/png, 3 x 2").waitFor();
      const loaded = await page.evaluate<number>("document.querySelector('img').naturalWidth");
      expect(loaded).toBe(3);
      const seen = await page.locator(".counters dd").first().textContent();
      expect(Number(seen?.replaceAll(",", ""))).toBeGreaterThan(50);
      await press("Remove it");
      await page.getByRole("heading", { name: "No posts yet" }).waitFor();
      expect(complaints).toEqual([]);
    });

    test("an account is disconnected, connected, restricted, and approved in the app", async () => {
      await setting.connect("inapp@example.zz");
      await list("Accounts");
      const name = setting.part.accounts()[0]?.owner.name ?? "";
      await entry(name).click();
      await press("Disconnect");
      await page.getByLabel("Account").getByText("credentials", { exact: true }).waitFor();
      await press("Connect again");
      await page.getByLabel("Account").getByText("connected", { exact: true }).waitFor();
      await press("Restrict");
      await page.getByLabel("Account").getByText("restricted", { exact: true }).waitFor();
      await entry("waits for a yes in the app").click();
      await press("Say yes in the app");
      await page.getByLabel("Account").getByText("connected", { exact: true }).waitFor();
      expect(setting.part.accounts().map(({ status }) => status)).toEqual(["OK", "OK"]);
    });

    test("nothing that a hostile message, note or post brings along runs", async () => {
      await setting.invite(account, "declines-tom-berg", HOSTILE);
      await setting.say(account, "friend-eva-roth", HOSTILE);
      await setting.call("POST", "posts", form({ account_id: account, text: HOSTILE }));
      await entry("Tom Berg").click();
      await happened().getByText(HOSTILE).waitFor();
      await entry("Eva Roth").click();
      await happened().getByText(HOSTILE).waitFor();
      await list("Posts");
      await entry("<img").click();
      await page.getByLabel("Post", { exact: true }).getByText(HOSTILE).waitFor();
      expect(complaints).toEqual([]);
    });

    test("on a phone the list and what is chosen take turns, and nothing is wider than the screen", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await setting.invite(account, `declines-${"x".repeat(80)}`, "y".repeat(200));
      const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
      await entry("Xxxx").waitFor();
      expect(await width()).toBe(360);
      await entry("Xxxx").click();
      await happened().waitFor();
      expect(await entry("Xxxx").isVisible()).toBe(false);
      expect(await width()).toBe(360);
      await page.getByRole("link", { name: "All people" }).click();
      await entry("Xxxx").waitFor();
    });
  });
