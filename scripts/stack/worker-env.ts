import { MERCHANT } from "./chain/accounts.ts";
import type { Mailbox } from "./mailbox/mailbox.ts";
import { oauthEnv } from "./oauth/env.ts";
import type { StackSecrets } from "./secrets.ts";
import type { Stack } from "./stack-parts.ts";

/** Its mail is the Worker's. */
export const INBOUND_MX = "mx.overture.zz";
export const REPORTS_DOMAIN = "reports.overture.zz";
/** The console's app at the identity provider. */
export const OIDC_CLIENT_ID = "overture-console";
/** The app of the local deployment, at all three providers. */
export const OAUTH_CLIENT_ID = "overture-local-stack";
export const GOOGLE_ACCOUNT = "overture@local-stack.iam.gserviceaccount.com";

type Reached = Pick<
  Stack,
  | "databaseUrl"
  | "neon"
  | "redis"
  | "qstash"
  | "mailbox"
  | "identity"
  | "oauth"
  | "messaging"
  | "dns"
  | "payments"
  | "network"
  | "google"
  | "postmaster"
  | "chain"
  | "farm"
  | "search"
  | "web"
  | "model"
>;

/** What `wrangler.toml` and its secrets are to a deployment, of the stack's parts. */
export function workerEnvOf(
  parts: Reached,
  secrets: StackSecrets,
  publicBaseUrl: string,
): Record<string, string> {
  const { databaseUrl, neon, redis, qstash, mailbox, identity, oauth, messaging, dns } = parts;
  const { payments, network, google, postmaster, chain, farm, search, web, model } = parts;
  return {
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
  };
}

function relayUrlOf({ smtp }: Mailbox): string {
  const { host, port, username, password } = smtp;
  return `smtp://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}:${port}`;
}
