import { execFile } from "node:child_process";
import * as tls from "node:tls";
import { promisify } from "node:util";
import { ImapFlow } from "imapflow";
import { createTransport } from "nodemailer";
import { createLocalCertificate } from "../../../scripts/stack/certificate.ts";
import {
  type Mailbox,
  type MailboxOptions,
  startMailbox,
} from "../../../scripts/stack/mailbox/mailbox.ts";

export const PASSWORD = "s3cret";
export const SENDER = "ann@kestrel.zz";
export const certificate = createLocalCertificate();

export const startSecureMailbox = (options: Partial<MailboxOptions> = {}): Promise<Mailbox> =>
  startMailbox({ username: "relay", password: PASSWORD, tls: certificate, ...options });

export interface Login {
  user?: string;
  pass?: string;
  accessToken?: string;
  /** Another authority than the stack's. */
  ca?: string;
}

/** The published client, on its own connection. */
export function imapClient(
  { imap }: Pick<Mailbox, "imap">,
  { ca = certificate.ca, ...login }: Login = {},
): ImapFlow {
  const client = new ImapFlow({
    host: imap.host,
    port: imap.port,
    secure: true,
    tls: { ca },
    auth: {
      user: SENDER,
      ...(login.accessToken === undefined ? { pass: PASSWORD } : {}),
      ...login,
    },
    logger: false,
    disableAutoIdle: true,
  });
  // What breaks is told to whoever waits for a command as well.
  client.on("error", () => {});
  return client;
}

/** Opens the mailbox, looks, and leaves. */
export async function withClient<T>(
  mailbox: Mailbox,
  look: (client: ImapFlow) => Promise<T>,
  login?: Login,
): Promise<T> {
  const client = imapClient(mailbox, login);
  await client.connect();
  try {
    return await look(client);
  } finally {
    client.close();
  }
}

/** Somebody writes to a lead as the sender, by SMTP and the sender's own login. */
export async function writeAs(mailbox: Mailbox, from: string, to: string, subject: string) {
  const { host, port } = mailbox.smtp;
  const transport = createTransport({
    host,
    port,
    requireTLS: true,
    tls: { ca: certificate.ca },
    auth: { user: from, pass: PASSWORD },
  });
  await transport.sendMail({ from, to, subject, text: "Hello" });
}

export interface RawImap {
  /** Sends these octets. */
  say(text: string): void;
  /** What came until the pattern was in it, from the end of the last answer on. */
  until(pattern: RegExp): Promise<string>;
  /** What came until the server closed. */
  end(): Promise<string>;
  close(): void;
}

/** A connection without a client's opinion. */
export async function rawImap({ imap }: Mailbox): Promise<RawImap> {
  const socket = tls.connect({ host: imap.host, port: imap.port, ca: certificate.ca });
  let heard = "";
  let ended = false;
  let wake = () => {};
  socket.on("data", (bytes: Buffer) => {
    heard += bytes.toString("latin1");
    wake();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    ended = true;
    wake();
  });
  const more = () => new Promise<void>((resolve) => (wake = resolve));
  return {
    say: (text) => void socket.write(text, "latin1"),
    async until(pattern) {
      for (;;) {
        const match = pattern.exec(heard);
        if (match !== null) {
          const answer = heard.slice(0, match.index + match[0].length);
          heard = heard.slice(answer.length);
          return answer;
        }
        if (ended) throw new Error(`closed after: ${heard}`);
        await more();
      }
    },
    async end() {
      while (!ended) await more();
      return heard;
    },
    close: () => socket.destroy(),
  };
}

/** The same, logged in. */
export async function rawLogin(mailbox: Mailbox): Promise<RawImap> {
  const raw = await rawImap(mailbox);
  raw.say(`a LOGIN ${SENDER} ${PASSWORD}\r\n`);
  await raw.until(/a OK[^\n]*\n/);
  return raw;
}

/** What the program prints; the servers of this process answer meanwhile. */
export async function runPython(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)("python3", ["-c", program]);
  return stdout;
}
