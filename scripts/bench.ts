/**
 * `npm run bench -- [--messages N] [--start] [--http] [--reads] [--latency] [--ledger] [--paid] [--network] [--inboxes [--connections N]] [--agents] [--docs] [--reports] [--rounds N]`: figures of the built Worker in bare
 * workerd over the local stack. With `--messages` (1,000 to 50,000) only the tick, so that one sees
 * whether it stays flat; with `--latency` only the tick, 8 ms before the database and 30 ms before
 * each reply of the relay; with `--ledger` only the credit ledger, its audit and its sweep at size; with `--http` only requests; with
 * `--reads` only what reads cost the Worker as it is deployed, with `--start` only what a start costs (both with `--beside FILE` in turns with another bundle); with
 * `--paid` only what a wallet's payment costs; with `--network` only messages and chats, the provider 100 ms away; with
 * `--inboxes` only what reading inboxes costs in which nothing is new, with `--agents` only what calls of `/mcp` cost, with
 * `--docs` only how soon the docs page shows its list over a slow line, with `--reports` only what reports of receivers cost. Not a test: nothing fails by being slow.
 */
import "./stack/warp.ts";
import * as tls from "node:tls";
import { parseArgs } from "node:util";
import { benchAgents } from "../test/bench/agents.ts";
import { benchDocsPage } from "../test/bench/docs-page.ts";
import { benchHttp } from "../test/bench/http.ts";
import { benchInboxes } from "../test/bench/inboxes.ts";
import { benchLedger, benchLedgerSizes } from "../test/bench/ledger.ts";
import { startLateLine } from "../test/bench/late-line.ts";
import type { SinkOptions } from "../test/bench/mail/sink.ts";
import { type SinkProcess, startSinkProcess } from "../test/bench/mail/start-sink.ts";
import { benchNetwork } from "../test/bench/network.ts";
import { benchPaidAtOnce } from "../test/bench/paid-at-once.ts";
import { benchPaid } from "../test/bench/paid.ts";
import { benchStart } from "../test/bench/start.ts";
import { benchReads } from "../test/bench/reads.ts";
import { machine } from "../test/bench/report.ts";
import { benchReports } from "../test/bench/reports.ts";
import { benchTickLatency } from "../test/bench/tick-latency.ts";
import { benchTick } from "../test/bench/tick.ts";
import { type TestService, startTestService } from "../test/support/service.ts";
import { createLocalCertificate } from "./stack/certificate.ts";
import type { WorkerEnv } from "./stack/service.ts";

const DATABASE_LATENCY_MS = 8;
const REPLY_LATENCY_MS = 30;
const PROVIDER_LATENCY_MS = 100;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    messages: { type: "string" },
    latency: { type: "boolean", default: false },
    ledger: { type: "boolean", default: false },
    paid: { type: "boolean", default: false },
    network: { type: "boolean", default: false },
    http: { type: "boolean", default: false },
    reads: { type: "boolean", default: false },
    start: { type: "boolean", default: false },
    beside: { type: "string" },
    inboxes: { type: "boolean", default: false },
    connections: { type: "string", default: "5" },
    agents: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
    reports: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const { ca, cert, key } = createLocalCertificate(["localhost"]);
// For nodemailer: an authority that is handed over with each connection is parsed with each.
tls.setDefaultCACertificates([...tls.rootCertificates, ca]);
const closers: (() => Promise<void>)[] = [];
const startSink = async (options: Partial<SinkOptions>): Promise<SinkProcess> => {
  const sink = await startSinkProcess({ cert, key, delayMs: 0, chunking: true, ...options });
  closers.push(sink.close);
  return sink;
};

async function whole(service: TestService): Promise<void> {
  if (values.messages === undefined) {
    await benchHttp(service, rounds);
    await benchLedger(service, rounds);
  }
  await benchTick(service, await startSink({}), Number(values.messages ?? 1_000));
}

async function ledger(service: TestService): Promise<void> {
  await benchLedger(service, rounds);
  await benchLedgerSizes(service, 1_000_000);
}

async function latency(service: TestService): Promise<void> {
  console.log(
    `\nThe tick, signing, ${DATABASE_LATENCY_MS} ms before the database and ${REPLY_LATENCY_MS} ms before each reply; ${rounds} ticks: median (min-max)`,
  );
  for (const chunking of [true, false]) {
    const sink = await startSink({ delayMs: REPLY_LATENCY_MS, chunking });
    await benchTickLatency(service, sink, rounds, chunking ? "CHUNKING" : "DATA");
  }
}

async function farDatabase(env: WorkerEnv): Promise<WorkerEnv> {
  const near = Number(env["NEON_LOCAL"]!.split(":")[1]);
  const line = await startLateLine(near, DATABASE_LATENCY_MS);
  closers.push(line.close);
  return { NEON_LOCAL: line.address };
}

/** Where the Worker finds the network's provider, and by which key. */
const network = { provider: "", apiKey: "" };
async function farNetwork({ UNIPILE_API_URL, UNIPILE_API_KEY }: WorkerEnv): Promise<WorkerEnv> {
  const line = await startLateLine(Number(new URL(UNIPILE_API_URL!).port), PROVIDER_LATENCY_MS);
  closers.push(line.close);
  Object.assign(network, { provider: `http://${line.address}`, apiKey: UNIPILE_API_KEY! });
  return { UNIPILE_API_URL: network.provider };
}

console.log(machine());
if (values.start) {
  await benchStart(Math.max(rounds, 9), values.beside);
  console.log(`\n${machine()}`);
  process.exit();
}
if (values.docs) {
  await benchDocsPage(rounds);
  console.log(`\n${machine()}`);
  process.exit();
}
const service = await startTestService({
  authorities: [ca],
  workerEnv: async (env) => ({
    TICK_BATCH: "200",
    REPORTS_DOMAIN: "reports.overture.zz",
    INBOX_CONNECTIONS: values.connections,
    ...(values.latency ? await farDatabase(env) : {}),
    ...(values.network ? await farNetwork(env) : {}),
  }),
});
try {
  if (values.http) await benchHttp(service, rounds);
  else if (values.reads) await benchReads(service, rounds, values.beside);
  else if (values.agents) await benchAgents(service, rounds);
  else if (values.inboxes) await benchInboxes(service, rounds, Number(values.connections));
  else if (values.reports) await benchReports(service, rounds);
  else if (values.network) await benchNetwork(service, network, rounds);
  else if (values.paid) {
    await benchPaid(service, rounds);
    await benchPaidAtOnce(service);
  } else await (values.ledger ? ledger : values.latency ? latency : whole)(service);
} finally {
  await service.close();
  for (const close of closers) await close();
}
console.log(`\n${machine()}`);
