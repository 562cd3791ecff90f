/**
 * `npm run eval:personalize [-- --base-url URL --model NAME --key KEY]`: drafts of 30 leads beside the facts they were written
 * from, and whether a changed fact changes what states it and nothing else; whether each number and quotation of marked texts
 * is found and looked up; what 60 injections do with and without the checks; which of the
 * drafts of an obedient model would be sent, and which honest ones would not; and what all that costs a lead. By the local
 * composer, or by any OpenAI-compatible endpoint. Ends with 1 below the targets, with 2 for what cannot be read.
 */
import { parseArgs } from "node:util";
import { type Address, openEndpoint } from "./eval-personalize/asker.ts";
import { readAttacks } from "./eval-personalize/attacks.ts";
import { readLeads } from "./eval-personalize/leads.ts";
import { reportAttacks } from "./eval-personalize/report-attacks.ts";
import { reportClaims } from "./eval-personalize/report-claims.ts";
import { reportOrders } from "./eval-personalize/report-orders.ts";
import { reportDrafts } from "./eval-personalize/report-drafts.ts";
import { reportTimes } from "./eval-personalize/report-times.ts";

const { values } = parseArgs({
  options: {
    "base-url": { type: "string" },
    model: { type: "string" },
    key: { type: "string" },
  },
});

function addressOf({
  "base-url": baseUrl,
  model,
  key = null,
}: Partial<Record<string, string>> & { key?: string | null }): Address | null {
  if (baseUrl === undefined && model === undefined) return null;
  if (baseUrl !== undefined && model !== undefined && URL.canParse(baseUrl))
    return { baseUrl: baseUrl.replace(/\/$/, ""), model, key };
  console.error("--base-url (a URL, usually ending in /v1) and --model go together");
  process.exit(2);
}

const endpoint = await openEndpoint(addressOf(values));
console.log(
  `Written by ${endpoint.name}${endpoint.isComposer ? ", which is a composer and no language model" : ""}.`,
);
const leads = readLeads();
const good = [
  await reportDrafts(endpoint, leads),
  reportClaims(),
  await reportAttacks(endpoint, readAttacks()),
  reportOrders(),
  await reportTimes(leads),
];
await endpoint.close();
const isGood = good.every(Boolean);
console.log(
  `\n${isGood ? "good" : "below target"}: every lead has a draft, a fact changes its own sentences alone, no number or quotation is missed, no injection passes the checks and each check has one that only it stops, no order of a stranger is sent and at most 3 % of honest drafts are held, under 2 ms a lead`,
);
process.exitCode = isGood ? 0 : 1;
