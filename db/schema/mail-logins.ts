import { pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";
import { mailAliases } from "./mail.ts";

export const OAUTH_PROVIDERS = ["google", "microsoft", "other"] as const;
export type OauthProvider = (typeof OAUTH_PROVIDERS)[number];

/** How an alias logs in to its mailbox by OAuth; a table of its own, so that no list and no send carries the tokens. */
export const mailLogins = pgTable(
  "mail_logins",
  {
    aliasId: uuid("alias_id")
      .primaryKey()
      .references(() => mailAliases.id, { onDelete: "cascade" }),
    provider: text("provider", { enum: OAUTH_PROVIDERS }).notNull(),
    /** Of the tenant's own app; null where the deployment's is used. */
    clientId: text("client_id"),
    /** Sealed by the master key. */
    clientSecret: text("client_secret"),
    tokenUrl: text("token_url"),
    /** Refresh token and access token, sealed as one; null until the mailbox's owner consented. */
    tokens: text("tokens"),
    /** A worker has the access token renewed until then. */
    renewingUntil: instant("renewing_until"),
  },
  (table) => [oneOf("mail_logins_provider", table.provider, OAUTH_PROVIDERS)],
);

/** A consent that a user was sent to the provider to give: one at a time for an alias. */
export const mailConsents = pgTable(
  "mail_consents",
  {
    aliasId: uuid("alias_id")
      .primaryKey()
      .references(() => mailAliases.id, { onDelete: "cascade" }),
    /** SHA-256 (hex) of the `state` that comes back. */
    stateHash: text("state_hash").notNull(),
    provider: text("provider", { enum: OAUTH_PROVIDERS }).notNull(),
    /** PKCE's, sealed by the master key. */
    verifier: text("verifier").notNull(),
    returnUrl: text("return_url"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    oneOf("mail_consents_provider", table.provider, OAUTH_PROVIDERS),
    uniqueIndex("mail_consents_state").on(table.stateHash),
  ],
);
