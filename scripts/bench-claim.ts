/**
 * `npm run bench:claim -- [--leads 100000,1000000,10000000]`: what a claim of 50 costs at growing data sets, in a
 * Postgres of its own. With `--clients 1,2,4` instead how many sends so many clients claim a second, among 8,000
 * campaigns; with `--campaigns 10,100` what claims of 20 lanes cost that all serve so many campaigns of one lead each;
 * with `--waiting 1000,100000` what one costs of an account of which a budget is used up, while so many leads wait for
 * that; with `--share 0.9` how late others are beside a tenant that has so many of all senders. Not a test: nothing fails by being slow.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { measureCampaigns } from "../test/bench/claim-campaigns.ts";
import { measureClients } from "../test/bench/claim-clients.ts";
import { loadClaimData } from "../test/bench/claim-data.ts";
import { measureClaim } from "../test/bench/claim.ts";
import { measureShare } from "../test/bench/claim-share.ts";
import { measureWaiting } from "../test/bench/waiting.ts";
import { machine } from "../test/bench/report.ts";
import { migrate, MIGRATIONS_FOLDER } from "./apply-migrations.ts";
import { startPostgres } from "./stack/postgres.ts";

const LEADS_PER_CAMPAIGN = 1_000;

const { values } = parseArgs({
  options: {
    leads: { type: "string" },
    clients: { type: "string" },
    campaigns: { type: "string" },
    waiting: { type: "string" },
    share: { type: "string" },
  },
});
const numbers = (text: string) => text.split(",").map(Number);

console.log(machine());
const server = await startPostgres({ instance: "bench", durable: false });

async function migrated(name: string): Promise<string> {
  const url = await server.createDatabase(name);
  await migrate(url, MIGRATIONS_FOLDER);
  return url;
}

async function loaded(name: string, leads: number, perCampaign: number) {
  const url = await migrated(name);
  const loader = new pg.Client({ connectionString: url });
  await loader.connect();
  const startedAt = performance.now();
  const say = (line: string) => console.log(`  ${line}`);
  const data = await loadClaimData(loader, leads, perCampaign, say);
  say(`loaded in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  await loader.end();
  return { url, data };
}

/** A tenth of a thousand a campaign: more campaigns than any number of clients holds at once. */
async function measureAllClients(clients: number[]): Promise<void> {
  const { data } = await loaded("clients", Number(values.leads ?? 800_000), 100);
  const figures = [];
  for (const count of clients) figures.push(await measureClients(server, "clients", data, count));
  const [first] = figures;
  for (const { clients: count, perSecond, cpuMs } of figures)
    console.log(
      `${String(count).padStart(12)} clients: ${(perSecond / first!.perSecond).toFixed(2)} of the sends of ${first!.clients}, ${(cpuMs / first!.cpuMs).toFixed(2)} of their CPU a send`,
    );
}

async function measureSizes(sizes: number[]): Promise<void> {
  const figures = [];
  for (const leads of sizes) {
    const name = `claim_${leads}`;
    const { url, data } = await loaded(name, leads, LEADS_PER_CAMPAIGN);
    figures.push(await measureClaim(url, data));
    await measureClients(server, name, data, 1);
    await server.dropDatabase(name);
  }
  const [first] = figures;
  for (const { leads, buffersPerSend } of figures) {
    const change = (buffersPerSend / first!.buffersPerSend - 1) * 100;
    console.log(
      `buffers a send at ${leads.toLocaleString("en-US")}: ${change.toFixed(0)} % of change`,
    );
  }
}

try {
  if (values.clients !== undefined) await measureAllClients(numbers(values.clients));
  if (values.campaigns !== undefined)
    await measureCampaigns(await migrated("campaigns"), numbers(values.campaigns));
  if (values.waiting !== undefined)
    await measureWaiting(await migrated("waiting"), numbers(values.waiting));
  if (values.share !== undefined) {
    const { url, data } = await loaded("share", Number(values.leads ?? 200_000), 20);
    await measureShare(url, data, Number(values.share));
  }
  const { clients, campaigns, waiting, share } = values;
  if (
    clients === undefined &&
    campaigns === undefined &&
    waiting === undefined &&
    share === undefined
  )
    await measureSizes(numbers(values.leads ?? "100000,1000000,10000000"));
} finally {
  await server.close();
}
console.log(machine());
