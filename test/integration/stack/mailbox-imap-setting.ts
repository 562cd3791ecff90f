import * as tls from "node:tls";
import { createTransport } from "nodemailer";
import { createImapInbox } from "#src/providers/inbox/imap.ts";
import type { InboxAccount, OpenedInbox } from "#src/providers/inbox/index.ts";
import { createLocalCertificate } from "../../../scripts/stack/certificate.ts";
import {
  type Mailbox,
  type MailboxOptions,
  startMailbox,
} from "../../../scripts/stack/mailbox/mailbox.ts";
import { createNodeDial } from "../../../scripts/stack/node-dial.ts";

export const PASSWORD = "s3cret";
export const SENDER = "ann@kestrel.zz";
const certificate = createLocalCertificate();

export const startSecureMailbox = (options: Partial<MailboxOptions> = {}): Promise<Mailbox> =>
  startMailbox({ username: "relay", password: PASSWORD, tls: certificate, ...options });

const open = createImapInbox(createNodeDial({ ca: certificate.ca }));

/** Opens the mailbox as the service does, looks, and leaves. */
export async function withInbox<T>(
  { imap: { host, port } }: Mailbox,
  look: (inbox: OpenedInbox) => Promise<T> | T,
  account: Partial<InboxAccount> = {},
): Promise<T> {
  const login = { password: PASSWORD };
  const inbox = await open({ host, port, username: SENDER, login, folder: "INBOX", ...account });
  try {
    return await look(inbox);
  } finally {
    await inbox.close();
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

/** What the server says to these lines until it is silent for the last one's tag, or closes. */
export function converse({ imap }: Mailbox, ...lines: string[]): Promise<string> {
  const socket = tls.connect({ host: imap.host, port: imap.port, ca: certificate.ca });
  const last = lines.at(-1)?.split(" ")[0] ?? "";
  let heard = "";
  return new Promise((resolve) => {
    socket.on("data", (bytes: Buffer) => {
      heard += bytes.toString("latin1");
      if (new RegExp(`^${last} (OK|NO|BAD)`, "m").test(heard)) socket.end();
    });
    socket.on("close", () => resolve(heard));
    socket.write(lines.map((line) => `${line}\r\n`).join(""), "latin1");
  });
}
