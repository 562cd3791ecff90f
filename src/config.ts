import * as z from "zod";
import { type CellConfig, cellChecks, cellVariables, readCell } from "./config/cells.ts";
import { keyOf32Bytes, secret, secrets, url, whole } from "./config/fields.ts";
import { type ModelConfig, modelChecks, modelVariables, readModel } from "./config/model.ts";
import {
  issuerCheck,
  type LoginConfig,
  loginChecks,
  loginVariables,
  readLogin,
} from "./config/login.ts";
import {
  mailOauthChecks,
  type MailOauthConfig,
  mailOauthVariables,
  readMailOauth,
} from "./config/mail-oauth.ts";
import { type MailConfig, mailVariables, readMail } from "./config/mail.ts";
import { type NoticeConfig, noticeChecks, noticeVariables, readNotices } from "./config/notices.ts";
import {
  networkChecks,
  type NetworkConfig,
  networkVariables,
  readNetwork,
} from "./config/network.ts";
import {
  type PurchaseConfig,
  purchaseChecks,
  purchaseVariables,
  readPurchases,
} from "./config/purchases.ts";
import { type ResearchConfig, readResearch, researchVariables } from "./config/research.ts";
import { readSearch, type SearchConfig, searchChecks, searchVariables } from "./config/search.ts";
import { readSheets, type SheetConfig, sheetChecks, sheetVariables } from "./config/sheets.ts";
import { readTick, type TickConfig, tickVariables } from "./config/tick.ts";
import { readWallet, walletChecks, type WalletConfig, walletVariables } from "./config/wallet.ts";
import {
  checkEgress,
  readVerifier,
  type VerifierConfig,
  verifierVariables,
} from "./config/verifier.ts";

/** What has to hold between variables. */
const CHECKS = [
  issuerCheck,
  ...purchaseChecks,
  ...noticeChecks,
  ...sheetChecks,
  ...walletChecks,
  ...searchChecks,
  ...modelChecks,
  ...networkChecks,
  ...mailOauthChecks,
  ...loginChecks,
  ...cellChecks,
];

/** Every variable the service reads, and every default. Documented in docs/configuration.md. */
const environment = z
  .object({
    PUBLIC_BASE_URL: url,
    TRACKING_BASE_URL: url.optional(),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\/[^/]+\/.+/, "must be postgres://user:password@host/database"),
    NEON_LOCAL: z
      .string()
      .regex(/^[^/]+:\d+$/, "must be host:port")
      .optional(),
    UPSTASH_REDIS_REST_URL: url,
    UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
    QSTASH_URL: url.default("https://qstash.upstash.io"),
    QSTASH_TOKEN: z.string().min(1),
    QSTASH_CURRENT_SIGNING_KEY: z.string().min(1),
    QSTASH_NEXT_SIGNING_KEY: z.string().min(1),
    MASTER_KEY: keyOf32Bytes,
    TRACKING_SECRET: secret,
    TRACKING_SECRETS_RETIRED: secrets,
    INBOUND_SECRET: secret.optional(),
    JWT_ISSUER: z.string().min(1),
    JWT_AUDIENCE: z.string().min(1).optional(),
    JWT_SECRET: z.string().min(32, "must be at least 32 characters").optional(),
    JWT_JWKS_URL: url.optional(),
    MESSAGE_TEXT_DAYS: whole(365, 1, 36_500),
    CAMPAIGN_MESSAGE_DAYS: whole(730, 90, 36_500),
    RAW_MAIL_DAYS: whole(90, 0, 36_500),
    ALLOW_LOOPBACK: z.enum(["true", "false"]).default("false"),
    DNS_RESOLVER_URLS: z
      .string()
      .default("https://cloudflare-dns.com/dns-query,https://dns.google/resolve")
      .transform((text) => text.split(",").map((one) => one.trim()))
      .pipe(z.array(url).min(1).max(4)),
    ...tickVariables,
    ...mailVariables,
    ...verifierVariables,
    ...purchaseVariables,
    ...noticeVariables,
    ...sheetVariables,
    ...walletVariables,
    ...searchVariables,
    ...modelVariables,
    ...researchVariables,
    ...networkVariables,
    ...mailOauthVariables,
    ...loginVariables,
    ...cellVariables,
  })
  .superRefine(checkEgress)
  .superRefine(
    (env, context) => {
      for (const { holds, ...fault } of CHECKS)
        if (!holds(env)) context.addIssue({ code: "custom", ...fault });
    },
    // Also where a variable by itself is wrong: every fault is named at once.
    { when: () => true },
  );

/** Their names. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape);

export interface Config
  extends
    TickConfig,
    MailConfig,
    PurchaseConfig,
    NoticeConfig,
    SheetConfig,
    WalletConfig,
    SearchConfig,
    ModelConfig,
    ResearchConfig,
    NetworkConfig,
    MailOauthConfig,
    LoginConfig,
    CellConfig,
    TickConfig {
  publicBaseUrl: string;
  trackingBaseUrl: string;
  database: { url: string; localGateway: string | undefined };
  redis: { url: string; token: string };
  qstash: { url: string; token: string; currentSigningKey: string; nextSigningKey: string };
  masterKey: Uint8Array<ArrayBuffer>;
  /** The first signs; links and addresses that the others signed are still read. */
  trackingSecrets: [string, ...string[]];
  /** Signs mail that a relay posts; null when none does. */
  inboundSecret: string | null;
  verifier: VerifierConfig;
  /** How long the texts of campaign messages are kept. */
  messageTextDays: number;
  /** How long messages of a campaign are kept from when it was over. */
  campaignMessageDays: number;
  rawMailDays: number;
  /** Tenants may name this machine itself: for a local stack alone. */
  allowLoopback: boolean;
  dns: { resolverUrls: string[] };
}

/** Thrown with every fault of the environment at once, each naming its variable. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(
      `The configuration is incomplete or wrong:\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** A blank value is none: where a number is read, it would count as 0, which is "keep nothing" or "no limit". */
const isGiven = (value: unknown): boolean => typeof value !== "string" || value.trim() !== "";

export function readConfig(given: Record<string, unknown>): Config {
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => isGiven(value)));
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message, code }) => {
        const name = path.join(".");
        const missing = code === "invalid_type" && env[name] === undefined;
        return `${name}: ${missing ? "is missing" : message}`;
      }),
    );
  }
  const { data } = parsed;
  const mail = readMail(data);
  return {
    publicBaseUrl: data.PUBLIC_BASE_URL,
    trackingBaseUrl: data.TRACKING_BASE_URL ?? data.PUBLIC_BASE_URL,
    database: { url: data.DATABASE_URL, localGateway: data.NEON_LOCAL },
    redis: { url: data.UPSTASH_REDIS_REST_URL, token: data.UPSTASH_REDIS_REST_TOKEN },
    qstash: {
      url: data.QSTASH_URL,
      token: data.QSTASH_TOKEN,
      currentSigningKey: data.QSTASH_CURRENT_SIGNING_KEY,
      nextSigningKey: data.QSTASH_NEXT_SIGNING_KEY,
    },
    masterKey: data.MASTER_KEY,
    trackingSecrets: [data.TRACKING_SECRET, ...data.TRACKING_SECRETS_RETIRED],
    inboundSecret: data.INBOUND_SECRET ?? null,
    ...readTick(data),
    ...mail,
    verifier: readVerifier(data, mail.smtp.ehloName),
    messageTextDays: data.MESSAGE_TEXT_DAYS,
    campaignMessageDays: data.CAMPAIGN_MESSAGE_DAYS,
    rawMailDays: data.RAW_MAIL_DAYS,
    allowLoopback: data.ALLOW_LOOPBACK === "true",
    dns: { resolverUrls: data.DNS_RESOLVER_URLS },
    ...readSearch(data),
    ...readResearch(data, { publicBaseUrl: data.PUBLIC_BASE_URL }),
    ...readPurchases(data),
    ...readNotices(data),
    ...readSheets(data),
    ...readWallet(data),
    ...readModel(data),
    ...readNetwork(data),
    ...readMailOauth(data),
    ...readLogin(data),
    ...readCell(data, { publicBaseUrl: data.PUBLIC_BASE_URL }),
  };
}
