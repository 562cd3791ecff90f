import { setTimeout as delay } from "node:timers/promises";
import { ADDRESSES, createCampaign, DEMO_NAME, STEP_COUNT } from "./demo/campaign.ts";
import { createClients, type DemoClients } from "./demo/clients.ts";
import { buyOneCall } from "./demo/paid-call.ts";
import { startNetworkCampaign, tellNetworkCampaign } from "./demo/network.ts";
import { tellPlacement } from "./demo/placement.ts";
import { createReaders, type Readers } from "./demo/readers.ts";
import { startDemoWebhook, tellDemoWebhook } from "./demo/webhook.ts";
import type { StackDescription } from "./stack/running.ts";

const HOUR = 3600;
/** The campaign takes three days; a bound, so that a demo that goes wrong ends too. */
const LONGEST_HOURS = 6 * 24;
/** Slow enough to be watched in the console, which looks every 3 s while the clock moves. */
const WATCHED_HOUR_MS = 400;

/**
 * A three-step campaign to demo leads, from the API to the inbox: created as a
 * user would, sent by the engine on the stack's moved clock, read by leads who
 * open, click, answer and unsubscribe in the mailbox. Beside it a lead who leaves an email
 * unanswered and accepts on the network. At its end, where its first message lands, and one call bought from a wallet.
 */
export async function runDemo(description: StackDescription): Promise<void> {
  const clients = createClients(description);
  const earlier = await clients.api(
    "GET",
    `/api/v1/campaigns/?name=${encodeURIComponent(DEMO_NAME)}`,
  );
  const known = (earlier as { campaign_id: string; status: string }[])[0];
  if (known?.status === "completed") {
    console.log(
      `\nThe demo campaign of an earlier start is finished and still there: ${known.campaign_id}`,
    );
    console.log("npm start -- --fresh runs it anew.");
    return;
  }
  console.log(
    "\nDemo: a three-step campaign over three days; the stack's clock makes a minute of them.",
  );
  if (known === undefined) await startDemoWebhook(clients, description);
  const campaignId = known?.campaign_id ?? (await createCampaign(clients, description));
  const networkCampaignId = await startNetworkCampaign(clients);
  await run(clients, campaignId, { paceMs: WATCHED_HOUR_MS });
  const stats = await clients.api("GET", `/api/v1/campaigns/${campaignId}/click-stats`);
  console.log(`  click-stats: ${JSON.stringify(stats)}`);
  for (const line of await tellPlacement(clients, description, campaignId))
    console.log(`  ${line}`);
  for (const line of await tellNetworkCampaign(clients, networkCampaignId))
    console.log(`  ${line}`);
  for (const line of await tellDemoWebhook(description)) console.log(`  ${line}`);
  for (const line of await buyOneCall(description)) console.log(`  ${line}`);
  console.log(`  Read the messages at ${description.mailbox_url}`);
  console.log(`  See the network at ${description.network_url}\n`);
}

/** The same as far as it has come after so many hours: what waits, what was sent and what is to come. */
export async function playDemo(description: StackDescription, hours: number): Promise<void> {
  const clients = createClients(description);
  await startDemoWebhook(clients, description);
  const campaignId = await createCampaign(clients, description);
  await startNetworkCampaign(clients);
  await run(clients, campaignId, { hoursAtMost: hours });
}

async function run(
  clients: DemoClients,
  campaignId: string,
  { hoursAtMost = Infinity, paceMs = 0 },
): Promise<void> {
  const readers = createReaders(clients, ADDRESSES);
  const show = progressLines();
  for (let hours = 0; hours < LONGEST_HOURS; hours++) {
    if (hours >= hoursAtMost) return;
    await readers.readNewMail();
    show(readers);
    const { status, launch_error: launchError } = (await clients.api(
      "GET",
      `/api/v1/campaigns/${campaignId}`,
    )) as {
      status: string;
      launch_error: string | null;
    };
    if (status === "completed") {
      // Reading takes stack time, in which the last messages may have arrived.
      await readers.readNewMail();
      return show(readers);
    }
    if (status === "failed")
      throw new Error(`The demo campaign could not be launched: ${launchError}`);
    if (status === "launching") await delay(100);
    await clients.advance(HOUR);
    await delay(paceMs);
  }
  throw new Error(
    "The demo campaign did not end in time; GET /api/v1/campaigns/ shows where it stands.",
  );
}

/** One line per step, rewritten in place on a terminal, printed when it changed elsewhere. */
function progressLines(): (readers: Readers) => void {
  const isTerminal = process.stdout.isTTY;
  let shown: string[] = [];
  return (readers) => {
    const lines = Array.from({ length: STEP_COUNT }, (_, index) => {
      const { sent, opened, clicked, unsubscribed, answered } = readers.step(index + 1);
      const said = answered > 0 ? `, ${answered} answered (read in the sender's inbox)` : "";
      const left = unsubscribed > 0 ? `, ${unsubscribed} unsubscribed` : "";
      return `  step ${index + 1}: ${sent} sent, ${opened} opened, ${clicked} clicked${said}${left}`;
    });
    if (isTerminal) {
      if (shown.length > 0) process.stdout.write(`\u001b[${shown.length}A`);
      for (const line of lines) process.stdout.write(`\u001b[2K${line}\n`);
    } else {
      for (const [index, line] of lines.entries())
        if (line !== shown[index] && !line.includes(" 0 sent")) console.log(line);
    }
    shown = lines;
  };
}
