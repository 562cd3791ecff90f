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
  /** A name, not an address, where TLS is wanted: it is what the certificate is verified against. */
  host: string;
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
  | { state: "accepted"; reply: string; providerId?: string }
  | {
      state: "rejected";
      code: number;
      enhanced?: string;
      reply: string;
      /** `recipient`: this address; `message`: this content; `sender`: policy, authentication, reputation. */
      scope: "recipient" | "message" | "sender";
      stage: SendStage;
    }
  | {
      state: "deferred";
      code?: number;
      enhanced?: string;
      reply: string;
      /** Whose trouble it is: this address, this sender (limits), or the line and the server. */
      scope: "recipient" | "sender" | "connection";
      stage: SendStage;
      /**
       * Set when the account itself needs its owner (wrong password, no TLS): the reason in plain
       * words. Nothing was sent, and trying again unchanged is pointless.
       */
      accountError?: string;
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
}

export type AccountStage = "connect" | "greeting" | "tls" | "ehlo" | "auth";

/** Result of an account test; no mail is sent. `message` is in plain words, fit for the account's owner. */
export interface AccountReport {
  ok: boolean;
  /** How far it got; `ready` when all went well. */
  stage: AccountStage | "ready";
  message: string;
  /** The server's EHLO keywords, upper case. */
  capabilities: string[];
}

/** Sends finished messages; at most one attempt each, with the one exception `createSmtpPool` names. */
export interface MailTransport {
  send(credentials: SmtpCredentials, message: OutgoingRaw): Promise<SendResult>;
  check(credentials: SmtpCredentials): Promise<AccountReport>;
  close(): Promise<void>;
}
