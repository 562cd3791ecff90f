import { z } from "zod";
import { relayUrl, sender, type SystemMail } from "./config-system-mail.ts";
import { fromBase64 } from "./platform/encoding.ts";
import type { IssuerSettings } from "./providers/identity/jose.ts";
import type { StripeSettings } from "./providers/payments/stripe.ts";
import type { GoogleSettings } from "./providers/sheets/google.ts";

const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));
const secret = z.string().min(16, "must be at least 16 characters");
const keyOf32Bytes = z.string().transform((value, context) => {
  const bytes = fromBase64(value);
  if (bytes?.length === 32) return bytes;
  context.addIssue("must be 32 bytes in base64 (openssl rand -base64 32)");
  return z.NEVER;
});
const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const hostName = z
  .string()
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/, "must be a domain name in lower case");

const templateName = z
  .string()
  .regex(/^[a-z0-9_]{1,512}$/, "must be lower-case letters, digits and underscores");

const bothOrNone =
  <Name extends string>(one: Name, other: Name) =>
  (env: Partial<Record<Name, unknown>>) =>
    (env[one] === undefined) === (env[other] === undefined);

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
    INBOUND_SECRET: secret.optional(),
    JWT_ISSUER: z.string().min(1),
    JWT_AUDIENCE: z.string().min(1).optional(),
    JWT_SECRET: z.string().min(32, "must be at least 32 characters").optional(),
    JWT_JWKS_URL: url.optional(),
    TICK_BATCH: whole(50, 1, 200),
    TICK_PERIOD_SECONDS: whole(60, 60, 120),
    TICK_PARALLELISM: whole(200, 1, 5_000),
    TICK_CPU_MS: whole(30_000, 10, 300_000),
    TICK_SUBREQUESTS: whole(1_000, 50, 1_000_000),
    SMTP_CONNECTIONS: whole(5, 1, 5),
    MESSAGE_TEXT_DAYS: whole(365, 1, 36_500),
    SMTP_PORTS: z
      .string()
      .default("25,465,587,2525")
      .transform((text) => text.split(",").map((one) => Number(one.trim())))
      .pipe(z.array(z.int().min(1).max(65_535)).min(1).max(20)),
    ALLOW_LOOPBACK: z.enum(["true", "false"]).default("false"),
    DNS_RESOLVER_URLS: z
      .string()
      .default("https://cloudflare-dns.com/dns-query,https://dns.google/resolve")
      .transform((text) => text.split(",").map((one) => one.trim()))
      .pipe(z.array(url).min(1).max(4)),
    TRACKING_ON_DOMAINS: z.enum(["true", "false"]).default("false"),
    SES_ENDPOINT: url.optional(),
    MAILGUN_ENDPOINT: url.optional(),
    INBOUND_MX: hostName.optional(),
    STRIPE_SECRET_KEY: z.string().min(1).optional(),
    STRIPE_WEBHOOK_SECRET: secret.optional(),
    STRIPE_API_BASE: url
      .refine((value) => new URL(value).pathname === "/", "must have no path")
      .default("https://api.stripe.com"),
    PURCHASE_RETURN_HOSTS: z
      .string()
      .transform((text) => text.split(",").map((one) => one.trim().toLowerCase()))
      .pipe(z.array(z.string().regex(/^[a-z0-9.:[\]-]+$/, "must be host names")).max(50))
      .optional(),
    SPF_INCLUDE: hostName.optional(),
    SYSTEM_MAIL_FROM: sender.optional(),
    SYSTEM_MAIL_URL: relayUrl.optional(),
    GOOGLE_SERVICE_ACCOUNT_EMAIL: z.email().optional(),
    GOOGLE_SERVICE_ACCOUNT_KEY: z
      .string()
      .transform((text) => text.replaceAll("\\n", "\n").replaceAll("\r", "").trim())
      .refine(
        (pem) => /^-----BEGIN PRIVATE KEY-----\n[^-]+-----END PRIVATE KEY-----$/.test(pem),
        "must be the PEM text of a PKCS #8 key (the file's private_key)",
      )
      .optional(),
    GOOGLE_TOKEN_URL: url.default("https://oauth2.googleapis.com/token"),
    GOOGLE_SHEETS_BASE: url.default("https://sheets.googleapis.com"),
    GOOGLE_EXPORT_BASE: url.default("https://docs.google.com"),
    SMTP_EHLO_NAME: z
      .string()
      .regex(/^[A-Za-z0-9.-]+$/)
      .optional(),
    WHATSAPP_PHONE_NUMBER_ID: z
      .string()
      .regex(/^\d{1,32}$/, "must be the number's id, which is digits")
      .optional(),
    WHATSAPP_ACCESS_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{1,1024}$/, "must be a token without spaces")
      .optional(),
    WHATSAPP_API_BASE: url.default("https://graph.facebook.com"),
    WHATSAPP_API_VERSION: z
      .string()
      .regex(/^v\d{1,3}\.\d$/, "must be like v24.0")
      .default("v24.0"),
    WHATSAPP_APP_SECRET: secret.optional(),
    WHATSAPP_VERIFY_TOKEN: secret.optional(),
    WHATSAPP_TEMPLATE_LEAD: templateName.default("overture_lead_event"),
    WHATSAPP_TEMPLATE_DIGEST: templateName.default("overture_digest"),
    WHATSAPP_TEMPLATE_CAMPAIGN: templateName.default("overture_campaign_event"),
    WHATSAPP_TEMPLATE_LANGUAGE: z
      .string()
      .regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, "must be like en or en_US")
      .default("en"),
  })
  .refine((env) => (env.JWT_SECRET === undefined) !== (env.JWT_JWKS_URL === undefined), {
    path: ["JWT_SECRET"],
    message: "set exactly one of JWT_SECRET and JWT_JWKS_URL",
  })
  .refine(bothOrNone("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"), {
    path: ["STRIPE_WEBHOOK_SECRET"],
    message: "set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither",
  })
  .refine(bothOrNone("SYSTEM_MAIL_FROM", "SYSTEM_MAIL_URL"), {
    path: ["SYSTEM_MAIL_URL"],
    message: "set it together with SYSTEM_MAIL_FROM",
  })
  .refine(bothOrNone("WHATSAPP_PHONE_NUMBER_ID", "WHATSAPP_ACCESS_TOKEN"), {
    path: ["WHATSAPP_ACCESS_TOKEN"],
    message: "set it together with WHATSAPP_PHONE_NUMBER_ID",
  })
  .refine(bothOrNone("WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN"), {
    path: ["WHATSAPP_VERIFY_TOKEN"],
    message: "set it together with WHATSAPP_APP_SECRET",
  })
  .refine(bothOrNone("GOOGLE_SERVICE_ACCOUNT_EMAIL", "GOOGLE_SERVICE_ACCOUNT_KEY"), {
    path: ["GOOGLE_SERVICE_ACCOUNT_KEY"],
    message: "set GOOGLE_SERVICE_ACCOUNT_EMAIL and GOOGLE_SERVICE_ACCOUNT_KEY, or neither",
  });

export interface Config {
  publicBaseUrl: string;
  trackingBaseUrl: string;
  database: { url: string; localGateway: string | undefined };
  redis: { url: string; token: string };
  qstash: { url: string; token: string; currentSigningKey: string; nextSigningKey: string };
  masterKey: Uint8Array<ArrayBuffer>;
  trackingSecret: string;
  /** Signs mail that a relay posts; null when none does. */
  inboundSecret: string | null;
  issuers: IssuerSettings[];
  tick: {
    batch: number;
    periodSeconds: number;
    parallelism: number;
    /** What the platform lets one run use. */
    cpuMs: number;
    subrequests: number;
  };
  smtp: { connections: number; ehloName: string; ports: number[] };
  /** How long the texts of campaign messages are kept. */
  messageTextDays: number;
  /** Tenants may name this machine itself: for a local stack alone. */
  allowLoopback: boolean;
  /** Base URLs in the place of the providers' own: a gateway, or a stand-in. */
  mailEndpoints: { ses: string | undefined; mailgun: string | undefined };
  dns: { resolverUrls: string[] };
  google: GoogleSettings;
  /** Links in a domain's mail may go to `link.<domain>`: the deployment answers there, with a certificate. */
  trackingOnDomains: boolean;
  /** Name that every sending domain's SPF record has to include; null where each mailbox's provider has its own. */
  spfInclude: string | null;
  /** Null where no credits are sold. */
  stripe: StripeSettings | null;
  /** Where customers may be sent back to after paying; null for any http or https URL. */
  purchaseReturnHosts: string[] | null;
  /** Mail host that hands bounces to this service; null where none does: then senders are their own return path. */
  inboundMx: string | null;
  /** From whom and by which relay notices go by email; null where they do not. */
  systemMail: SystemMail | null;
  /** Who sends notices by WhatsApp; null where nobody does. */
  whatsapp: {
    phoneNumberId: string;
    accessToken: string;
    apiBase: string;
    apiVersion: string;
  } | null;
  whatsappTemplates: WhatsappTemplates;
  /** What statuses are signed with, and the token that the webhook is registered with; null where none come. */
  whatsappWebhook: { appSecret: string; verifyToken: string } | null;
}

/** Names under which the templates of docs/deploying.md were approved, and the language of all of them. */
export interface WhatsappTemplates {
  /** {{1}} what happened, {{2}} the campaign, {{3}} what was said, {{4}} what to do. */
  lead: string;
  /** {{1}} the campaign, {{2}} how much of what, {{3}} the first of them, {{4}} what to do. */
  digest: string;
  /** {{1}} the campaign, {{2}} what happened, {{3}} what to do. */
  campaign: string;
  language: string;
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

export function readConfig(env: Record<string, unknown>): Config {
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
    trackingSecret: data.TRACKING_SECRET,
    inboundSecret: data.INBOUND_SECRET ?? null,
    issuers: [
      {
        issuer: data.JWT_ISSUER,
        audience: data.JWT_AUDIENCE,
        key:
          data.JWT_SECRET === undefined
            ? { kind: "jwks", url: data.JWT_JWKS_URL! }
            : { kind: "hs256", secret: data.JWT_SECRET },
      },
    ],
    tick: {
      batch: data.TICK_BATCH,
      periodSeconds: data.TICK_PERIOD_SECONDS,
      parallelism: data.TICK_PARALLELISM,
      cpuMs: data.TICK_CPU_MS,
      subrequests: data.TICK_SUBREQUESTS,
    },
    smtp: {
      connections: data.SMTP_CONNECTIONS,
      ehloName: data.SMTP_EHLO_NAME ?? new URL(data.PUBLIC_BASE_URL).hostname,
      ports: data.SMTP_PORTS,
    },
    messageTextDays: data.MESSAGE_TEXT_DAYS,
    allowLoopback: data.ALLOW_LOOPBACK === "true",
    dns: { resolverUrls: data.DNS_RESOLVER_URLS },
    google: {
      account:
        data.GOOGLE_SERVICE_ACCOUNT_EMAIL === undefined
          ? null
          : {
              email: data.GOOGLE_SERVICE_ACCOUNT_EMAIL,
              privateKey: data.GOOGLE_SERVICE_ACCOUNT_KEY!,
            },
      tokenUrl: data.GOOGLE_TOKEN_URL,
      sheetsBase: data.GOOGLE_SHEETS_BASE,
      exportBase: data.GOOGLE_EXPORT_BASE,
    },
    mailEndpoints: { ses: data.SES_ENDPOINT, mailgun: data.MAILGUN_ENDPOINT },
    trackingOnDomains: data.TRACKING_ON_DOMAINS === "true",
    stripe:
      data.STRIPE_SECRET_KEY === undefined
        ? null
        : {
            secretKey: data.STRIPE_SECRET_KEY,
            webhookSecret: data.STRIPE_WEBHOOK_SECRET!,
            base: data.STRIPE_API_BASE,
          },
    purchaseReturnHosts: data.PURCHASE_RETURN_HOSTS ?? null,
    spfInclude: data.SPF_INCLUDE ?? null,
    inboundMx: data.INBOUND_MX ?? null,
    systemMail:
      data.SYSTEM_MAIL_FROM === undefined || data.SYSTEM_MAIL_URL === undefined
        ? null
        : { from: data.SYSTEM_MAIL_FROM, relay: data.SYSTEM_MAIL_URL },
    whatsapp:
      data.WHATSAPP_PHONE_NUMBER_ID === undefined || data.WHATSAPP_ACCESS_TOKEN === undefined
        ? null
        : {
            phoneNumberId: data.WHATSAPP_PHONE_NUMBER_ID,
            accessToken: data.WHATSAPP_ACCESS_TOKEN,
            apiBase: data.WHATSAPP_API_BASE,
            apiVersion: data.WHATSAPP_API_VERSION,
          },
    whatsappWebhook:
      data.WHATSAPP_APP_SECRET === undefined || data.WHATSAPP_VERIFY_TOKEN === undefined
        ? null
        : { appSecret: data.WHATSAPP_APP_SECRET, verifyToken: data.WHATSAPP_VERIFY_TOKEN },
    whatsappTemplates: {
      lead: data.WHATSAPP_TEMPLATE_LEAD,
      digest: data.WHATSAPP_TEMPLATE_DIGEST,
      campaign: data.WHATSAPP_TEMPLATE_CAMPAIGN,
      language: data.WHATSAPP_TEMPLATE_LANGUAGE,
    },
  };
}
