import * as path from "node:path";
import { migrate } from "../apply-migrations.ts";
import { rootFolder } from "../command.ts";
import { buildConsole } from "../console/build.ts";
import { readWrangler } from "../deploy/settings.ts";
import { type Assets, startAssets } from "./assets.ts";
import { joinLinks } from "./cells/joined-link.ts";
import { createLocalCertificate } from "./certificate.ts";
import { type Chain, startChain } from "./chain/chain.ts";
import { MERCHANT } from "./chain/accounts.ts";
import { createStackClock, type StackClock } from "./clock.ts";
import { type Control, startControl } from "./control.ts";
import { type DnsPart, startDns } from "./dns.ts";
import { type PostmasterPart, startPostmaster } from "./postmaster/postmaster.ts";
import { type GooglePart, startGoogle } from "./google/google.ts";
import { type Farm, startFarm } from "./farm.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import { type IdentityPart, startIdentity } from "./identity/identity.ts";
import { type Mailbox, startMailbox } from "./mailbox/mailbox.ts";
import { createMailRoutes } from "./mail-routes.ts";
import { type MessagingPart, startMessaging } from "./messaging/messaging.ts";
import { type ReceiverPart, startReceiver } from "./receiver/receiver.ts";
import { type ModelPart, startModel } from "./model/model.ts";
import { type NeonGateway, startNeonGateway } from "./neon.ts";
import { type NetworkPart, startNetwork } from "./network/network.ts";
import { oauthEnv } from "./oauth/env.ts";
import { type OauthPart, startOauth } from "./oauth/oauth.ts";
import type { Part } from "./part.ts";
import { type Payments, startPayments } from "./payments/payments.ts";
import { choosePort } from "./ports.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { type Qstash, startQstash } from "./qstash.ts";
import { readNextUpkeep } from "./next-upkeep.ts";
import { type Queues, startQueues } from "./queues.ts";
import { createQuiet } from "./quiet.ts";
import { type SearchPart, startSearch } from "./search.ts";
import type { StackSecrets } from "./secrets.ts";
import { startUpstash, type Upstash } from "./upstash.ts";
import { joinNames, startWeb, type WebPart } from "./web/web.ts";
import type { WorkerLink } from "./worker-link.ts";

/** Parts that a person or a stored row may know by their port. */
export type PortName =
  | "api"
  | "main"
  | "big"
  | "mailbox"
  | "smtp"
  | "imap"
  | "oauth"
  | "identity"
  | "control"
  | "neon"
  | "redis"
  | "qstash"
  | "dns"
  | "payments"
  | "messaging"
  | "receiver"
  | "network"
  | "chain"
  | "facilitator";
export type Ports = Partial<Record<PortName, number>>;

export interface StackOptions {
  secrets: StackSecrets;
  /** Postgres and the database in it, if it is not to be started here. */
  databaseUrl?: string | undefined;
  /** Data folder of the Postgres that is started here; a durable one keeps its data. */
  instance: string;
  durable: boolean;
  fresh?: boolean;
  /** Wanted ports; each that is taken gives way to a free one. */
  ports?: Ports;
  /** Where queue, mailbox, payments and network keep what outlives the process; without it they keep nothing. */
  stateFolder?: string;
  onProgress?(line: string): void;
}

export interface Stack {
  clock: StackClock;
  control: Control;
  postgres: Postgres;
  /** The migrated database. */
  databaseUrl: string;
  /** Names of the migrations that this start applied. */
  migrations: string[];
  neon: NeonGateway;
  redis: Upstash;
  qstash: Qstash;
  queues: Queues;
  /** The Worker's binding of the queue of opens and clicks. */
  hitQueue: { binding: string; address: string };
  mailbox: Mailbox;
  /** Where people sign in to the console. */
  identity: IdentityPart;
  /** Where people consent that an app may use their mailbox. */
  oauth: OauthPart;
  messaging: MessagingPart;
  /** Takes the events of webhooks. */
  receiver: ReceiverPart;
  dns: DnsPart;
  payments: Payments;
  /** A professional network behind Unipile's API. */
  network: NetworkPart;
  google: GooglePart;
  postmaster: PostmasterPart;
  /** Null where there is no anvil for this machine: then no calls are sold. */
  chain: Chain | null;
  farm: Farm;
  search: SearchPart;
  web: WebPart;
  /** A composer of letters behind a language model's API. */
  model: ModelPart;
  heartbeat: Heartbeat;
  assets: Assets;
  parts: Part[];
  /** PEM of the authorities behind the certificates of the mailbox and of the farm. */
  caCertificates: string[];
  /** The Worker's bindings; every URL it gives out begins with `publicBaseUrl`. */
  workerEnv(publicBaseUrl: string): Record<string, string>;
  /** From now on the clock moves this Worker along, and cron and inbound mail reach it; null while there is none. */
  attachWorker(worker: WorkerLink | null): Promise<void>;
  /** The same of the Worker of a second cell, whose cron runs with the first one's. */
  attachCell(worker: WorkerLink | null): Promise<void>;
  /** Inbound mail goes there, in the place of the Worker. */
  routeMail(email: WorkerLink["email"]): void;
  /** The heartbeat runs for what falls due in this database too. */
  watchDatabase(url: string): void;
  close(): Promise<void>;
}

const DATABASE = "overture";
const SMTP_USERNAME = "overture";
/** Its mail is the Worker's. */
const INBOUND_MX = "mx.overture.zz";
const REPORTS_DOMAIN = "reports.overture.zz";
/** The console's app at the identity provider. */
const OIDC_CLIENT_ID = "overture-console";
/** The app of the local deployment, at all three providers. */
const OAUTH_CLIENT_ID = "overture-local-stack";
/** An app that a tenant may bring. */
const TENANTS_APP = { id: "my-own-app", secret: "my-own-secret" };
const GOOGLE_ACCOUNT = "overture@local-stack.iam.gserviceaccount.com";

/** Starts every part of the local stack in this process. What was started is stopped again if a later part fails. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { secrets, ports = {}, onProgress = () => {} } = options;
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  const stateFile = (name: string) =>
    options.stateFolder === undefined ? {} : { stateFile: path.join(options.stateFolder, name) };

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
        ...(options.stateFolder === undefined
          ? {}
          : { boxesFile: path.join(options.stateFolder, "mailboxes.jsonl") }),
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
        ...(options.stateFolder === undefined
          ? {}
          : { folder: path.join(options.stateFolder, "zones") }),
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
        ...(options.stateFolder === undefined
          ? {}
          : { folder: path.join(options.stateFolder, "sheets") }),
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
      network,
      google,
      postmaster,
      farm,
      search,
      web,
      model,
      heartbeat,
    );
    if (chain !== null) parts.push(chain.part);
    return {
      clock,
      control,
      postgres,
      databaseUrl,
      migrations,
      neon,
      redis,
      qstash,
      queues,
      hitQueue: { binding: producer.binding, address: new URL(queues.url).host },
      mailbox,
      identity,
      oauth,
      messaging,
      receiver,
      dns,
      payments,
      network,
      google,
      postmaster,
      chain,
      farm,
      search,
      web,
      model,
      heartbeat,
      assets,
      parts,
      caCertificates: [certificate.ca, farm.ca],
      workerEnv: (publicBaseUrl) => ({
        PUBLIC_BASE_URL: publicBaseUrl,
        DATABASE_URL: databaseUrl,
        NEON_LOCAL: new URL(neon.url).host,
        UPSTASH_REDIS_REST_URL: redis.url,
        UPSTASH_REDIS_REST_TOKEN: secrets.redisToken,
        QSTASH_URL: qstash.url,
        QSTASH_TOKEN: secrets.qstashToken,
        QSTASH_CURRENT_SIGNING_KEY: qstash.currentSigningKey,
        QSTASH_NEXT_SIGNING_KEY: qstash.nextSigningKey,
        DNS_RESOLVER_URLS: dns.resolverUrls.join(","),
        DIAL_PORTS: JSON.stringify(farm.ports),
        SITE_PORTS: JSON.stringify({ ...web.ports, ...identity.sites }),
        VERIFIER_EGRESS: "direct",
        ...search.env,
        ...model.env,
        // The farm's hosts are ours: they need not be spared as strangers' are.
        PROBE_INTERVAL_MS: "50",
        PROBE_RECIPIENTS_PER_MINUTE: "0",
        MASTER_KEY: secrets.masterKey,
        TRACKING_SECRET: secrets.trackingSecret,
        INBOUND_SECRET: secrets.inboundSecret,
        INBOUND_MX,
        REPORTS_DOMAIN,
        WHATSAPP_API_BASE: messaging.url,
        WHATSAPP_PHONE_NUMBER_ID: messaging.phoneNumberId,
        WHATSAPP_ACCESS_TOKEN: secrets.whatsappAccessToken,
        WHATSAPP_APP_SECRET: secrets.whatsappAppSecret,
        WHATSAPP_VERIFY_TOKEN: secrets.whatsappVerifyToken,
        UNIPILE_API_URL: network.url,
        UNIPILE_API_KEY: secrets.unipileApiKey,
        UNIPILE_WEBHOOK_SECRET: secrets.unipileWebhookSecret,
        SYSTEM_MAIL_FROM: "Overture <notices@overture.zz>",
        SYSTEM_MAIL_URL: relayUrlOf(mailbox),
        ...oauthEnv(oauth, { id: OAUTH_CLIENT_ID, secret: secrets.mailOauthClientSecret }),
        POSTMASTER_BASE_URL: postmaster.url,
        GOOGLE_SERVICE_ACCOUNT_EMAIL: GOOGLE_ACCOUNT,
        GOOGLE_SERVICE_ACCOUNT_KEY: secrets.googleServiceAccountKey,
        GOOGLE_TOKEN_URL: google.tokenUrl,
        GOOGLE_SHEETS_BASE: google.url,
        GOOGLE_EXPORT_BASE: google.url,
        ...(chain === null
          ? {}
          : {
              X402_FACILITATOR_URL: chain.part.url,
              X402_MERCHANT_ADDRESS: MERCHANT,
              X402_RPC_URL: chain.rpcUrl,
            }),
        ALLOW_LOOPBACK: "true",
        JWT_ISSUER: identity.issuer,
        JWT_JWKS_URL: identity.jwksUrl,
        OIDC_CLIENT_ID,
        OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
        // Who watches the demo stays signed in while it moves the clock by days.
        SESSION_HOURS: "720",
        STRIPE_API_BASE: payments.url,
        STRIPE_SECRET_KEY: secrets.stripeSecretKey,
        STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
      }),
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

function relayUrlOf({ smtp }: Mailbox): string {
  const { host, port, username, password } = smtp;
  return `smtp://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}:${port}`;
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
