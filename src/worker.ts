import { connect } from "cloudflare:sockets";
import { createApp } from "./app.ts";
import { ConfigError, readConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { createHold } from "./platform/large-bodies.ts";
import type { Platform } from "./platform/index.ts";
import { systemClock, systemRandomBytes } from "./platform/system.ts";
import type { Dial } from "./providers/mail/index.ts";
import { fromWorkersSocket } from "./providers/mail/socket-duplex.ts";
import { createDepsFactory } from "./wiring.ts";

type Env = Record<string, unknown>;

/** The platform's own way to connect. */
export const dialFromWorkers: Dial = async (
  { host, address = host, port, tls, startTlsLater },
  signal,
) => {
  // `connect` verifies what it dialled, an address here; TLS that is started later can name the host.
  const secureTransport = tls || startTlsLater ? "starttls" : "off";
  const hostname = address.includes(":") ? `[${address}]` : address;
  const socket = connect({ hostname, port }, { secureTransport, allowHalfOpen: false });
  const duplex = await fromWorkersSocket(socket, signal, host);
  return tls ? duplex.startTls() : duplex;
};

/** The Worker over a platform; the local entry passes a clock and a dial of its own. */
export function createHandlers(overrides: Partial<Platform> = {}): ExportedHandler<Env> {
  const platform: Platform = {
    fetch: (input, init) => fetch(input, init),
    dial: dialFromWorkers,
    clock: systemClock,
    randomBytes: systemRandomBytes,
    ...overrides,
  };
  type WaitUntil = (work: Promise<unknown>) => void;
  let factory: ((waitUntil: WaitUntil) => Deps) | undefined;
  const depsFor = (env: Env, waitUntil: WaitUntil): Deps => {
    // oxlint-disable-next-line no-console -- Workers write their log there
    factory ??= createDepsFactory(readConfig(env), {
      ...platform,
      writeLog: (line) => console.log(line),
      hitBatches: env["HITS"] as Queue | undefined,
    });
    return factory(waitUntil);
  };
  const app = createApp({
    now: () => platform.clock.now(),
    makeDeps: (env, { waitUntil }) => depsFor(env, waitUntil),
  });
  return {
    fetch: (request, env, context) => app.fetch(request, env, context),
    // Loaded when they are needed, so that no isolate that serves requests waits for them at its start.
    async scheduled(_controller, env, context) {
      const { runMaintenance } = await import("#src/domain/jobs/maintenance.ts");
      await runMaintenance(depsFor(env, (work) => context.waitUntil(work)));
    },
    /** Opens and clicks, a batch at a time. */
    async queue({ messages }, env, context) {
      const { putOff, takeHits } = await import("#src/domain/messages/tracking/take-hits.ts");
      let deps;
      try {
        deps = depsFor(env, (work) => context.waitUntil(work));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        // oxlint-disable-next-line no-console -- there is no log without a configuration
        console.error(error.message);
        // A throw would have them come every ten seconds, and among the dead letters within a quarter of an hour.
        for (const message of messages) putOff(message);
        return;
      }
      await takeHits(deps, messages);
    },
    // A throw is a temporary failure to the mail's sender, which tries again.
    async email(message, env, context) {
      const deps = depsFor(env, (work) => context.waitUntil(work));
      const { receiveMail } = await import("#src/domain/replies/inbound/receive.ts");
      const hold = createHold();
      try {
        hold.grow(message.rawSize);
        const raw = new Uint8Array(await new Response(message.raw).arrayBuffer());
        const { refused } = await receiveMail(deps, raw, { from: message.from, to: message.to });
        if (refused !== undefined) message.setReject(refused);
      } finally {
        hold.release();
      }
      await deps.wake();
    },
  };
}

export default createHandlers();
