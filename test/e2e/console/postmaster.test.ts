/** Gmail's figures on a domain's page: from the empty part over Google's page and back. */
import { describe, expect, test } from "vitest";
import { hasBrowser, inspect, useConsole } from "../../support/console.ts";

describe.runIf(hasBrowser)("in the console", () => {
  const it = useConsole();

  test("Postmaster Tools are connected, their figures shown, and the consent forgotten", async () => {
    const { page, service } = it;
    const { id } = (await service.api("POST", "/api/v2/mailer/domains", {
      domain: "complained.console.zz",
    })) as { id: string };
    await it.open(`/senders/domains/${id}`);
    const part = page.locator("section", { hasText: "What Gmail says" });
    const connect = part.getByRole("button", { name: "Connect Postmaster Tools" });
    await part.getByText("Gmail tells nobody who reported a message").waitFor();
    expect(await inspect(page, () => connect.waitFor())).toEqual([]);
    await connect.click();
    await page.getByRole("button", { name: "Deny" }).click();
    await part.getByText("The access was not granted; nothing changed.").waitFor();
    await connect.click();
    await page.getByLabel("Mailbox").fill("owner@gmail.zz");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { level: 1, name: "complained.console.zz" }).waitFor();
    const table = part.getByRole("table", { name: "Gmail's figures of complained.console.zz" });
    await expect
      .poll(async () => {
        if ((await table.count()) === 0) await page.reload();
        await part.getByRole("button", { name: "Disconnect" }).waitFor();
        return table.count();
      })
      .toBe(1);
    await table.getByRole("cell", { name: "0.4 %" }).first().waitFor();
    await part.getByText("needs work").waitFor();
    expect(await inspect(page, () => table.waitFor())).toEqual([]);
    await part.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await connect.waitFor();
    await table.waitFor();
    // Google's page is another site's, and the only one that was asked.
    const others = new Set(it.complaints.map((said) => new URL(said.replace("asked ", "")).origin));
    expect([...others]).toEqual([service.stack.oauth.url]);
    it.complaints.length = 0;
  });
});
