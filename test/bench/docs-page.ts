import * as path from "node:path";
import { startAssets } from "../../scripts/stack/assets.ts";
import { findChromium, openChromium } from "../integration/stack/chromium.ts";
import { range } from "./report.ts";

const PUBLIC = path.resolve(import.meta.dirname, "../../public");

/** A slow line to a telephone. */
const LINE = { megabits: 1.6, roundTripMs: 40 };

/** How long the docs page takes until its list is there, over a slow line and with nothing kept from before: from the files as the stack serves them. */
export async function benchDocsPage(rounds: number): Promise<void> {
  const executable = findChromium();
  if (executable === null) throw new Error("There is no chromium (CHROMIUM_PATH).");
  const assets = await startAssets(PUBLIC);
  const browser = await openChromium(executable);
  const taken: number[] = [];
  try {
    // The first round starts what the browser starts once.
    for (let round = 0; round <= rounds; round++) {
      const page = await browser.context.newPage();
      const session = await browser.context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.setCacheDisabled", { cacheDisabled: true });
      await session.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: LINE.roundTripMs,
        downloadThroughput: (LINE.megabits * 1e6) / 8,
        uploadThroughput: (LINE.megabits * 1e6) / 8,
      });
      const askedAt = performance.now();
      await page.goto(`http://${assets.address}/docs`, { waitUntil: "commit" });
      await page.waitForSelector(".operation");
      if (round > 0) taken.push(performance.now() - askedAt);
      await page.close();
    }
  } finally {
    await browser.close();
    await assets.close();
  }
  console.log(
    `\nThe docs page at ${LINE.megabits} Mbit/s, ${LINE.roundTripMs} ms a round trip: its list is there after ${range(taken)} ms, ${rounds} rounds`,
  );
}
