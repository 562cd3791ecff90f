import type { SmtpSecurity } from "#src/providers/mail/index.ts";

export type OauthProviderName = "google" | "microsoft" | "other";

/** An app as it is registered with a provider, and where its tokens come from. */
export interface OauthApp {
  provider: OauthProviderName;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
  tokenUrl: string;
  /** Where people consent; null where the app has none configured. */
  authorizeUrl: string | null;
  /** A tenant's, not the deployment's. */
  isOwn: boolean;
  /** A tenant named the token endpoint: it has to be a public host. */
  isForeign: boolean;
}

export interface ConsentQuestion {
  redirectUri: string;
  state: string;
  /** PKCE's (RFC 7636), of which only the hash is told. */
  verifier: string;
  /** The mailbox that is to be connected; empty for none. */
  loginHint: string;
  /** What is to be granted, if not a mailbox. */
  scopes?: string;
}

export interface OauthTokens {
  accessToken: string;
  /** Seconds from now. */
  lifetime: number;
  /** Set where the provider gave one: with a consent, and where it changes it with each renewal. */
  refreshToken?: string;
  /** Whose mailbox it is, where the provider says so; in lower case. */
  identities: string[];
}

/** What a token endpoint answered. `words` are the provider's own, cut, and hold no secret. */
export type TokenAnswer =
  | { kind: "granted"; tokens: OauthTokens }
  /** `error` is OAuth's code (RFC 6749 section 5.2). */
  | { kind: "refused"; error: string; words: string }
  /** No answer, or not one of a token endpoint: it may pass. */
  | { kind: "unavailable"; reason: string }
  /** The endpoint is on a host that the service never connects to. */
  | { kind: "forbidden"; reason: string };

/** OAuth 2.0 as a mailbox's provider speaks it; throws nothing, and one attempt each. */
export interface Oauth {
  /** The deployment's own app; null where it has none. */
  appOf(provider: OauthProviderName): OauthApp | null;
  /** A tenant's app; `tokenUrl` null for the provider's own. Null where the provider's is not known. */
  tenantApp(
    provider: OauthProviderName,
    client: { clientId: string; clientSecret?: string; tokenUrl: string | null },
  ): OauthApp | null;
  consentUrl(app: OauthApp & { authorizeUrl: string }, question: ConsentQuestion): Promise<string>;
  /** The tokens for a code that came back from a consent. */
  redeem(
    app: OauthApp,
    code: string,
    question: Pick<ConsentQuestion, "redirectUri" | "verifier">,
  ): Promise<TokenAnswer>;
  renew(app: OauthApp, refreshToken: string): Promise<TokenAnswer>;
}

/** Where a provider takes mail and keeps it. */
export interface MailHosts {
  smtp: { host: string; port: number; security: SmtpSecurity };
  imap: { host: string; port: number };
  /** Every name of its that a password may have been given for. */
  names: readonly string[];
  /** Every name of its at which a token opens a mailbox. */
  tokens: readonly string[];
  name: string;
}

/**
 * https://developers.google.com/workspace/gmail/imap/imap-smtp,
 * https://support.microsoft.com/office/pop-imap-and-smtp-settings-for-outlook-com-d088b986-291d-42b8-9564-9c414e2aa040
 */
export const MAIL_HOSTS: Record<"google" | "microsoft", MailHosts> = {
  google: {
    smtp: { host: "smtp.gmail.com", port: 465, security: "tls" },
    imap: { host: "imap.gmail.com", port: 993 },
    names: ["smtp.gmail.com", "smtp.googlemail.com"],
    tokens: [
      "smtp.gmail.com",
      "smtp.googlemail.com",
      "smtp-relay.gmail.com",
      "imap.gmail.com",
      "imap.googlemail.com",
    ],
    name: "Google",
  },
  microsoft: {
    smtp: { host: "smtp.office365.com", port: 587, security: "starttls" },
    imap: { host: "outlook.office365.com", port: 993 },
    names: ["smtp.office365.com", "smtp-mail.outlook.com", "outlook.office365.com"],
    tokens: [
      "smtp.office365.com",
      "smtp-mail.outlook.com",
      "outlook.office365.com",
      "imap-mail.outlook.com",
    ],
    name: "Microsoft",
  },
};
