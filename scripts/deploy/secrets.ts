import { VARIABLES } from "#src/config.ts";

/** Values that only the Worker and its operator may see. `docs/configuration.md` marks the same ones. */
const SECRETS = new Set([
  "DATABASE_URL",
  "UPSTASH_REDIS_REST_URL",
  "UPSTASH_REDIS_REST_TOKEN",
  "QSTASH_TOKEN",
  "QSTASH_CURRENT_SIGNING_KEY",
  "QSTASH_NEXT_SIGNING_KEY",
  "MASTER_KEY",
  "INBOUND_SECRET",
  "TRACKING_SECRET",
  "TRACKING_SECRETS_RETIRED",
  "CELLS_SECRET",
  "JWT_SECRET",
  "OIDC_CLIENT_SECRET",
  "SYSTEM_MAIL_URL",
  "MAIL_OAUTH_GOOGLE_CLIENT_SECRET",
  "MAIL_OAUTH_MICROSOFT_CLIENT_SECRET",
  "MAIL_OAUTH_OTHER_CLIENT_SECRET",
  "PROBER_SECRET",
  "REACHER_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "WHATSAPP_ACCESS_TOKEN",
  "WHATSAPP_APP_SECRET",
  "WHATSAPP_VERIFY_TOKEN",
  "GOOGLE_SERVICE_ACCOUNT_KEY",
  "CDP_API_KEY_ID",
  "CDP_API_KEY_SECRET",
  "X402_RPC_URL",
  "BRAVE_API_KEY",
  "SERPER_API_KEY",
  "MODEL_API_KEY",
  "UNIPILE_API_KEY",
  "UNIPILE_WEBHOOK_SECRET",
]);

/** What is not known is taken for a secret: a name that was mistyped may hold one. */
export const isSecret = (name: string): boolean => SECRETS.has(name) || !VARIABLES.includes(name);
