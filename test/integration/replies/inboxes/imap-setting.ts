import { createImapInbox, type ImapTimeouts } from "#src/providers/inbox/imap.ts";
import type { InboxAccount, OpenedInbox } from "#src/providers/inbox/index.ts";
import { createNodeDial } from "../../../../scripts/stack/node-dial.ts";
import { localhostPem, type Sink, type SinkConnection, startSink } from "../../mail/raw-sink.ts";
import { patience } from "../../../support/patience.ts";

const opened: { close(): Promise<void> }[] = [];

/** Closes every server and inbox of the test. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((each) => each.close()));
}

/** What a server answers to a command of that name, with its tag put in for `TAG`. */
export type Script = Record<
  string,
  (rest: string, connection: SinkConnection) => string[] | void | Promise<string[]>
>;

const USUAL: Script = {
  CAPABILITY: () => ["* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN", "TAG OK done"],
  AUTHENTICATE: () => ["TAG OK welcome"],
  LOGIN: () => ["TAG OK welcome"],
  EXAMINE: () => [
    "* FLAGS (\\Seen)",
    "* 3 EXISTS",
    "* OK [UIDVALIDITY 7] valid",
    "* OK [UIDNEXT 4] next",
    "TAG OK [READ-ONLY] opened",
  ],
  LOGOUT: () => ["* BYE bye", "TAG OK done"],
};

/** A server of IMAP over TLS that says what the script says; `greeting` null says nothing. */
export async function imapSink(
  script: Script = {},
  greeting: string | null = "* OK ready",
): Promise<Sink> {
  const answers = { ...USUAL, ...script };
  const sink = await startSink(async (connection) => {
    connection.startTls();
    if (greeting !== null) connection.say(greeting);
    for (;;) {
      const line = await connection.line();
      if (line === null) return;
      const [, tag = "", name = "", rest = ""] = /^(\S+) ((?:UID )?\S+) ?(.*)$/s.exec(line) ?? [];
      const said = (await answers[name]?.(rest, connection)) ?? [];
      connection.say(...said.map((text) => text.replace(/^TAG/, tag)));
    }
  });
  opened.push(sink);
  return sink;
}

/** Short waits for a server that hangs, and longer than a busy machine holds up one that does not. */
const SHORT: ImapTimeouts = {
  connect: patience(5_000),
  command: patience(1_500),
  total: patience(10_000),
};

export const accountAt = (
  { port }: { port: number },
  more: Partial<InboxAccount> = {},
): InboxAccount => ({
  host: "localhost",
  port,
  username: "me@sender.zz",
  login: { password: "hunter2" },
  folder: "INBOX",
  ...more,
});

export async function openInbox(
  sink: { port: number },
  more: Partial<InboxAccount> = {},
  timeouts: Partial<ImapTimeouts> = {},
): Promise<OpenedInbox> {
  const open = createImapInbox(createNodeDial({ ca: localhostPem }), { ...SHORT, ...timeouts });
  const inbox = await open(accountAt(sink, more));
  opened.push(inbox);
  return inbox;
}
