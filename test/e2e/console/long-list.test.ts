/** A list of more than one page, of which something goes away. */
import { describe, expect, test } from "vitest";
import { hasBrowser, useConsole } from "../../support/console.ts";

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
});
