/** What comes back: each in its tab with its effect, answered in its thread, and mails that harm nobody. */
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { linkToWorkerd } from "../../../scripts/stack/worker-link.ts";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";
import { eventually, launchCampaign } from "../../support/service.ts";

interface Mail {
  id: string;
  subject: string;
  text: string;
  headers: Record<string, string> | [string, string][];
}

/** A mail that would run, go elsewhere, and ask `there`, by every way that mails try. */
const hostile = (there: string) => `<html><body><h1>Prices</h1><p id="said">Please</p>
<img src="${there}/pixel.gif" onerror="top.document.title='owned'">
<style>body { background: url(${there}/bg.png) }</style><style>@import "${there}/x.css";</style>
<script>document.getElementById("said").textContent = "ran"; top.document.title = "owned"</script>
<svg onload="top.document.title='owned'"></svg><iframe src="${there}/"></iframe>
<meta http-equiv="refresh" content="0;url=${there}/"><link rel="stylesheet" href="${there}/y.css">
<a href="javascript:alert(1)">press</a><form action="${there}/"><button>Win</button></form></body></html>`;

/** Somebody else's host, on a socket of its own: what it was asked. */
async function stranger() {
  const asked: string[] = [];
  const server = http.createServer(({ url }, response) => {
    asked.push(url!);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}

describe.runIf(hasBrowser)("the inbox", () => {
  const it = useConsole();
  let mark = 0;

  const names = () => ({
    reply: `ida${mark}@inbox.zz`,
    away: `mikael${mark}@inbox.zz`,
    gone: `tuuli${mark}@inbox.zz`,
  });
  const mailsTo = async (to: string) =>
    (await it.service.mailbox("GET", `/api/messages?to=${to}`)) as Mail[];
  const press = async (to: string, button: string, fields: object = {}) =>
    it.service.mailbox("POST", `/api/messages/${(await mailsTo(to)).at(-1)!.id}/${button}`, fields);
  /** The one of this test, which has these words. */
  const row = (text: string | RegExp) =>
    it.page
      .locator(".rows a")
      .filter({ hasText: `On-call ${mark}` })
      .filter({ hasText: text });
  const answerBox = () => it.page.getByLabel(/^Answer to /);

  /** Three people of a campaign with two steps, who have had the first. */
  beforeEach(async () => {
    mark++;
    await launchCampaign(it.service, {
      aliases: 1,
      emails: Object.values(names()),
      steps: [
        { step: 1, variants: [{ type: "INLINE", subject: `On-call ${mark}`, body: "Step 1" }] },
        { step: 2, delay_days: 1, variants: [{ type: "INLINE", body: "Step 2" }] },
      ],
    });
    await it.service.advance(240);
    await eventually("all have had the first", async () => {
      const all = await Promise.all(Object.values(names()).map(mailsTo));
      return all.every(({ length }) => length > 0);
    });
  });

  /** A mail from a person to whoever wrote to them, in the same thread. */
  async function writes(from: string, contentType: string, body: string): Promise<void> {
    const mail = (await mailsTo(from)).at(-1)!;
    const headers = new Map(
      (Array.isArray(mail.headers) ? mail.headers : Object.entries(mail.headers)).map(
        ([name, value]) => [name.toLowerCase(), value] as const,
      ),
    );
    const to = /<?([^<>\s]+@[^<>\s]+)>?$/.exec(headers.get("from")!)![1]!;
    const raw = [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: Re: ${mail.subject}`,
      `Message-ID: <${crypto.randomUUID()}@inbox.zz>`,
      `In-Reply-To: ${headers.get("message-id")}`,
      `Date: ${new Date().toUTCString()}`,
      "MIME-Version: 1.0",
      `Content-Type: ${contentType}; charset=utf-8`,
      "",
      body,
    ].join("\r\n");
    await linkToWorkerd(it.service.worker().eventsUrl!).email({ from, to, raw });
  }

  test("a reply, an absence and a bounce stand in their tabs, each with what it did", async () => {
    const { page } = it;
    const { reply, away, gone } = names();
    await press(reply, "reply", { text: "Tell me more, please." });
    const until = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    await press(away, "out-of-office", { until });
    await press(gone, "bounce", { status: "5.1.1", text: "User unknown" });

    await it.open("/inbox");
    await row("Tell me more").waitFor();
    expect(await page.locator(".rows a").count()).toBe(1);
    await page.getByRole("link", { name: "People 1" }).waitFor();
    await row("Tell me more").click();
    await page.getByText("no further step of the campaign goes to them").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/inbox\/[\w-]{36}$/);
    await row("Tell me more").locator("css=:scope:not(.unread)").waitFor();
    expect(await inspect(page, () => page.waitForSelector(".message.in"))).toEqual([]);

    await page.getByRole("link", { name: "Automatic 1" }).click();
    await row("out of office").click();
    await page.getByText(/^Out of office: step 2 moved to/).waitFor();
    await page.reload();
    await page.getByText(/^Out of office: step 2 moved to/).waitFor();

    await page.getByRole("link", { name: "Bounces" }).click();
    await page.getByRole("row").filter({ hasText: gone }).getByText("hard bounce").waitFor();
    expect(await inspect(page, () => page.waitForSelector("table"))).toEqual([]);
    // How far back is in the address: a copied link leads to the same.
    await page.getByRole("link", { name: "24 hours" }).click();
    await page.getByRole("row").filter({ hasText: gone }).waitFor();
    expect(new URL(page.url()).searchParams.get("days")).toBe("1");
    await page.reload();
    await page.getByRole("row").filter({ hasText: gone }).waitFor();
    expect(await page.getByRole("link", { name: "24 hours" }).getAttribute("aria-current")).toBe(
      "true",
    );
    await page.goBack();
    await page.goBack();
    await page.getByText(/^Out of office: step 2 moved to/).waitFor();

    // Today counts the open ones by what they are, and leads to those.
    await it.open("");
    await page.getByRole("link", { name: "out of office" }).click();
    await row("out of office").waitFor();
    expect(await page.locator(".rows a").count()).toBe(1);
    await page.getByLabel("Kind").selectOption("reply");
    await row("Tell me more").waitFor();
    expect(await page.locator(".rows a").count()).toBe(1);

    await it.service.advance(25 * 3600);
    const ofGone = page.getByRole("row").filter({ hasText: gone });
    await it.open("/inbox?tab=bounces");
    await ofGone.waitFor();
    await page.getByRole("link", { name: "24 hours" }).click();
    await ofGone.waitFor({ state: "detached" });
  });

  test("an answer goes out in the thread, is done with it by a key, and that is taken back", async () => {
    const { page } = it;
    const { reply } = names();
    await press(reply, "reply", { text: "Tell me more, please." });
    await it.open("/inbox");
    await row("Tell me more").waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: `Re: On-call ${mark}` }).waitFor();
    await page.keyboard.press("r");
    await answerBox().fill("");
    await answerBox().pressSequentially("jkersz: gladly.");
    expect(await answerBox().inputValue()).toBe("jkersz: gladly.");
    await page.getByLabel("Quote their message").check();
    await page.getByRole("button", { name: "Answer by mail" }).click();
    await page.getByText("Your answer is on its way.").waitFor();
    expect(await answerBox().inputValue()).toBe("");
    await it.service.advance(60);
    const sent = await eventually("the answer is in the mailbox", async () =>
      (await mailsTo(reply)).find(({ text }) => text.includes("jkersz: gladly.")),
    );
    expect(sent.subject).toBe(`Re: On-call ${mark}`);
    expect(sent.text).toContain("> Tell me more, please.");
    expect(JSON.stringify(sent.headers).toLowerCase()).toMatch(
      /"in-reply-to"[:,]\s*"<[^"]+@inbox\.zz>/,
    );

    await page.locator("h1").click();
    await page.keyboard.press("e");
    await page.getByText("Done.", { exact: true }).waitFor();
    await row("").waitFor({ state: "detached" });
    await page.keyboard.press("z");
    await page.getByText("Taken back.").waitFor();
    await row("").waitFor();
  });

  test("somebody wrote meanwhile: it is shown beside one's own words, which stay and are sent after it was read", async () => {
    const { page } = it;
    const { reply } = names();
    await press(reply, "reply", { text: "Tell me more, please." });
    await it.open("/inbox");
    await row("Tell me more").click();
    await answerBox().fill("On Tuesday?");
    // The page does not hear of it before it is refused.
    await page.route("**/api/v2/conversations/*", (route) =>
      route.request().method() === "GET" ? route.abort() : route.continue(),
    );
    await writes(reply, "text/plain", "Better not: call me on Monday.");
    await page.getByRole("button", { name: "Answer by mail" }).click();
    await page.getByText("They wrote meanwhile").waitFor();
    await page.locator(".answer .words").getByText("call me on Monday").waitFor();
    expect(await answerBox().inputValue()).toBe("On Tuesday?");
    await page.unroute("**/api/v2/conversations/*");
    await page.reload();
    expect(await answerBox().inputValue()).toBe("On Tuesday?");
    await page.getByRole("button", { name: "I have read it" }).click();
    await answerBox().fill("On Monday, then.");
    await page.getByRole("button", { name: "Answer by mail" }).click();
    await page.getByText("Your answer is on its way.").waitFor();
    it.complaints.splice(
      0,
      Infinity,
      ...it.complaints.filter((each) => !each.includes("ERR_FAILED")),
    );
  });

  test("a hostile mail is text, and as a page it runs nothing and asks nobody, until its pictures are wanted", async () => {
    const { page } = it;
    const { reply } = names();
    const other = await stranger();
    await writes(reply, "text/html", hostile(other.url));
    await it.open("/inbox");
    await row("").click();
    const message = page.locator(".message.in");
    await message.locator(".words").getByText("Please").waitFor();
    const written = page.waitForResponse(/\/messages\/[^/]+\/html/);
    await message.getByRole("button", { name: "Show it as it was written" }).click();
    expect((await written).status()).toBe(200);
    const frame = page.frameLocator(".message.in iframe");
    await frame.getByRole("heading", { name: "Prices" }).waitFor();
    expect(await frame.locator("#said").textContent()).toBe("Please");
    expect(
      await frame.locator("script, form, iframe, svg, link, [http-equiv], [onerror]").count(),
    ).toBe(0);
    expect(await inspect(page, () => page.waitForSelector("iframe"))).toEqual([]);
    expect([await page.title(), other.asked]).toEqual(["Inbox - Overture", []]);
    const pictures = ["/pixel.gif", "/bg.png"];
    const shown = pictures.map((each) => page.waitForResponse(other.url + each));
    await message.getByRole("button", { name: "Show pictures" }).click();
    await Promise.all(shown);
    expect(other.asked.toSorted()).toEqual(pictures.toSorted());
    other.close();
    // The browser notes what it held back, before it asks; the socket has seen what it let through.
    const own = (each: string) =>
      !each.startsWith(`asked ${other.url}`) &&
      !/Content Security Policy|frame is sandboxed/.test(each);
    it.complaints.splice(0, Infinity, ...it.complaints.filter(own));
  });

  test("snoozed until tomorrow it is out of the open ones; what it is and says is changed in place", async () => {
    const { page } = it;
    const { reply } = names();
    await press(reply, "reply", { text: "Tell me more, please." });
    await it.open("/inbox");
    await row("Tell me more").click();
    await page.locator(".thread").getByLabel("Intent").selectOption("not_now");
    await row("not now").waitFor();
    await page.getByLabel("What it is").selectOption("out_of_office");
    await row("").waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Automatic/ }).click();
    await row("out of office").click();
    await page.keyboard.press("s");
    await page.getByRole("dialog").getByRole("button", { name: "Tomorrow" }).click();
    await page.getByRole("link", { name: "snoozed 1" }).click();
    await row("").waitFor();
  });
});
