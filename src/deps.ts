import type { Db } from "#db/base/client.ts";
import type { Confirms, Role } from "#db/schema/index.ts";
import type { SystemMail } from "./config/relay-url.ts";
import type { WhatsappTemplates } from "./config/notices.ts";
import type { Clock } from "./platform/index.ts";
import type { RecentCounts } from "./platform/recent-counts.ts";
import type { Ids } from "./platform/ids.ts";
import type { Log } from "./platform/log.ts";
import type { SigningKey } from "./platform/signing-key.ts";
import type { Vault } from "./platform/vault.ts";
import type { BatchingQueue } from "./providers/batching/index.ts";
import type { OtherCells } from "./providers/cells/index.ts";
import type { Cache } from "./providers/cache/index.ts";
import type { Dns } from "./providers/dns/index.ts";
import type { Chain, Facilitator } from "./providers/facilitator/index.ts";
import type { IdentityProvider, Oidc } from "./providers/identity/index.ts";
import type { OpenInbox, OpenMailbox } from "./providers/inbox/index.ts";
import type { MailTransport } from "./providers/mail/index.ts";
import type { ChatModel } from "./providers/model/index.ts";
import type { Oauth } from "./providers/oauth/index.ts";
import type { Payments } from "./providers/payments/index.ts";
import type { Messaging, MessagingEvents } from "./providers/messaging/index.ts";
import type { MailProbe } from "./providers/probe/index.ts";
import type { Network } from "./providers/network/index.ts";
import type { Queue } from "./providers/queue/index.ts";
import type { Postmaster } from "./providers/postmaster/index.ts";
import type { Sheets } from "./providers/sheets/index.ts";
import type { SearchEngine } from "./providers/search/index.ts";
import type { ProbeLimits } from "./config/verifier.ts";
import type { Web } from "./providers/web/index.ts";
import type { WebhookSender } from "./providers/webhooks/index.ts";

/** Everything the domain may use, passed as the first argument of each verb. */
export interface Deps {
  db: Db;
  cache: Cache;
  /** What this isolate counted of each quota by itself. */
  quotaCounts: RecentCounts;
  queue: Queue;
  /** Gathers opens and clicks of all isolates; null where the deployment has no such queue. */
  hitBatches: BatchingQueue | null;
  /** Null where this cell stands alone. */
  otherCells: OtherCells | null;
  identity: IdentityProvider;
  /** Where people sign in to the console; null where the deployment names no identity provider. */
  oidc: Oidc | null;
  /** A pool of mail connections. They belong to the invocation that opens them: close it before answering. */
  openMail(): MailTransport;
  /** A reader of inboxes, for one invocation: a host is looked up once. */
  readInboxes(): OpenInbox;
  /** The same for looking single messages up in all of a mailbox. */
  searchMailboxes(): OpenMailbox;
  /** How mailboxes are logged in to by OAuth. */
  oauth: Oauth;
  /** What a large receiver says of domains to their owners. */
  postmaster: Postmaster;
  dns: Dns;
  /** Null where no credits are sold. */
  payments: Payments | null;
  /** Null where the deployment sends no notices to telephones. */
  messaging: Messaging | null;
  /** Null where their provider does not tell us what became of them. */
  messagingEvents: MessagingEvents | null;
  sheets: Sheets;
  /** Null where no accounts of a professional network can be connected. */
  network: Network | null;
  /** Null where no calls are sold to wallets. */
  facilitator: Facilitator | null;
  /** Null where the chain cannot be asked. */
  chain: Chain | null;
  /** In the order in which they are asked; none where none is configured. */
  searchEngines: readonly SearchEngine[];
  /** Null where the deployment has no language model. Work asks it through personalization/ask-model.ts alone. */
  model: ChatModel | null;
  /** A reader of websites, for one piece of research; null where the deployment reads none. */
  openWeb: (() => Web) | null;
  /** Asks mail hosts about addresses; null where the deployment has no way to port 25. */
  mailProbe: MailProbe | null;
  /** Sends events to the receivers that workspaces name. */
  webhooks: WebhookSender;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  /** Seals what browsers keep for us: sessions of the console. */
  sessionVault: Vault;
  /** Signs receipts of paid calls. */
  receiptKey: SigningKey;
  log: Log;
  settings: Settings;
  /**
   * To be called after a commit that can make a lane due or makes events: the next tick then looks into the database, and
   * receivers are told. Never fails.
   */
  wake(): Promise<void>;
  /** To be called after a commit that owes a notice: its reader is asked for. Waits for nothing and never fails. */
  wakeOutbox(): void;
  /** Lets work go on after the answer; its failure is logged. */
  background(work: Promise<unknown>): void;
}

/** The part of the configuration that rules of the domain depend on. */
export interface Settings {
  /** Where callers, vendors and links in mail reach the service. */
  publicBaseUrl: string;
  /** Where the queue reaches this cell: the same, where no router stands before it. */
  cellBaseUrl: string;
  /** What this cell is called behind a router, and what proves the one to the other; null where it stands alone. */
  cell: { name: string; secret: string } | null;
  /** Where links and pixels of sent mail point. */
  trackingBaseUrl: string;
  /** The first signs; what the others signed is still read. */
  trackingSecrets: [string, ...string[]];
  inboundSecret: string | null;
  queueKeys: { currentSigningKey: string; nextSigningKey: string };
  tick: {
    batch: number;
    periodSeconds: number;
    parallelism: number;
    /** What the platform lets one invocation use. */
    limits: { sends: number; calls: number };
  };
  smtp: { connections: number; ehloName: string; ports: number[] };
  inboxes: {
    ports: number[];
    /** How many are read at once, of all workspaces. */
    connections: number;
  };
  verifier: {
    pacing: ProbeLimits;
    doNotProbe: readonly string[];
  };
  /** How long the texts of campaign messages are kept. */
  messageTextDays: number;
  /** How long messages of a campaign are kept from when it was over. */
  campaignMessageDays: number;
  /** How long mail is kept as it was received; 0: not at all. */
  rawMailDays: number;
  /** Tenants may name this machine itself as a host. */
  allowLoopback: boolean;
  /** The longest that a session of the console lasts. */
  sessionHours: number;
  trackingOnDomains: boolean;
  /** Hosts to which customers may be sent back after paying; null for any. */
  purchaseReturnHosts: string[] | null;
  /** Issuers of login tokens whose keys are public, so that others may sign in there too. */
  authorizationServers: string[];
  /** Hosts to which people may be sent back after connecting a mailbox; null for any. */
  mailOauthReturnHosts: string[] | null;
  /** Name that a sending domain's SPF record has to include, if this deployment has one. */
  spfInclude: string | null;
  inboundMx: string | null;
  /** Domain whose mail comes to this service and to which receivers report on DMARC and TLS, if this deployment has one. */
  reportsDomain: string | null;
  /** The sender and the relay of notices by email, if this deployment has any. */
  systemMail: SystemMail | null;
  whatsappTemplates: WhatsappTemplates;
  /** The merchant paid for paid calls, and the seconds that settlement may take beyond the answer; null where none are sold. */
  wallet: { merchant: string; settleMarginSeconds: number } | null;
}

/** The caller: the workspace that scopes every query, and how the caller proved it. */
export interface Principal {
  workspaceId: string;
  userId: string;
  plan: "free" | "paid";
  via: "key" | "jwt";
  /** In that workspace; of a key the role of the member who made it. */
  role: Role;
  /** As events name it: `key:<id>` or `user:<id>`. */
  actor: string;
  /** What a key is limited to, or an agent's login token; null for who may do everything. */
  scopes: readonly string[] | null;
  /** Who confirms what an agent would send for them. */
  confirm: Confirms;
}
