import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Mailbox, startMailbox } from "../../../../scripts/stack/mailbox/mailbox.ts";
import {
  type MessagingPart,
  startMessaging,
} from "../../../../scripts/stack/messaging/messaging.ts";
import { notice, SECRETS, whatsappAt } from "../../messaging/setting.ts";
import { complaints, page, useBrowser } from "../browser.ts";

export const describeMessagingPage = () =>
  describe("the telephones' page", () => {
    useBrowser();
    let mailbox: Mailbox;
    let part: MessagingPart;

    beforeAll(async () => {
      mailbox = await startMailbox({
        username: "u",
        password: "p",
        messagingUrl: () => part.url,
      });
      part = await startMessaging({ ...SECRETS, mailboxUrl: mailbox.url });
    });
    beforeEach(async () => {
      part.clear();
      await page.goto("about:blank");
      await page.goto(part.url);
      await page.getByRole("heading", { name: "No messages yet" }).waitFor();
    });
    afterAll(async () => {
      await part.close();
      await mailbox.close();
    });

    const send = (more: Parameters<typeof notice>[0] = {}) =>
      whatsappAt(part.url).sendTemplate(notice(more));
    const telephone = (number: string) =>
      page.getByRole("navigation").getByRole("button", { name: number });
    const bubbles = () => page.getByRole("list", { name: "Messages" }).locator(".bubble");

    test("a message appears as it arrives, and opening its telephone reads it", async () => {
      await send({ parameters: ["Spring", "It was paused", "Resume it"] });
      expect(part.messages()).toMatchObject([{ status: "delivered" }]);
      await telephone("+4915112345678").getByTitle("1 unread").waitFor();
      await telephone("+4915112345678").click();
      await bubbles().getByText("What happened: It was paused").waitFor();
      await page.getByRole("img", { name: "Read" }).waitFor();
      expect(part.messages()).toMatchObject([{ status: "read" }]);
      expect(complaints).toEqual([]);
    });

    test("each telephone has its own messages, oldest first", async () => {
      await send({ parameters: ["First", "x", "y"] });
      await send({ parameters: ["Second", "x", "y"] });
      await send({ to: "+33612345678", parameters: ["Elsewhere", "x", "y"] });
      await telephone("+4915112345678").click();
      await bubbles().nth(1).waitFor();
      expect(await bubbles().locator(".words").allTextContents()).toEqual([
        expect.stringContaining("First"),
        expect.stringContaining("Second"),
      ]);
    });

    test("a message that failed says why", async () => {
      await send({ to: "+491511000000" });
      await telephone("+491511000000").click();
      await page.getByText("Not delivered: Message undeliverable (131026)").waitFor();
      await page.getByRole("img", { name: "Failed" }).waitFor();
    });

    test("nothing that a hostile message brings along runs", async () => {
      await send({
        parameters: [
          '<img src=x onerror="alert(1)">',
          '"><script>alert(2)</script>',
          "javascript:alert(3)",
        ],
      });
      await telephone("+4915112345678").click();
      await bubbles().getByText('<img src=x onerror="alert(1)">').waitFor();
      expect(complaints).toEqual([]);
    });

    test("the mailbox and the telephones lead to each other", async () => {
      await page.getByRole("link", { name: "Mailbox" }).click();
      await page.getByRole("heading", { name: "No mail yet" }).waitFor();
      await page.getByRole("link", { name: "WhatsApp" }).click();
      await page.getByRole("heading", { name: "No messages yet" }).waitFor();
    });

    test("Delete all asks first, then empties the telephones", async () => {
      await send();
      await telephone("+4915112345678").waitFor();
      await page.getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("button", { name: "Keep them" }).click();
      expect(part.messages()).toHaveLength(1);
      await page.getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("heading", { name: "No messages yet" }).waitFor();
      expect(part.messages()).toEqual([]);
    });

    test("on a phone the list and the messages take turns, and nothing is wider than the screen", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await send({ parameters: ["x".repeat(300), "y", "z"] });
      const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
      await telephone("+4915112345678").waitFor();
      expect(await width()).toBe(360);
      await telephone("+4915112345678").click();
      await bubbles().first().waitFor();
      expect(await page.getByRole("navigation").isVisible()).toBe(false);
      expect(await width()).toBe(360);
      await page.getByRole("link", { name: "All telephones" }).click();
      await telephone("+4915112345678").waitFor();
    });
  });
