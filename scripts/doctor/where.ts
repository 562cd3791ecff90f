/** Where a value is found; of those that are missing most often, and of all that are required. */
const WHERE: Record<string, string> = {
  PUBLIC_BASE_URL:
    "Before the first deployment: https://overture.SUBDOMAIN.workers.dev, where SUBDOMAIN is in the Cloudflare dashboard under Workers & Pages, on the right; or a custom domain of your own.",
  DATABASE_URL:
    'console.neon.tech, your project, "Connect", with "Connection pooling" on: postgresql://...-pooler....neon.tech/neondb?sslmode=require',
  UPSTASH_REDIS_REST_URL:
    "console.upstash.com, Redis, your database, REST API: UPSTASH_REDIS_REST_URL",
  UPSTASH_REDIS_REST_TOKEN:
    "console.upstash.com, Redis, your database, REST API: the standard token, not the read-only one",
  QSTASH_URL:
    "console.upstash.com, QStash, with your region chosen: https://qstash.upstash.io is the European one, https://qstash-us-east-1.upstash.io the American",
  QSTASH_TOKEN: "console.upstash.com, QStash, Quickstart: QSTASH_TOKEN",
  QSTASH_CURRENT_SIGNING_KEY: "console.upstash.com, QStash, Signing keys",
  QSTASH_NEXT_SIGNING_KEY: "console.upstash.com, QStash, Signing keys",
  MASTER_KEY: "Make it once and keep a copy elsewhere: openssl rand -base64 32",
  TRACKING_SECRET: "Make it once: openssl rand -base64 32",
  INBOUND_SECRET: "Make it once: openssl rand -base64 32; the relay that posts mail signs with it",
  JWT_ISSUER:
    "Your identity provider's `iss`, letter by letter: Auth0 ends it with a slash, Clerk does not",
  JWT_JWKS_URL: "jwks_uri of the issuer's /.well-known/openid-configuration",
  JWT_SECRET:
    "JWT_JWKS_URL of your identity provider; or, without one, a secret of your own: openssl rand -base64 48",
  JWT_AUDIENCE: "Your identity provider: the API's identifier (Auth0) or the client's id",
  OIDC_CLIENT_ID:
    "Your identity provider: an app for the web with the code flow, and PUBLIC_BASE_URL/api/v1/auth/callback as its redirect URI",
  OIDC_CLIENT_SECRET: "Your identity provider: the same app's secret; none, if it is a public one",
  STRIPE_SECRET_KEY: "dashboard.stripe.com, Developers, API keys",
  STRIPE_WEBHOOK_SECRET: "dashboard.stripe.com, Developers, Webhooks, the endpoint: Signing secret",
  UNIPILE_API_URL: "dashboard.unipile.com: the DSN, with https:// before it",
  UNIPILE_API_KEY: "dashboard.unipile.com, Access tokens",
  UNIPILE_WEBHOOK_SECRET: "Make it once: openssl rand -hex 32",
  WHATSAPP_PHONE_NUMBER_ID: "developers.facebook.com, your app, WhatsApp, API setup",
  WHATSAPP_ACCESS_TOKEN: "business.facebook.com, System users: a token that does not expire",
  WHATSAPP_APP_SECRET: "developers.facebook.com, your app, Settings, Basic",
  MODEL_API_KEY: "the console of whoever serves the model",
  SYSTEM_MAIL_URL:
    "Your relay, at a public host: smtp://user:password@host:587, or smtps:// with port 465",
};

/** What to do about a variable that is missing or wrong. */
export function whereToFind(variable: string): string {
  return WHERE[variable] ?? `docs/configuration.md says what ${variable} is`;
}
