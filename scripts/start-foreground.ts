import * as fs from "node:fs";
import * as path from "node:path";
import { PAYMENT_ASSET } from "#src/domain/billing/wallet/prices.ts";
import { watchConsole } from "./console/build.ts";
import { runDemo } from "./demo.ts";
import { isPortFree } from "./stack/ports.ts";
import {
  localFolder,
  processStart,
  removeDescription,
  type StackDescription,
  writeDescription,
} from "./stack/running.ts";
import { keptSecrets, readJson, writePrivately } from "./stack/secrets.ts";
import type { Chain } from "./stack/chain/chain.ts";
import { BUYER, MERCHANT } from "./stack/chain/accounts.ts";
import { DEMO } from "./stack/identity/people.ts";
import { type LocalService, startLocalService } from "./stack/service.ts";
import type { Ports } from "./stack/stack-parts.ts";
import { onWarp, setWarpOffsetMs, warpOffsetMs } from "./stack/warp.ts";
import { BACKGROUND_VARIABLE } from "./start-background.ts";
import { summary } from "./start-summary.ts";

export interface ForegroundOptions {
  port: number | undefined;
  fresh: boolean;
  /** Of the console's files. */
  watch: boolean;
  demo: boolean;
  cells: 1 | 2;
}

const DEFAULT_PORTS: Ports = {
  api: 8787,
  mailbox: 8025,
  smtp: 8026,
  messaging: 8027,
  payments: 8028,
  network: 8029,
  imap: 8030,
  oauth: 8031,
  receiver: 8032,
  identity: 8033,
  control: 8788,
};
/** A model to be asked in the composer's place: Ollama, or a vendor's. */
const ownModel = (env: NodeJS.ProcessEnv): Record<string, string> =>
  env["MODEL_BASE_URL"] === undefined
    ? {}
    : Object.fromEntries(
        Object.entries(env).filter(
          (entry): entry is [string, string] =>
            entry[0].startsWith("MODEL_") && entry[1] !== undefined,
        ),
      );

const SHUTDOWN_LIMIT_MS = 20_000;

const keptFolder = path.join(localFolder, "state");
const files = {
  secrets: path.join(localFolder, "secrets.json"),
  key: path.join(keptFolder, "api-key.json"),
  ports: path.join(keptFolder, "ports.json"),
  clock: path.join(keptFolder, "clock.json"),
};

/** Runs the service in this process until a signal, or until its parent process is gone. */
export async function startForeground(options: ForegroundOptions): Promise<void> {
  const startedAt = performance.now();
  if (options.port !== undefined && !(await isPortFree(options.port))) {
    throw new Error(
      `Port ${options.port} is taken by another program. Choose another, or leave --port out.`,
    );
  }
  fs.mkdirSync(keptFolder, { recursive: true, mode: 0o700 });
  if (!options.fresh) restoreClock();
  keepClock();
  const shutdown = prepareShutdown();
  console.log("Starting Overture on this machine:");
  const workerLog = fs.createWriteStream(path.join(localFolder, "worker.log"), { mode: 0o600 });
  const service = await startLocalService({
    secrets: keptSecrets(files.secrets),
    databaseUrl: process.env["DATABASE_URL"] || undefined,
    instance: "dev",
    durable: true,
    fresh: options.fresh,
    ports: wantedPorts(options),
    stateFolder: keptFolder,
    keyFile: files.key,
    cells: options.cells,
    workerEnv: ownModel(process.env),
    onProgress: (line) => console.log(`  ${line}`),
    onWorkerOutput: (line) => workerLog.write(`${line}\n`),
  });
  const description = describe(service);
  shutdown.arm(async () => {
    removeDescription();
    await service.close();
    workerLog.end();
  });
  writePrivately(files.ports, service.ports);
  writeDescription(description);
  console.log(`Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  console.log(summary(description));
  process.send?.("ready");
  if (options.watch) await watchConsole((line) => console.log(`  console: ${line}`));
  if (options.demo) await showDemo(description);
  if (!process.env[BACKGROUND_VARIABLE])
    console.log("Ctrl-C stops it; the data stays for the next start.");
}

/** The ports of the last start, because stored rows and sent links name them. */
function wantedPorts({ port, fresh }: ForegroundOptions): Ports {
  const wanted: Ports = { ...DEFAULT_PORTS, ...(fresh ? {} : readJson<Ports>(files.ports)) };
  if (port === undefined) return wanted;
  // A port that was asked for is the API's, whatever else had it before.
  const others = Object.entries(wanted).filter(([, taken]) => taken !== port);
  return { ...Object.fromEntries(others), api: port };
}

/** Stored times lie ahead of real time when the clock was moved, so it must not fall back at the next start. */
function restoreClock(): void {
  const kept = readJson<{ offset_ms: number }>(files.clock);
  if (kept && kept.offset_ms > 0) setWarpOffsetMs(kept.offset_ms);
}

function keepClock(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  onWarp(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writePrivately(files.clock, { offset_ms: warpOffsetMs() });
    }, 50);
  });
  process.on("exit", () => {
    if (timer) writePrivately(files.clock, { offset_ms: warpOffsetMs() });
  });
}

function describe({ stack, baseUrl, access, big }: LocalService): StackDescription {
  const consoleUrl = `${baseUrl}/console/`;
  return {
    base_url: baseUrl,
    console_url: consoleUrl,
    sign_in_url: stack.identity.linkFor(DEMO, consoleUrl),
    identity_url: stack.identity.url,
    docs_url: `${baseUrl}/docs`,
    mailbox_url: stack.mailbox.url,
    payments_url: stack.payments.url,
    messaging_url: stack.messaging.url,
    receiver_url: stack.receiver.url,
    network_url: stack.network.url,
    oauth_url: stack.oauth.url,
    control_url: stack.control.url,
    dns_url: stack.dns.url,
    database_url: stack.databaseUrl,
    big_database_url: big?.databaseUrl ?? null,
    pid: process.pid,
    pid_started: processStart(process.pid),
    ...access,
    chain: stack.chain === null ? null : describeChain(stack.chain),
    smtp: stack.mailbox.smtp,
    imap: stack.mailbox.imap,
  };
}

const describeChain = ({ rpcUrl, part }: Chain): StackDescription["chain"] => ({
  rpc_url: rpcUrl,
  facilitator_url: part.url,
  chain_id: 8453,
  token: PAYMENT_ASSET,
  merchant: MERCHANT,
  buyer: { address: BUYER.address, private_key: BUYER.privateKey },
});

/** A demo that fails is no reason to end the service. */
async function showDemo(description: StackDescription): Promise<void> {
  try {
    await runDemo(description);
  } catch (error) {
    console.error(`The demo stopped: ${(error as Error).message}\nThe service goes on.`);
  }
}

/**
 * On a signal, or when the process that started this one is gone, everything is closed in order, at most once; a
 * second signal more than a second later ends it at once. Before `arm` a signal just ends the process: the parts
 * that are processes of their own end with it.
 */
function prepareShutdown(): { arm(close: () => Promise<void>): void } {
  let close: (() => Promise<void>) | null = null;
  let closingSince: number | null = null;
  const stop = (reason: string) => {
    if (closingSince !== null) {
      // Ctrl-C reaches this process both from the terminal and from its parent.
      if (performance.now() - closingSince > 1000) process.exit(130);
      return;
    }
    closingSince = performance.now();
    if (close === null) process.exit(130);
    console.log(`\n${reason}; stopping.`);
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error((error as Error).message);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => stop(signal));
  // A terminal that went away must not turn each line into an error.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  if (!process.env[BACKGROUND_VARIABLE]) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && stop("The starting process is gone"), 500).unref();
  }
  return {
    arm: (work) => {
      close = work;
    },
  };
}
