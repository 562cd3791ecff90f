import { setTimeout as delay } from "node:timers/promises";
import { ADDRESSES, createCampaign, DEMO_NAME, STEP_COUNT } from "./demo/campaign.ts";
import { createClients, type DemoClients } from "./demo/clients.ts";
import { buyOneCall } from "./demo/paid-call.ts";
import { startNetworkCampaign, tellNetworkCampaign } from "./demo/network.ts";
import { createReaders, type Readers } from "./demo/readers.ts";
import { startDemoWebhook, tellDemoWebhook } from "./demo/webhook.ts";
import type { StackDescription } from "./stack/running.ts";

const HOUR = 3600;
/** The campaign takes three days; a bound, so that a demo that goes wrong ends too. */
const LONGEST_HOURS = 6 * 24;

/**
 * A three-step campaign to demo leads, from the API to the inbox: created as a
 * user would, sent by the engine on the stack's moved clock, read by leads who
 * open, click, answer and unsubscribe in the mailbox. Beside it a lead who leaves an email
 * unanswered and accepts on the network. At its end, one call bought from a wallet.
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
  await run(clients, campaignId);
  const stats = await clients.api("GET", `/api/v1/campaigns/${campaignId}/click-stats`);
  console.log(`  click-stats: ${JSON.stringify(stats)}`);
  for (const line of await tellNetworkCampaign(clients, networkCampaignId))
    console.log(`  ${line}`);
  for (const line of await tellDemoWebhook(description)) console.log(`  ${line}`);
  for (const line of await buyOneCall(description)) console.log(`  ${line}`);
  console.log(`  Read the messages at ${description.mailbox_url}`);
  console.log(`  See the network at ${description.network_url}\n`);
}

async function run(clients: DemoClients, campaignId: string): Promise<void> {
  const readers = createReaders(clients, ADDRESSES);
  const show = progressLines();
  for (let hours = 0; hours < LONGEST_HOURS; hours++) {
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
