import type { OauthProviderName } from "./index.ts";

/** How one provider wants to be asked. */
interface Preset {
  /** What the tokens are for: sending, reading, and whose mailbox it is. */
  scopes: string;
  /** What makes it give a refresh token, which it otherwise keeps. */
  parameters: Record<string, string>;
}

/**
 * https://developers.google.com/identity/protocols/oauth2/web-server,
 * https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 */
export const PRESETS: Record<Exclude<OauthProviderName, "other">, Preset> = {
  google: {
    scopes: "https://mail.google.com/ openid email",
    // Without `consent` only the first of all consents comes with a refresh token.
    parameters: { access_type: "offline", prompt: "consent" },
  },
  microsoft: {
    scopes:
      "https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All offline_access openid email",
    parameters: { response_mode: "query" },
  },
};

/**
 * An app of one tenant alone has its own pair of endpoints at Microsoft
 * (https://login.microsoftonline.com/{tenant}/oauth2/v2.0/...), of which the token's tells the other.
 */
export const consentPageOf = (tokenUrl: string): string | null =>
  tokenUrl.endsWith("/oauth2/v2.0/token") ? tokenUrl.replace(/token$/, "authorize") : null;
