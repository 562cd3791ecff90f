/** The owner of a mailbox and the people who write to it: all that is no part of the service under test. */
import * as fs from "node:fs";
import * as path from "node:path";
import { ImapFlow } from "imapflow";
import { createTransport, type SendMailOptions } from "nodemailer";
import type pg from "pg";
import type { Servers } from "./setting.ts";

export interface Login {
  user: string;
  pass: string;
}

/** Hands a mail to Postfix as a person's program does; answers its message ID. */
export async function submit(servers: Servers, auth: Login, mail: SendMailOptions) {
  const { host, port } = servers.postfix.smtp;
  const tls = { ca: servers.ca };
  const transport = createTransport({ host, port, requireTLS: true, tls, auth });
  const { messageId } = await transport.sendMail(mail);
  return messageId;
}

async function inInbox<T>(
  { dovecot, ca }: Servers,
  auth: Login,
  { readOnly }: { readOnly: boolean },
  act: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const client = new ImapFlow({ ...dovecot.imap, secure: true, tls: { ca }, auth, logger: false });
  await client.connect();
  try {
    await client.mailboxOpen("INBOX", { readOnly });
    return await act(client);
  } finally {
    await client.logout();
  }
}

/** As the owner reads a mail and puts a star on it. */
export const readAndStar = (servers: Servers, auth: Login, uid: number) =>
  inInbox(servers, auth, { readOnly: false }, (client) =>
    client.messageFlagsAdd([uid], ["\\Seen", "\\Flagged"], { uid: true }),
  );

/** Every message's flags, what the server counts, and the names of the files, in which flags and newness stand too. */
export async function stateOfInbox(servers: Servers, auth: Login) {
  const files = ["new", "cur"].flatMap((name) =>
    fs.readdirSync(path.join(servers.dovecot.maildir(auth.user), name)).map((file) => name + file),
  );
  return inInbox(servers, auth, { readOnly: true }, async (client) => {
    const fetched = await client.fetchAll("1:*", { uid: true, flags: true, size: true });
    const messages = fetched.map(({ uid, flags, size }) => ({
      uid,
      size,
      flags: [...(flags ?? [])].toSorted(),
    }));
    const wanted = { messages: true, recent: true, unseen: true, uidNext: true } as const;
    const counts = await client.status("INBOX", wanted);
    return { messages, counts, files: files.toSorted() };
  });
}

/** Tables of which a row holds one of the words, as text or as bytes. */
export async function tablesHolding(sql: pg.Pool, words: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
     order by name`,
  );
  const spellings = words.flatMap((word) => [word, Buffer.from(word).toString("hex")]);
  const holding: string[] = [];
  for (const { name } of rows) {
    const found = await sql.query(
      `select 1 from ${name} as each where lower(each::text) ~ lower($1) limit 1`,
      [spellings.join("|")],
    );
    if (found.rowCount !== 0) holding.push(name);
  }
  return holding;
}
