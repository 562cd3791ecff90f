/** A list by pages: of more than one, of which something goes away, and opened anew. */
import { describe, expect, test } from "vitest";
import { asLogin, hasBrowser, useConsole } from "../../support/console.ts";

describe.runIf(hasBrowser)("a list of two pages", () => {
  const it = useConsole();

  test("that loses a row of the first still shows the last", async () => {
    const { page, service } = it;
    const items = Array.from({ length: 60 }, (_, index) => ({ value: `p${index}@example.zz` }));
    await service.api("POST", "/api/v2/suppression-imports", { items });
    await it.open("/suppressions");
    await page.locator("tbody tr").nth(49).waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await page.locator("tbody tr").nth(59).waitFor();
    await page.locator("tbody tr").first().getByRole("button", { name: "Allow" }).click();
    await page.getByRole("button", { name: "Allow mail again" }).click();
    await page.getByText("is allowed again.").waitFor();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(59);
    await page.getByText("Loading").waitFor({ state: "detached" });
  });

  test("is read again when its screen is opened anew", async () => {
    const { page, service } = it;
    const asOwner = (method: string, at: string, body?: unknown) =>
      asLogin(service, service.access.jwt, method, `/api/v2/api-keys${at}`, body);
    const { id } = (await asOwner("POST", "", { name: "Old" })) as { id: string };
    await it.open("/settings/api-keys");
    const row = page.getByRole("row").filter({ hasText: "Old" });
    await row.getByText("valid").waitFor();
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    await asOwner("DELETE", `/${id}`);
    await page.evaluate("((now) => (Date.now = () => now() + 4_000))(Date.now) && undefined");
    await page.getByRole("link", { name: "API keys" }).click();
    await row.getByText("revoked").waitFor();
  });
});
