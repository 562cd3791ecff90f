import type { BrowserContext } from "playwright-core";
import type { StackDescription } from "../stack/running.ts";
import { post } from "./addresses.ts";

const LEADS = 1_000;
const SLOWER = 4;
const ROUNDS = 7;

/** From a key in the search of a list of a thousand people until only the searched person is shown: the middle of seven, in ms. */
export async function searchTime(
  context: BrowserContext,
  running: StackDescription,
): Promise<number> {
  const dataset = await post(running, "datasets", { name: "A thousand" });
  const rows = Array.from({ length: LEADS }, (_, at) => ({
    email: `person${at}@inbox.zz`,
    company: `${at % 10 === 0 ? "Harbour" : "Mill"} ${at}`,
  }));
  await post(running, `datasets/${dataset.id}/import`, { rows });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${running.base_url}/console/people`);
    await page.waitForSelector("tbody tr");
    await page.getByRole("searchbox").focus();
    await page.evaluate(WATCH);
    await page.keyboard.insertText("Harbour");
    times.push(await page.evaluate<number>("globalThis.found"));
  }
  await page.close();
  return Math.round(times.toSorted((a, b) => a - b)[(ROUNDS - 1) / 2]!);
}

/** In the page: ms from the key to the first frame in which every row has what was typed. */
const WATCH = `globalThis.found = new Promise((done) => {
  addEventListener("input", () => {
    const startedAt = performance.now();
    const look = () => {
      const rows = [...document.querySelectorAll("tbody tr")];
      const isFound = rows.length > 0 && rows.every((row) => /harbour/i.test(row.textContent));
      if (isFound) done(performance.now() - startedAt);
      else requestAnimationFrame(look);
    };
    look();
  }, { once: true, capture: true });
}); undefined`;
