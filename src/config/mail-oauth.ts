import * as z from "zod";
import type { OauthSettings } from "../providers/oauth/code-grant.ts";
import { together, url } from "./fields.ts";

const clientId = z.string().regex(/^[\x21-\x7e]{1,512}$/, "must be an id without spaces");
const clientSecret = z.string().regex(/^[\x21-\x7e]{1,512}$/, "must be a secret without spaces");
const returnHosts = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim().toLowerCase()))
  .pipe(z.array(z.string().regex(/^[a-z0-9.:[\]-]+$/, "must be host names")).max(50));

export const mailOauthVariables = {
  MAIL_OAUTH_GOOGLE_CLIENT_ID: clientId.optional(),
  MAIL_OAUTH_GOOGLE_CLIENT_SECRET: clientSecret.optional(),
  MAIL_OAUTH_GOOGLE_AUTHORIZE_URL: url.default("https://accounts.google.com/o/oauth2/v2/auth"),
  MAIL_OAUTH_GOOGLE_TOKEN_URL: url.default("https://oauth2.googleapis.com/token"),
  MAIL_OAUTH_MICROSOFT_CLIENT_ID: clientId.optional(),
  MAIL_OAUTH_MICROSOFT_CLIENT_SECRET: clientSecret.optional(),
  MAIL_OAUTH_MICROSOFT_AUTHORIZE_URL: url.default(
    "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
  ),
  MAIL_OAUTH_MICROSOFT_TOKEN_URL: url.default(
    "https://login.microsoftonline.com/common/oauth2/v2.0/token",
  ),
  MAIL_OAUTH_OTHER_CLIENT_ID: clientId.optional(),
  MAIL_OAUTH_OTHER_CLIENT_SECRET: clientSecret.optional(),
  MAIL_OAUTH_OTHER_AUTHORIZE_URL: url.optional(),
  MAIL_OAUTH_OTHER_TOKEN_URL: url.optional(),
  MAIL_OAUTH_OTHER_SCOPES: z.string().max(1000).optional(),
  MAIL_OAUTH_RETURN_HOSTS: returnHosts.optional(),
  POSTMASTER_BASE_URL: url.default("https://gmailpostmastertools.googleapis.com"),
};
export const mailOauthChecks = [
  together("MAIL_OAUTH_GOOGLE_CLIENT_ID", "MAIL_OAUTH_GOOGLE_CLIENT_SECRET"),
  together("MAIL_OAUTH_MICROSOFT_CLIENT_ID", "MAIL_OAUTH_MICROSOFT_CLIENT_SECRET"),
  together("MAIL_OAUTH_OTHER_CLIENT_ID", "MAIL_OAUTH_OTHER_CLIENT_SECRET"),
  together("MAIL_OAUTH_OTHER_AUTHORIZE_URL", "MAIL_OAUTH_OTHER_TOKEN_URL"),
];
const variables = z.object(mailOauthVariables);

export interface MailOauthConfig {
  /** With which apps people connect their mailboxes, and where they consent. */
  mailOauth: OauthSettings;
  /** Where people may be sent back to after a consent; null for any http or https URL. */
  mailOauthReturnHosts: string[] | null;
  /** Gmail's figures of domains, which are read by Google's app. */
  postmasterBaseUrl: string;
}

export const readMailOauth = (env: z.output<typeof variables>): MailOauthConfig => ({
  mailOauth: {
    google: {
      client: clientOf(env.MAIL_OAUTH_GOOGLE_CLIENT_ID, env.MAIL_OAUTH_GOOGLE_CLIENT_SECRET),
      authorizeUrl: env.MAIL_OAUTH_GOOGLE_AUTHORIZE_URL,
      tokenUrl: env.MAIL_OAUTH_GOOGLE_TOKEN_URL,
      scopes: null,
    },
    microsoft: {
      client: clientOf(env.MAIL_OAUTH_MICROSOFT_CLIENT_ID, env.MAIL_OAUTH_MICROSOFT_CLIENT_SECRET),
      authorizeUrl: env.MAIL_OAUTH_MICROSOFT_AUTHORIZE_URL,
      tokenUrl: env.MAIL_OAUTH_MICROSOFT_TOKEN_URL,
      scopes: null,
    },
    other: {
      client: clientOf(env.MAIL_OAUTH_OTHER_CLIENT_ID, env.MAIL_OAUTH_OTHER_CLIENT_SECRET),
      authorizeUrl: env.MAIL_OAUTH_OTHER_AUTHORIZE_URL ?? null,
      tokenUrl: env.MAIL_OAUTH_OTHER_TOKEN_URL ?? null,
      scopes: env.MAIL_OAUTH_OTHER_SCOPES ?? null,
    },
  },
  mailOauthReturnHosts: env.MAIL_OAUTH_RETURN_HOSTS ?? null,
  postmasterBaseUrl: env.POSTMASTER_BASE_URL,
});

const clientOf = (id: string | undefined, secret: string | undefined) =>
  id === undefined || secret === undefined ? null : { clientId: id, clientSecret: secret };
