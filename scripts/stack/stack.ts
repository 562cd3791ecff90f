import * as path from "node:path";
import { migrate } from "../apply-migrations.ts";
import { rootFolder } from "../command.ts";
import { buildConsole } from "../console/build.ts";
import { readWrangler } from "../deploy/settings.ts";
import { startAssets } from "./assets.ts";
import { joinLinks } from "./cells/joined-link.ts";
import { createLocalCertificate } from "./certificate.ts";
import { startChain } from "./chain/chain.ts";
import { createStackClock } from "./clock.ts";
import { startControl } from "./control.ts";
import { type DnsPart, startDns } from "./dns.ts";
import { startPostmaster } from "./postmaster/postmaster.ts";
import { startGoogle } from "./google/google.ts";
import { startFarm } from "./farm.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { startIdentity } from "./identity/identity.ts";
import { emptyFolder, keptIn } from "./kept-files.ts";
import { startMailbox } from "./mailbox/mailbox.ts";
import { createMailRoutes } from "./mail-routes.ts";
import { startMessaging } from "./messaging/messaging.ts";
import { startReceiver } from "./receiver/receiver.ts";
import { startModel } from "./model/model.ts";
import { startNeonGateway } from "./neon.ts";
import { startNetwork } from "./network/network.ts";
import { startOauth } from "./oauth/oauth.ts";
import type { Part } from "./part.ts";
import { startPayments } from "./payments/payments.ts";
import { choosePort } from "./ports.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { startQstash } from "./qstash.ts";
import { readNextUpkeep } from "./next-upkeep.ts";
import { startQueues } from "./queues.ts";
import { createQuiet } from "./quiet.ts";
import { startSearch } from "./search.ts";
import type { Stack, StackOptions } from "./stack-parts.ts";
import { startUpstash } from "./upstash.ts";
import { joinNames, startWeb } from "./web/web.ts";
import {
  GOOGLE_ACCOUNT,
  INBOUND_MX,
  OAUTH_CLIENT_ID,
  OIDC_CLIENT_ID,
  REPORTS_DOMAIN,
  workerEnvOf,
} from "./worker-env.ts";
import type { WorkerLink } from "./worker-link.ts";

const DATABASE = "overture";
const SMTP_USERNAME = "overture";
/** An app that a tenant may bring. */
const TENANTS_APP = { id: "my-own-app", secret: "my-own-secret" };

/** Starts every part of the local stack in this process. What was started is stopped again if a later part fails. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { secrets, ports = {}, onProgress = () => {} } = options;
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  const kept = keptIn(options.stateFolder);
  const stateFile = (name: string) => kept("stateFile", name);

  async function start<Started extends { close(): Promise<unknown> }>(
    name: string,
    launch: () => Promise<Started>,
  ): Promise<Started> {
    const startedAt = performance.now();
    const started = await launch();
    closers.push(() => started.close());
    onProgress(`${name.padEnd(10)} ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
    return started;
  }

  try {
    let worker: WorkerLink | null = null;
    let cell: WorkerLink | null = null;
    let routed: WorkerLink["email"] | null = null;
    const databases: string[] = [];
    /** All Workers that are there as one, for the clock and cron. */
    const joined = () => {
      const [first, ...others] = [worker, cell].flatMap((link) => link ?? []);
      return first === undefined ? null : joinLinks([first, ...others], routed);
    };
    let messagingUrl: string | null = null;
    let zones: DnsPart["zones"] | null = null;
    const parts: Part[] = [];
    const quiet = createQuiet(() => clock.isMoving());
    const clock = createStackClock({ onChange: quiet.end });
    const control = await start("control", async () =>
      startControl({ port: await choosePort(ports.control), clock, parts: () => parts }),
    );
    const chainStarting = startChain({
      rpc: await choosePort(ports.chain),
      facilitator: await choosePort(ports.facilitator),
    });
    chainStarting.catch(() => {});
    closers.push(async () => (await chainStarting.catch(() => null))?.close());
    const postgres = await start("postgres", () =>
      startPostgres({
        databaseUrl: options.databaseUrl,
        instance: options.instance,
        durable: options.durable,
        fresh: options.fresh ?? false,
        onProgress,
      }),
    );
    // Not before the claim, or it could be the state of another start that is under way.
    if (options.fresh && options.stateFolder !== undefined) emptyFolder(options.stateFolder);
    const databaseUrl = options.databaseUrl ?? (await ensureDatabase(postgres));
    const migrations = await migrate(databaseUrl);
    const neon = await start("neon", async () =>
      startNeonGateway({ port: await choosePort(ports.neon), postgres }),
    );
    const redis = await start("redis", async () =>
      startUpstash({ port: await choosePort(ports.redis), token: secrets.redisToken }),
    );
    const qstash = await start("qstash", async () =>
      startQstash({
        port: await choosePort(ports.qstash),
        token: secrets.qstashToken,
        currentSigningKey: secrets.qstashCurrentSigningKey,
        nextSigningKey: secrets.qstashNextSigningKey,
        quiet,
        ...stateFile("qstash.jsonl"),
      }),
    );
    // Kept messages that fell due meanwhile wait for the Worker.
    qstash.pause();
    const { producer, consumer } = readQueue();
    const queues = await start("queues", () =>
      startQueues({
        settings: consumer,
        async deliver(batch) {
          if (worker === null) throw new Error("The Worker is not running.");
          // What it writes may make something due.
          quiet.end();
          return worker.queue(batch);
        },
        ...stateFile("queues.jsonl"),
      }),
    );
    const certificate = createLocalCertificate();
    const oauth = await start("oauth", async () =>
      startOauth({
        port: await choosePort(ports.oauth),
        clients: [{ id: OAUTH_CLIENT_ID, secret: secrets.mailOauthClientSecret }, TENANTS_APP],
        ...stateFile("oauth.jsonl"),
      }),
    );
    const identity = await start("identity", async () =>
      startIdentity({
        port: await choosePort(ports.identity),
        key: secrets.identityKey,
        clients: [{ id: OIDC_CLIENT_ID, secret: secrets.oidcClientSecret }],
      }),
    );
    const mailbox = await start("mailbox", async () =>
      startMailbox({
        httpPort: await choosePort(ports.mailbox),
        smtpPort: await choosePort(ports.smtp),
        imapPort: await choosePort(ports.imap),
        username: SMTP_USERNAME,
        password: secrets.smtpPassword,
        acceptsToken: oauth.acceptsToken,
        tls: { key: certificate.key, cert: certificate.cert },
        advance: async (seconds) => void (await clock.advance(seconds * 1000)),
        async deliver(mail) {
          const link = joined();
          if (link === null) throw new Error("The Worker is not running.");
          await link.email(mail);
        },
        isRouted: createMailRoutes(INBOUND_MX, REPORTS_DOMAIN, () => zones?.records() ?? []),
        messagingUrl: () => messagingUrl,
        ...stateFile("mailbox.jsonl"),
        ...kept("boxesFile", "mailboxes.jsonl"),
      }),
    );
    const messaging = await start("messaging", async () =>
      startMessaging({
        port: await choosePort(ports.messaging),
        accessToken: secrets.whatsappAccessToken,
        appSecret: secrets.whatsappAppSecret,
        verifyToken: secrets.whatsappVerifyToken,
        mailboxUrl: mailbox.url,
        ...stateFile("messaging.jsonl"),
      }),
    );
    messagingUrl = messaging.url;
    const receiver = await start("receiver", async () =>
      startReceiver({ port: await choosePort(ports.receiver) }),
    );
    const farm = await start("farm", () => startFarm());
    const web = await start("web", () => startWeb());
    const dns = await start("dns", async () =>
      startDns({
        port: await choosePort(ports.dns),
        names: joinNames(farm.names, web.names),
        ...kept("folder", "zones"),
      }),
    );
    zones = dns.zones;
    const payments = await start("payments", async () =>
      startPayments({
        port: await choosePort(ports.payments),
        secretKey: secrets.stripeSecretKey,
        webhookSecret: secrets.stripeWebhookSecret,
        ...stateFile("payments.jsonl"),
      }),
    );
    const network = await start("network", async () =>
      startNetwork({
        port: await choosePort(ports.network),
        apiKey: secrets.unipileApiKey,
        ...stateFile("network.jsonl"),
      }),
    );
    const google = await start("google", () =>
      startGoogle({
        account: { email: GOOGLE_ACCOUNT, privateKey: secrets.googleServiceAccountKey },
        ...kept("folder", "sheets"),
      }),
    );
    const postmaster = await start("postmaster", () => startPostmaster({ grants: oauth.grants }));
    const chain = await chainStarting;
    if (chain === null)
      onProgress("chain      none: no anvil for this machine (ANVIL_PATH); no calls are sold");
    const search = await start("search", () => startSearch({ more: web.pressPages }));
    const model = await start("model", () => startModel());
    let lastMailAt = new Date();
    mailbox.boxes.watch(() => void (lastMailAt = new Date()));
    const heartbeat = startHeartbeat({
      cron: "*/5 * * * *",
      everyMs: 300_000,
      quiet,
      async nextUpkeepAt(now, ranAt) {
        const since = { ranAt, imapPort: mailbox.imap.port, lastMailAt };
        const all = await Promise.all(
          [databaseUrl, ...databases].map((url) => readNextUpkeep(url, now, since)),
        );
        return new Date(Math.min(...all.map((at) => at.getTime())));
      },
      queueUp: qstash.catchUp,
      run: async (cron, at) => joined()?.scheduled(cron, at),
    });
    closers.push(() => heartbeat.close());
    const assets = await start("assets", async () => {
      await buildConsole();
      return startAssets(path.join(rootFolder, "public"));
    });

    for (const part of [qstash, queues, payments, heartbeat, messaging, network]) clock.watch(part);
    parts.push(
      ...[
        neon,
        redis,
        qstash,
        queues,
        mailbox,
        identity,
        oauth,
        messaging,
        receiver,
        dns,
        payments,
      ],
      ...[network, google, postmaster, farm, search, web, model, heartbeat],
    );
    if (chain !== null) parts.push(chain.part);
    const started = {
      ...{ databaseUrl, neon, redis, qstash, mailbox, identity, oauth, messaging, dns, payments },
      ...{ network, google, postmaster, chain, farm, search, web, model },
    };
    return {
      ...started,
      ...{ clock, control, postgres, migrations, queues, receiver, heartbeat, assets },
      hitQueue: { binding: producer.binding, address: new URL(queues.url).host },
      parts,
      caCertificates: [certificate.ca, farm.ca],
      workerEnv: (publicBaseUrl) => workerEnvOf(started, secrets, publicBaseUrl),
      async attachWorker(link) {
        worker = link;
        await clock.attach(joined());
        if (link === null) return queues.pause();
        qstash.resume();
        queues.resume();
      },
      async attachCell(link) {
        cell = link;
        await clock.attach(joined());
      },
      routeMail(email) {
        routed = email;
      },
      watchDatabase: (url) => void databases.push(url),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The deployment's own settings, so that both run the same. */
function readQueue() {
  const { hitQueue } = readWrangler();
  if (hitQueue === null) throw new Error("wrangler.toml binds no queue of opens and clicks");
  return hitQueue;
}

async function ensureDatabase(postgres: Postgres): Promise<string> {
  if (!(await postgres.databaseExists(DATABASE))) await postgres.createDatabase(DATABASE);
  return postgres.urlFor(DATABASE);
}
