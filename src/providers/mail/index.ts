/** A byte stream to a peer, plain or TLS: the port between the protocol code and the runtime's sockets. */
export interface Duplex {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /**
   * Switches to TLS and resolves once the handshake is done; the name that was dialled is the one
   * verified. The caller must have released its reader and writer; this object is dead afterwards.
   */
  startTls(): Promise<Duplex>;
  /** Never rejects and never takes longer than about a second, whatever the peer does. */
  close(): Promise<void>;
}

export interface DialTarget {
  /** What a certificate is verified against: a name, where TLS is wanted. */
  host: string;
  /** Where to connect to instead of looking up the host: an address that was judged (`admitHost`). */
  address?: string;
  port: number;
  /** TLS from the first byte. */
  tls: boolean;
  /** Plain first, with a later `startTls()`; workerd wants to know beforehand. */
  startTlsLater: boolean;
}

/** Opens a connection; rejects when it cannot, or when the signal aborts. */
export type Dial = (target: DialTarget, signal?: AbortSignal) => Promise<Duplex>;

/** A finished message with its envelope. */
export interface OutgoingRaw {
  /** The caller's own id of the message; it does not go on the wire. */
  id: string;
  /** Envelope sender (return path). */
  from: string;
  /** Envelope recipient: exactly one. */
  to: string;
  raw: Uint8Array;
}

/** The step of the transaction in which an answer was given; `local` = refused before anything was said. */
export type SendStage = "local" | "open" | "mail" | "rcpt" | "data" | "final";

export type SendResult =
  | {
      state: "accepted";
      reply: string;
      providerId?: string;
      /** Set when the provider replaced the Message-ID: replies will name this one. */
      messageId?: string;
    }
  | {
      state: "rejected";
      code: number;
      enhanced?: string;
      reply: string;
      /** `recipient`: this address; `message`: this content; `sender`: authentication, reputation; `doubtful`: the codes leave it open. */
      scope: "recipient" | "message" | "sender" | "doubtful";
      stage: SendStage;
    }
  | {
      state: "deferred";
      code?: number;
      enhanced?: string;
      reply: string;
      /** The party at fault: this address, this sender (limits), or connection and server; `doubtful`: the codes leave it open. */
      scope: "recipient" | "sender" | "connection" | "doubtful";
      stage: SendStage;
      /**
       * Set when the account's owner has to act (wrong password, no TLS): the reason in plain
       * words. The message was not sent, and trying again unchanged is pointless.
       */
      accountError?: string;
      /** The access token was refused, and a fresh one may be accepted; the message was not sent. */
      tokenRefused?: true;
    }
  /** The connection was lost, or time ran out, after the final dot: it may have been delivered. */
  | { state: "unknown"; reason: string };

export type SmtpSecurity = "tls" | "starttls" | "none";

export interface SmtpCredentials {
  host: string;
  port: number;
  security: SmtpSecurity;
  username?: string;
  password?: string;
  /** In the place of a password (SASL XOAUTH2, OAUTHBEARER). */
  accessToken?: string;
}

/** Amazon SES, API version 2. */
export interface SesAccount {
  kind: "ses";
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Base URL instead of the region's; the deployment's to set, never the tenant's. */
  endpoint?: string;
}

/** The Message-ID that recipients see, of SES's own id: in its first region the host is named otherwise. */
export const sesMessageId = (region: string, id: string): string =>
  `${id}@${region === "us-east-1" ? "email" : region}.amazonses.com`;

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

/** Accounts of providers with an HTTP API. */
export type HttpAccount = SesAccount | MailgunAccount;

/** Accounts that are SMTP submission with known settings: see `presets.ts`. */
export type PresetAccount = PostmarkAccount | ResendAccount;

export type MailAccount = ({ kind: "smtp" } & SmtpCredentials) | HttpAccount | PresetAccount;

/**
 * How a provider changes a finished message. Where it rewrites headers or the
 * whole message, a signature made here would arrive broken; it signs by itself.
 * Where it has a return path of its own, the service's is not used.
 */
export const TRANSPORT_TRAITS: Record<
  MailAccount["kind"],
  { keepsMessage: boolean; takesReturnPath: boolean }
> = {
  smtp: { keepsMessage: true, takesReturnPath: true },
  mailgun: { keepsMessage: true, takesReturnPath: false },
  ses: { keepsMessage: false, takesReturnPath: false },
  postmark: { keepsMessage: false, takesReturnPath: false },
  resend: { keepsMessage: false, takesReturnPath: false },
};

export type AccountStage = "connect" | "greeting" | "tls" | "ehlo" | "auth" | "sender";

/** Result of an account test; no mail is sent. `message` is in plain words, fit for the account's owner. */
export interface AccountReport {
  ok: boolean;
  /** How far it got; `ready` when all went well. */
  stage: AccountStage | "ready";
  message: string;
  /** The server's EHLO keywords, upper case. */
  capabilities: string[];
  /** Whose fault a failed check is: the account's owner has to act (`account`), or connection and server may recover (`line`). */
  fault?: "account" | "line";
  /** The access token was refused, and a fresh one may be taken. */
  tokenRefused?: true;
}

/** Sends finished messages by accounts of one sort; at most one attempt each, with the one exception `createSmtpPool` names. */
export interface Transport<Account> {
  send(account: Account, message: OutgoingRaw): Promise<SendResult>;
  /** Whether the account works and may send as the address `sender`. Sends no mail. */
  check(account: Account, sender: string): Promise<AccountReport>;
  close(): Promise<void>;
}

/** Sends by whatever account an alias has. One per tick: its connections belong to the invocation. */
export type MailTransport = Transport<MailAccount>;
