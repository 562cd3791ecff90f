import type { Assets } from "./assets.ts";
import type { Chain } from "./chain/chain.ts";
import type { StackClock } from "./clock.ts";
import type { Control } from "./control.ts";
import type { DnsPart } from "./dns.ts";
import type { Farm } from "./farm.ts";
import type { GooglePart } from "./google/google.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { IdentityPart } from "./identity/identity.ts";
import type { Mailbox } from "./mailbox/mailbox.ts";
import type { MessagingPart } from "./messaging/messaging.ts";
import type { ModelPart } from "./model/model.ts";
import type { NeonGateway } from "./neon.ts";
import type { NetworkPart } from "./network/network.ts";
import type { OauthPart } from "./oauth/oauth.ts";
import type { Part } from "./part.ts";
import type { Payments } from "./payments/payments.ts";
import type { Postgres } from "./postgres.ts";
import type { PostmasterPart } from "./postmaster/postmaster.ts";
import type { Qstash } from "./qstash.ts";
import type { Queues } from "./queues.ts";
import type { ReceiverPart } from "./receiver/receiver.ts";
import type { SearchPart } from "./search.ts";
import type { StackSecrets } from "./secrets.ts";
import type { Upstash } from "./upstash.ts";
import type { WebPart } from "./web/web.ts";
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
  /** Gives up what data folder and state folder hold, once the data folder is claimed. */
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
