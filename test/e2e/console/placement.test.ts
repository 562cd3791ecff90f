/** Where mail lands: from the empty page to what was seen of each mail. */
import { describe, expect, test } from "vitest";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";

const SUBJECT = "Where <b>am</b> I?";

describe.runIf(hasBrowser)("in the console", () => {
  const it = useConsole();

  async function alias(email: string, isSeed: boolean): Promise<void> {
    const { smtp, imap, boxes } = it.service.stack.mailbox;
    const { host, port, security, username, password } = smtp;
    const inbox = { kind: "imap", host: imap.host, port: imap.port, password };
    boxes.open(email);
    await it.service.api("POST", "/api/v2/mailer/aliases", {
      email,
      display_name: "Ann",
      transport: { kind: "smtp", host, port, security, username, password },
      ...(isSeed ? { inbox } : {}),
    });
  }

  test("a test is asked for, looked at while it runs, and deleted", async () => {
    const { page, service } = it;
    await it.open("/senders/placement");
    const empty = page.getByText("Nobody has looked yet where mail lands.");
    await empty.waitFor();
    expect(await inspect(page, () => empty.waitFor())).toEqual([]);
    await page.keyboard.press("n");
    await page.getByText("No mailbox of yours can be looked into.").waitFor();

    await alias("ann@placed.zz", false);
    await alias("seed@spams.zz", true);
    await page.reload();
    await empty.waitFor();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("group", { name: "From" }).getByLabel("ann@placed.zz").check();
    const to = dialog.getByRole("group", { name: "To" });
    expect(await to.getByRole("checkbox").count()).toBe(1);
    await to.getByLabel("seed@spams.zz").check();
    await dialog.getByLabel("Subject").fill(SUBJECT);
    await dialog.getByLabel("Text").fill("Hello");
    await dialog.getByRole("button", { name: "Send it and look" }).click();
    await page.getByRole("heading", { level: 1, name: SUBJECT }).waitFor();
    await service.advance(60);
    const seen = page.getByText("DMARC none");
    await seen.waitFor();
    await page.locator(".pill.bad", { hasText: "spam" }).waitFor();
    expect(await inspect(page, () => seen.waitFor())).toEqual([]);

    await it.open("/senders/placement");
    const row = page.getByRole("link", { name: SUBJECT });
    await row.waitFor();
    expect(await inspect(page, () => row.waitFor())).toEqual([]);
    await row.click();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete it" }).click();
    await empty.waitFor();
  });
});
