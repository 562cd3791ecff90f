import { createDb } from "#db/base/client.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";
import { limitsOf } from "./domain/engine/allowance.ts";
import { countWake } from "./domain/engine/idle.ts";
import { noteNetworkTrouble } from "./domain/workspace/health/network.ts";
import { enqueueOutboxReader } from "./domain/workspace/notifications/wake.ts";
import { tellReceivers } from "./domain/workspace/webhooks/wake.ts";
import { PAYMENT_ASSET } from "./domain/billing/wallet/prices.ts";
import { classify } from "./domain/research/verification/classify.ts";
import { createIds } from "./platform/ids.ts";
import { createRecentCounts } from "./platform/recent-counts.ts";
import type { Platform } from "./platform/index.ts";
import { createLog, describeError } from "./platform/log.ts";
import { createSigningKey } from "./platform/signing-key.ts";
import { createDerivedVault, createVault } from "./platform/vault.ts";
import type { Dns } from "./providers/dns/index.ts";
import { createCloudflareQueue, type QueueBinding } from "./providers/batching/cloudflare-queue.ts";
import { createOtherCells } from "./providers/cells/router.ts";
import { createUpstashCache } from "./providers/cache/upstash.ts";
import { createDohDns } from "./providers/dns/doh.ts";
import { createCdpFacilitator } from "./providers/facilitator/cdp.ts";
import { createHttpFacilitator } from "./providers/facilitator/http.ts";
import type { Facilitator } from "./providers/facilitator/index.ts";
import { createJsonRpcChain } from "./providers/facilitator/json-rpc.ts";
import { createJoseIdentity } from "./providers/identity/jose.ts";
import { createOidc } from "./providers/identity/oidc.ts";
import { createImapInbox } from "./providers/inbox/imap.ts";
import { createImapMailbox } from "./providers/inbox/imap-mailbox.ts";
import type { Dial } from "./providers/mail/index.ts";
import { createMailTransport } from "./providers/mail/transports.ts";
import { createWhatsapp } from "./providers/messaging/whatsapp.ts";
import { createWhatsappEvents } from "./providers/messaging/whatsapp-events.ts";
import { createChatModel } from "./providers/model/chat-completions.ts";
import { createGuardedDial } from "./providers/net/guarded-dial.ts";
import { createUnipile } from "./providers/network/unipile.ts";
import { createOauth } from "./providers/oauth/code-grant.ts";
import { createStripePayments } from "./providers/payments/stripe.ts";
import { createMailProbe } from "./providers/probe/egress.ts";
import { createQstashQueue } from "./providers/queue/qstash.ts";
import { createGooglePostmaster } from "./providers/postmaster/google.ts";
import { createGoogleSheets } from "./providers/sheets/google.ts";
import { createSearchEngine } from "./providers/search/engines.ts";
import { BOT_NAME } from "./providers/web/index.ts";
import { createWeb } from "./providers/web/http.ts";
import { createWebhookSender } from "./providers/webhooks/http.ts";

export interface Surroundings extends Platform {
  waitUntil(work: Promise<unknown>): void;
  writeLog(line: string): void;
  /** The queue of opens and clicks, where the deployment binds one. */
  hitBatches?: QueueBinding | undefined;
}

/** Of quotas in one isolate's memory, 1.5 MB of it. */
const MOST_COUNTERS = 10_000;

/** Everything that lives as long as the isolate; `waitUntil` alone belongs to a request. */
export function createDepsFactory(config: Config, platform: Omit<Surroundings, "waitUntil">) {
  const { clock, randomBytes } = platform;
  const now = () => clock.now();
  const log = createLog(platform.writeLog, now);
  for (const { issuer, audience } of config.issuers)
    if (audience === undefined)
      log.info("jwt_audience_not_set", {
        issuer,
        message:
          "JWT_AUDIENCE is not set: a token that the issuer made for any other application logs in here too.",
      });
  const cache = createUpstashCache(config.redis);
  const dns = createDohDns({ fetch: platform.fetch, ...config.dns });
  const inboxDial = () =>
    createGuardedDial(platform.dial, dns, {
      loopback: config.allowLoopback,
      ports: config.inboxes.ports,
    });
  const shared: Omit<Deps, "background" | "wakeOutbox" | "wake"> = {
    db: createDb(config.database),
    cache,
    quotaCounts: createRecentCounts(MOST_COUNTERS),
    queue: createQstashQueue({ ...config.qstash, callbackBaseUrl: config.cellBaseUrl }),
    hitBatches:
      platform.hitBatches === undefined ? null : createCloudflareQueue(platform.hitBatches),
    otherCells:
      config.cell &&
      createOtherCells({
        fetch: platform.fetch,
        baseUrl: config.publicBaseUrl,
        ...config.cell,
      }),
    identity: createJoseIdentity(config.issuers, now),
    oidc: config.oidc && createOidc(config.oidc, { fetch: platform.fetch, now }),
    openMail: () =>
      createMailTransport({
        smtp: {
          dial: createMailDial(config, platform.dial, dns),
          ehloName: config.smtp.ehloName,
          maxConnections: config.smtp.connections,
          maxPerAccount: config.smtp.connections,
        },
        fetch: platform.fetch,
        now,
        endpoints: config.mailEndpoints,
      }),
    readInboxes: () => createImapInbox(inboxDial()),
    searchMailboxes: () => createImapMailbox(inboxDial()),
    oauth: createOauth(config.mailOauth, {
      fetch: platform.fetch,
      dns,
      loopback: config.allowLoopback,
    }),
    postmaster: createGooglePostmaster({
      fetch: platform.fetch,
      baseUrl: config.postmasterBaseUrl,
    }),
    dns,
    payments: config.stripe && createStripePayments(config.stripe, platform.fetch, now),
    messaging:
      config.whatsapp === null
        ? null
        : createWhatsapp({ fetch: platform.fetch, ...config.whatsapp }),
    messagingEvents:
      config.whatsappWebhook === null ? null : createWhatsappEvents(config.whatsappWebhook),
    sheets: createGoogleSheets(config.google, { fetch: platform.fetch, clock }),
    network:
      config.network === null
        ? null
        : createUnipile({
            fetch: platform.fetch,
            ...config.network,
            log,
            now,
            noteTrouble: (failure) => noteNetworkTrouble({ cache }, failure),
          }),
    facilitator: createFacilitator(config, platform),
    chain:
      config.wallet?.rpcUrl == null
        ? null
        : createJsonRpcChain({
            fetch: platform.fetch,
            url: config.wallet.rpcUrl,
            token: PAYMENT_ASSET,
          }),
    model: config.model && createChatModel(config.model, platform.fetch, clock),
    searchEngines: config.searchEngines.map((each) => createSearchEngine(platform.fetch, each)),
    openWeb: webOpener(config, platform.fetch, dns),
    mailProbe: createMailProbe(config.verifier.egress, {
      ...platform,
      dns,
      caller: { ehloName: config.smtp.ehloName, sender: config.verifier.sender },
      loopback: config.allowLoopback,
      readReply: classify,
    }),
    clock,
    ids: createIds(clock, randomBytes),
    vault: createVault(config.masterKey, randomBytes),
    sessionVault: createDerivedVault(config.masterKey, "console sessions", randomBytes),
    receiptKey: createSigningKey(config.masterKey, "receipts of paid calls"),
    log,
    webhooks: createWebhookSender({
      fetch: platform.fetch,
      dns,
      loopback: config.allowLoopback,
      ownHosts: ownHostsOf(config),
    }),
    settings: {
      publicBaseUrl: config.publicBaseUrl,
      cellBaseUrl: config.cellBaseUrl,
      cell: config.cell,
      trackingBaseUrl: config.trackingBaseUrl,
      trackingSecrets: config.trackingSecrets,
      inboundSecret: config.inboundSecret,
      queueKeys: config.qstash,
      tick: {
        ...config.tick,
        limits: limitsOf({ cpuMs: config.tick.cpuMs, calls: config.tick.subrequests }),
      },
      smtp: config.smtp,
      inboxes: config.inboxes,
      verifier: config.verifier,
      messageTextDays: config.messageTextDays,
      campaignMessageDays: config.campaignMessageDays,
      rawMailDays: config.rawMailDays,
      allowLoopback: config.allowLoopback,
      sessionHours: config.sessionHours,
      trackingOnDomains: config.trackingOnDomains,
      purchaseReturnHosts: config.purchaseReturnHosts,
      authorizationServers: config.issuers.flatMap(({ issuer, key }) =>
        key.kind === "jwks" ? [issuer] : [],
      ),
      mailOauthReturnHosts: config.mailOauthReturnHosts,
      spfInclude: config.spfInclude,
      inboundMx: config.inboundMx,
      reportsDomain: config.reportsDomain,
      systemMail: config.systemMail,
      whatsappTemplates: config.whatsappTemplates,
      wallet: config.wallet,
    },
  };
  return (waitUntil: (work: Promise<unknown>) => void): Deps => ({
    ...shared,
    wake: async () => {
      await Promise.all([countWake(shared), tellReceivers(shared)]);
    },
    wakeOutbox: () => waitUntil(enqueueOutboxReader(shared)),
    background: (work) =>
      waitUntil(
        work.catch((error: unknown) => log.error("background_failed", describeError(error))),
      ),
  });
}

function webOpener({ websites, ...config }: Config, fetch: typeof globalThis.fetch, dns: Dns) {
  if (websites === null) return null;
  const userAgent = `${BOT_NAME}/1.0 (+${websites.contactUrl})`;
  const ownHosts = ownHostsOf(config);
  return () => createWeb({ fetch, dns, userAgent, ownHosts });
}

const ownHostsOf = ({
  publicBaseUrl,
  trackingBaseUrl,
}: Pick<Config, "publicBaseUrl" | "trackingBaseUrl">) =>
  [publicBaseUrl, trackingBaseUrl].map((url) => new URL(url).hostname);

/** Exported, as the next one, for scripts that check a deployment from outside. */
export const createMailDial = (config: Config, dial: Dial, dns: Dns): Dial =>
  createGuardedDial(dial, dns, {
    loopback: config.allowLoopback,
    ports: config.smtp.ports,
    ownRelay: config.systemMail?.relay,
  });

export function createFacilitator(
  { wallet }: Config,
  { fetch, clock, randomBytes }: Omit<Surroundings, "waitUntil">,
): Facilitator | null {
  if (wallet === null) return null;
  const { facilitatorUrl: url, cdp } = wallet;
  return cdp === null
    ? createHttpFacilitator({ fetch, url })
    : createCdpFacilitator({ fetch, url, ...cdp, randomBytes, now: () => clock.now() });
}
