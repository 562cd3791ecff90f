import { bundleWorker, LOCAL_ENTRY } from "./bundle.ts";
import { cellEnv, startBig } from "./cells/both-cells.ts";
import { type DemoAccess, ensureDemoAccess } from "./demo-access.ts";
import { freePort, portOf, reserveOne } from "./ports.ts";
import { startStack } from "./stack.ts";
import type { Ports, Stack, StackOptions } from "./stack-parts.ts";
import { MOST_RESTARTS, superviseWorker } from "./supervisor.ts";
import { startWorkerd, type Workerd } from "./workerd.ts";
import { linkToWorkerd } from "./worker-link.ts";

/** The stack with the Worker over it, as `npm start`, the end-to-end tests and the benchmarks run it. */
export interface LocalService {
  stack: Stack;
  baseUrl: string;
  access: DemoAccess;
  /** The Worker's process of now. */
  worker(): Workerd;
  /** Resolves when the Worker is there: at once, or when the one that follows a killed one is. */
  untilUp(): Promise<void>;
  /** Ends the Worker and starts it again, with these bindings in the place of those before. */
  rebind(workerEnv: LocalServiceOptions["workerEnv"]): Promise<void>;
  /** The second cell, where there are two; the first is `worker`'s. */
  big: { databaseUrl: string; worker(): Workerd; untilUp(): Promise<void> } | null;
  /** What a start does when the Worker is up, once more over an emptied database. */
  begin(): Promise<DemoAccess>;
  /** The ports in use, to ask for again at the next start. */
  ports: Required<Ports>;
  close(): Promise<void>;
}

export interface LocalServiceOptions extends StackOptions {
  keyFile?: string;
  /** Bindings of the Worker beside the stack's own, or made from them. */
  workerEnv?: WorkerEnv | ((env: WorkerEnv) => Promise<WorkerEnv>);
  /** 2: a second one, and the router before both at the address that people know. */
  cells?: 1 | 2;
  /** PEM of authorities that the Worker trusts besides the stack's own. */
  authorities?: string[];
  /** Restarts of the Worker in a minute before it is given up. */
  mostRestarts?: number;
  /** Lets benchmarks look into the isolate. */
  inspector?: boolean;
  /** Lines that the Worker logs. */
  onWorkerOutput?(line: string): void;
}

export type WorkerEnv = Record<string, string>;

/** Bundles the Worker while the stack starts, serves it, and starts it anew when its process ends by itself. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { onProgress = () => {} } = options;
  const bundling = bundleWorker(LOCAL_ENTRY);
  // Its failure is awaited below; until then it must not count as unheard.
  bundling.catch(() => {});
  // Links and callbacks carry the address, so it is settled first and stays when the Worker restarts.
  const reserved = await reserveOne(options.ports?.api);
  const { port } = reserved;
  const baseUrl = `http://127.0.0.1:${port}`;
  const stack = await startStack(options).catch(async (error: unknown) => {
    await reserved.release();
    throw error;
  });
  try {
    const bundle = await bundling;
    const how = bundle.built ? `built in ${bundle.seconds.toFixed(1)} s` : "unchanged";
    onProgress(`${"bundle".padEnd(10)} ${how}, ${Math.round(bundle.bytes / 1024)} kB`);
    await reserved.release();
    const { mostRestarts = MOST_RESTARTS, authorities = [] } = options;
    const main = options.cells === 2 ? await freePort(options.ports?.main) : port;
    const own = {
      ...stack.workerEnv(baseUrl),
      ...(options.cells === 2 && cellEnv("main", main, options.secrets)),
    };
    const bindings = async (workerEnv: LocalServiceOptions["workerEnv"] = {}) => {
      return { ...own, ...(typeof workerEnv === "function" ? await workerEnv(own) : workerEnv) };
    };
    let env = await bindings(options.workerEnv);
    const common = {
      bundle: bundle.file,
      assets: stack.assets,
      caCertificates: [...stack.caCertificates, ...authorities],
      ...(options.onWorkerOutput ? { onOutput: options.onWorkerOutput } : {}),
    };
    const supervising = superviseWorker(stack.attachWorker, onProgress, mostRestarts, () =>
      startWorkerd({
        ...common,
        env,
        port: main,
        queue: stack.hitQueue,
        ...(options.inspector ? { inspector: true } : {}),
      }),
    );
    // In this process, which has nothing else to do until workerd is up in its own.
    const chainOpening = stack.chain?.open();
    chainOpening?.catch(() => {});
    const supervisor = await supervising;
    const big =
      options.cells === 2 ? await startBig(stack, options, { port, main, env, common }) : null;
    stack.payments.sendEventsTo({ url: `${baseUrl}/api/v1/payments/webhook` });
    const close = async () => {
      await big?.close();
      await supervisor.close();
      await stack.close();
    };
    const begin = async () => {
      // As after a deployment: the first heartbeat arms the engine's schedule.
      await stack.heartbeat.runNow();
      await stack.messaging.subscribe(`${baseUrl}/api/v1/notifications/whatsapp/webhook`);
      const access = await ensureDemoAccess({
        baseUrl,
        databaseUrl: stack.databaseUrl,
        identityKey: options.secrets.identityKey,
        keyFile: options.keyFile,
      });
      await firstHeartbeat(supervisor.current());
      if (big !== null) await firstHeartbeat(big.worker());
      return access;
    };
    try {
      const access = await begin();
      await chainOpening;
      return {
        stack,
        baseUrl,
        access,
        worker: supervisor.current,
        untilUp: supervisor.untilUp,
        async rebind(workerEnv) {
          env = await bindings(workerEnv);
          await supervisor.untilUp();
          await supervisor.current().kill("SIGKILL");
          await supervisor.untilUp();
        },
        begin,
        big,
        ports: portsOf(stack, { api: port, main: big === null ? 0 : main, big: big?.port ?? 0 }),
        close,
      };
    } catch (error) {
      await big?.close();
      await supervisor.close();
      throw error;
    }
  } catch (error) {
    await stack.close();
    throw error;
  }
}

function portsOf(
  {
    mailbox,
    identity,
    oauth,
    messaging,
    receiver,
    control,
    neon,
    redis,
    qstash,
    dns,
    payments,
    network,
    chain,
  }: Stack,
  ofWorkers: { api: number; main: number; big: number },
): Required<Ports> {
  return {
    ...ofWorkers,
    mailbox: portOf(mailbox.url),
    messaging: portOf(messaging.url),
    receiver: portOf(receiver.url),
    smtp: mailbox.smtp.port,
    imap: mailbox.imap.port,
    identity: portOf(identity.url),
    oauth: portOf(oauth.url),
    control: portOf(control.url),
    neon: portOf(neon.url),
    redis: portOf(redis.url),
    qstash: portOf(qstash.url),
    dns: portOf(dns.url),
    payments: portOf(payments.url),
    network: portOf(network.url),
    chain: chain === null ? 0 : portOf(chain.rpcUrl),
    facilitator: chain === null ? 0 : portOf(chain.part.url),
  };
}

/** What a deployment gets within five minutes: the engine's schedule is armed and runs. */
async function firstHeartbeat({ eventsUrl }: Workerd): Promise<void> {
  if (eventsUrl !== null) await linkToWorkerd(eventsUrl).scheduled("start", new Date());
}
