import type { SmtpCredentials } from "./index.ts";

/** Amazon SES, API version 2. */
export interface SesAccount {
  kind: "ses";
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Base URL instead of the region's; the deployment's to set, never the tenant's. */
  endpoint?: string;
}

export interface MailgunAccount {
  kind: "mailgun";
  /** The sending domain as it is named at Mailgun. */
  domain: string;
  region: "us" | "eu";
  /** An account key, or a sending key of the domain. */
  apiKey: string;
  /** Base URL instead of the region's; the deployment's to set, never the tenant's. */
  endpoint?: string;
}

export interface PostmarkAccount {
  kind: "postmark";
  serverToken: string;
  /** Id of the message stream; Postmark takes its default transactional one if absent. */
  messageStream?: string;
}

export interface ResendAccount {
  kind: "resend";
  apiKey: string;
}

/** Accounts whose provider is spoken to over HTTP. */
export type HttpAccount = SesAccount | MailgunAccount;

/** Accounts that are SMTP submission with known settings: see `presets.ts`. */
export type PresetAccount = PostmarkAccount | ResendAccount;

export type MailAccount = ({ kind: "smtp" } & SmtpCredentials) | HttpAccount | PresetAccount;
