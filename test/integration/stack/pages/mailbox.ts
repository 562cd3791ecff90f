import { createTransport, type SendMailOptions } from "nodemailer";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Mailbox, startMailbox } from "../../../../scripts/stack/mailbox/mailbox.ts";
import { complaints, page, requested, useBrowser } from "../browser.ts";
import { type FixtureSite, startFixtureSite } from "../fixture-site.ts";

const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth;
export const describeMailboxPage = () =>
  describe("the mailbox page", () => {
    useBrowser();
    let mailbox: Mailbox;
    let site: FixtureSite;
    /** What the mailbox's people sent. */
    const delivered: string[] = [];

    beforeAll(async () => {
      site = await startFixtureSite();
      mailbox = await startMailbox({
        username: "u",
        password: "p",
        deliver: async (mail) => void delivered.push(mail.raw.toString()),
      });
    });
    beforeEach(async () => {
      mailbox.clear();
      site.visits.length = 0;
      await page.goto("about:blank");
      await page.goto(mailbox.url);
      await page.getByRole("heading", { name: "No mail yet" }).waitFor();
    });
    afterAll(async () => {
      await mailbox.close();
      await site.close();
    });

    async function send(mail: SendMailOptions) {
      const { host, port, username, password } = mailbox.smtp;
      const client = createTransport({ host, port, auth: { user: username, pass: password } });
      await client.sendMail({
        from: "Ann <ann@overture.zz>",
        to: "bob@example.zz",
        text: "x",
        ...mail,
      });
    }

    const thread = (name: string | RegExp) =>
      page.getByRole("navigation").getByRole("button", { name });
    const frame = () => page.frameLocator("iframe");

    test("says what to do while there is no mail, and shows mail as it arrives", async () => {
      await page.getByText(`127.0.0.1:${mailbox.smtp.port}`).waitFor();
      await send({ subject: "Fresh" });
      await thread(/Fresh/).waitFor();
      expect(complaints).toEqual([]);
    });

    test("opening a message loads its images once and asks no other server from the page", async () => {
      await send({
        subject: "Pixel",
        html: `<p>Hi</p><img alt="shot" src="${site.url}/pixel.gif"><link rel=stylesheet href="${site.url}/x.css">
        <div style="background:url(${site.url}/style.png)">.</div>`,
      });
      await thread(/Pixel/).click();
      await page.getByText("Opened. 1 of 1 image loaded.").waitFor();
      await frame().getByText("Hi").waitFor();
      const image = frame().getByAltText("shot");
      await expect.poll(() => image.evaluate(widthOf)).toBe(1);
      expect(site.visits.map((visit) => visit.path)).toEqual(["/pixel.gif"]);
      expect(requested.filter((url) => !url.startsWith(mailbox.url))).toEqual([]);
    });

    test("a click on a link in the message is followed and shown", async () => {
      await send({ subject: "Link", html: `<a href="${site.url}/hop/1">Book a call</a>` });
      await thread(/Link/).click();
      await frame().getByText("Book a call").click();
      const dialog = page.getByRole("dialog", { name: "Where the link led" });
      await dialog.getByText(`${site.url}/page?a=1&b=2`).waitFor();
      expect(site.visits.map((visit) => visit.path)).toEqual(["/hop/1", "/page?a=1&b=2"]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      await frame().getByText("Book a call").waitFor();
    });

    test("nothing that a hostile message brings along runs or leads away", async () => {
      await send({
        subject: "Hostile",
        html: `<script>alert("script")</script><img src=x onerror="alert('handler')">
        <meta http-equiv="refresh" content="0;url=${site.url}/refresh"><base href="${site.url}/">
        <iframe src="javascript:alert('frame')"></iframe><a href="javascript:top.alert('link')">Trap</a>
        <form action="${site.url}/form"><button>Send</button></form>`,
      });
      await thread(/Hostile/).click();
      await frame().getByText("Trap").click();
      await frame().getByText("Send").click();
      await page.getByRole("tab", { name: "Headers" }).click();
      await page.getByText("Subject: Hostile").waitFor();
      expect(complaints).toEqual([]);
      expect(site.visits).toEqual([]);
      expect(page.url().startsWith(mailbox.url)).toBe(true);
    });

    test("a message and its follow-up are one conversation", async () => {
      await send({ subject: "Offer", messageId: "<one@overture.zz>" });
      await send({
        subject: "Offer",
        references: "<one@overture.zz>",
        inReplyTo: "<one@overture.zz>",
      });
      await send({ subject: "Other", to: "eve@example.zz" });
      await thread(/Other/).waitFor();
      expect(await page.getByRole("navigation").getByRole("listitem").count()).toBe(2);
      await thread(/Offer/).click();
      const conversation = page.getByRole("list", { name: "In this conversation" });
      await conversation.getByRole("button").nth(1).waitFor();
      expect(await conversation.getByRole("button").count()).toBe(2);
    });

    test("tabs show text, headers and the raw message, by keyboard too", async () => {
      await send({ subject: "Tabs", text: `Plain ${site.url}/page`, html: "<p>Rich</p>" });
      await thread(/Tabs/).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("tab", { name: "Message" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tabpanel", { name: "Text" }).getByText("Plain").waitFor();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tabpanel", { name: "Headers" }).getByText("Subject: Tabs").waitFor();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tabpanel", { name: "Raw" }).getByText("<p>Rich</p>").waitFor();
      const selected = page.getByRole("tab", { selected: true });
      expect(await selected.allTextContents()).toEqual(["Raw"]);
    });

    test("a link in plain text is followed as well", async () => {
      await send({ subject: "Text only", text: `See ${site.url}/page.` });
      await thread(/Text only/).click();
      await page.getByRole("button", { name: `${site.url}/page`, exact: true }).click();
      await page.getByRole("dialog").getByText("200").waitFor();
      expect(site.visits.map((visit) => visit.path)).toEqual(["/page"]);
    });

    test("the unsubscribe button makes the one-click POST, and is off where there is none", async () => {
      await send({
        subject: "Leave",
        headers: {
          "List-Unsubscribe": `<${site.url}/u/1>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      });
      await send({ subject: "Stay", to: "eve@example.zz" });
      await thread(/Leave/).click();
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await page.getByRole("dialog", { name: "Unsubscribed" }).waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      expect(site.visits).toMatchObject([{ method: "POST", path: "/u/1" }]);
      await thread(/Stay/).click();
      await page.getByRole("heading", { name: "Stay" }).waitFor();
      expect(await page.getByRole("button", { name: "Unsubscribe" }).isDisabled()).toBe(true);
      await page.getByText("The message offers no one-click unsubscribe.").waitFor();
    });

    test("what went back stands in the conversation, as text, and goes when the mail is deleted", async () => {
      await send({ subject: "Offer" });
      await thread(/Offer/).click();
      await page.getByRole("heading", { name: "Offer" }).waitFor();
      const { id } = (await mailbox.messages())[0]!;
      const post = (action: string, body: object) =>
        fetch(`${mailbox.url}/api/messages/${id}/${action}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      expect((await post("reply", { text: "Gladly <img src=x onerror=alert(1)>" })).status).toBe(
        200,
      );
      const conversation = page.getByRole("list", { name: "In this conversation" });
      await conversation.getByText("2. The recipient replied, to ann@overture.zz").waitFor();
      await conversation.getByText("Gladly <img src=x onerror=alert(1)>").waitFor();
      await post("bounce", {});
      await conversation.getByText("3. The recipient does not exist: a bounce went").waitFor();
      expect(delivered).toHaveLength(2);
      expect((await post("bounce", { status: "nonsense" })).status).toBe(422);
      expect(await conversation.getByRole("listitem").count()).toBe(3);
      expect(complaints).toEqual([]);
      await fetch(`${mailbox.url}/api/messages`, { method: "DELETE" });
      const listed = await fetch(`${mailbox.url}/api/threads`);
      expect(await listed.json()).toMatchObject({ total: 0, threads: [] });
    });

    test("the filter narrows the list by recipient", async () => {
      await send({ subject: "For Bob" });
      await send({ subject: "For Eve", to: "eve@example.zz" });
      await thread(/For Eve/).waitFor();
      await page.getByRole("searchbox", { name: "Filter by recipient" }).fill("EVE@");
      await page.getByText("1 of 2 messages").waitFor();
      expect(await thread(/For Bob/).count()).toBe(0);
    });

    test("Delete all asks first, then empties the mailbox", async () => {
      await send({ subject: "Doomed" });
      await thread(/Doomed/).click();
      await page.getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("button", { name: "Keep them" }).click();
      expect(await mailbox.messages()).toHaveLength(1);
      await page.getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("heading", { name: "No mail yet" }).waitFor();
      expect(await mailbox.messages()).toHaveLength(0);
    });

    test("on a phone the list and the message take turns, and nothing is wider than the screen", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await send({
        subject: "A subject long enough to be wider than any phone that is held upright",
        html: "<p>Hi</p>",
      });
      const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
      await thread(/A subject/).waitFor();
      expect(await width()).toBe(360);
      await thread(/A subject/).click();
      await frame().getByText("Hi").waitFor();
      expect(await page.getByRole("navigation").isVisible()).toBe(false);
      expect(await width()).toBe(360);
      await page.getByRole("link", { name: "All mail" }).click();
      await thread(/A subject/).waitFor();
    });
  });
