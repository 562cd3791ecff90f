import type { FetchMessageObject, ImapFlow, SearchObject } from "imapflow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Mailbox } from "../../scripts/stack/mailbox/mailbox.ts";
import {
  imapClient,
  PASSWORD,
  SENDER,
  startSecureMailbox,
} from "../integration/stack/mailbox-imap-setting.ts";
import { canRun, type Servers, startServers } from "./setting.ts";

/** Messages that a reader of mail may trip over, as octets. */
const MESSAGES: [name: string, raw: string][] = [
  ["plain", "From: a@x.zz\r\nTo: b@y.zz\r\nSubject: Hello\r\nMessage-ID: <1@x.zz>\r\n\r\nText\r\n"],
  ["no header but one, no text", "Subject: Nothing\r\n\r\n"],
  ["no subject, no sender", "X-Only: this\r\n\r\nBody"],
  [
    "names of all kinds",
    'From: "Quoted, name" <a@x.zz>, b@y.zz\r\nTo: =?utf-8?q?Gr=C3=BC=C3=9Fe?= <c@z.zz>\r\nCc: d@z.zz (comment)\r\nSubject: =?utf-8?B?5L2g5aW9?=\r\n\r\nText\r\n',
  ],
  [
    "folded fields",
    "From: a@x.zz\r\nSubject: a long\r\n subject that\r\n\tgoes on\r\nReferences: <1@x.zz>\r\n <2@x.zz>\r\nIn-Reply-To: <2@x.zz>\r\n\r\nText\r\n",
  ],
  [
    "parts in parts",
    'From: a@x.zz\r\nSubject: Mixed\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="out"\r\n\r\npreamble\r\n--out\r\nContent-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: text/plain; charset=utf-8\r\n\r\none\r\n--in\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>two</p>\r\n--in--\r\n--out\r\nContent-Type: application/pdf; name="a b.pdf"\r\nContent-Disposition: attachment; filename="a b.pdf"\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <c@x>\r\n\r\nAAAA\r\n--out--\r\nepilogue\r\n',
  ],
  [
    "a delivery report",
    'From: MAILER-DAEMON@x.zz\r\nSubject: Undelivered\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="r"\r\n\r\n--r\r\nContent-Type: text/plain\r\n\r\nNo.\r\n--r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x.zz\r\n\r\nFinal-Recipient: rfc822; b@y.zz\r\nAction: failed\r\nStatus: 5.1.1\r\n--r\r\nContent-Type: message/rfc822\r\n\r\nFrom: me@x.zz\r\nSubject: Hello\r\nMessage-ID: <orig@x.zz>\r\n\r\nOriginal\r\n--r--\r\n',
  ],
  [
    "8-bit text",
    "From: a@x.zz\r\nSubject: Latin\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe\r\n",
  ],
];
const SECTIONS = [
  "header",
  "text",
  "1",
  "1.mime",
  "1.1",
  "1.2",
  "2",
  "2.mime",
  "3",
  "3.header",
  "3.text",
];

let servers: Servers;
let stack: Mailbox;
let clients: { dovecot: ImapFlow; stack: ImapFlow };

describe.runIf(canRun)("the stack's IMAP server answers as Dovecot does", () => {
  beforeAll(async () => {
    servers = await startServers({ [SENDER]: PASSWORD });
    stack = await startSecureMailbox();
    const dovecot = imapClient(
      { imap: { ...servers.dovecot.imap, security: "tls" } },
      { ca: servers.ca },
    );
    await dovecot.connect();
    for (const [index, [, raw]] of MESSAGES.entries()) {
      const bytes = Buffer.from(raw, "latin1");
      const at = new Date(Date.UTC(2026, 0, 1 + index, 12));
      const flags = index % 2 === 0 ? ["\\Seen"] : [];
      await dovecot.append("INBOX", bytes, flags, at);
      stack.boxes.put(SENDER, bytes, { at, flags });
    }
    clients = { dovecot, stack: imapClient(stack) };
    await clients.stack.connect();
    await dovecot.mailboxOpen("INBOX", { readOnly: true });
    await clients.stack.mailboxOpen("INBOX", { readOnly: true });
  });
  afterAll(async () => {
    clients?.dovecot.close();
    clients?.stack.close();
    await stack?.close();
    await servers?.close();
  });

  const both = async <T>(
    ask: (client: ImapFlow) => Promise<T>,
  ): Promise<[stack: T, dovecot: T]> => [await ask(clients.stack), await ask(clients.dovecot)];

  /** What does not depend on a server's own numbers; of a part that is not there one says NIL, the other nothing, and one leaves a multipart within another the line break of the delimiter after it. */
  const shown = (message: FetchMessageObject) => ({
    envelope: message.envelope,
    structure: partsOf(message.bodyStructure),
    headers: message.headers?.toString("latin1"),
    source: message.source?.toString("latin1"),
    size: message.size,
    at: message.internalDate,
    flags: [...(message.flags ?? [])].filter((flag) => flag !== "\\Recent"),
    parts: [...(message.bodyParts ?? [])].map(([name, part]) => [
      name,
      part ? part.toString("latin1").replace(/\r\n$/, "") : "",
    ]),
  });

  test.each(MESSAGES.map(([name], index) => [name, index + 1] as const))(
    "about a message: %s",
    async (_, number) => {
      const [ours, theirs] = await both(async (client) => {
        const found = await client.fetchOne(String(number), {
          envelope: true,
          bodyStructure: true,
          headers: ["subject", "from", "message-id", "references", "x-absent"],
          source: true,
          size: true,
          internalDate: true,
          flags: true,
          bodyParts: SECTIONS,
        });
        if (found === false) throw new Error("not found");
        return shown(found);
      });
      expect(ours).toEqual(theirs);
    },
  );

  test.each<SearchObject>([
    { all: true },
    { seen: false },
    { since: new Date("2026-01-04") },
    { before: new Date("2026-01-04") },
    { on: new Date("2026-01-04") },
    { subject: "hello" },
    { subject: "grüße" },
    { from: "quoted, name" },
    { header: { "message-id": "1@x.zz" } },
    { header: { "in-reply-to": "" } },
    { body: "Original" },
    { larger: 300 },
    { not: { seen: true }, or: [{ subject: "latin" }, { subject: "mixed" }] },
    { seq: "2:4,7" },
    { seq: "3:*" },
  ])("about a search: %j", async (query) => {
    const [ours, theirs] = await both((client) => client.search(query));
    expect(ours).toEqual(theirs);
  });
});

/** Type and size of each part, by its number. */
function partsOf(structure: FetchMessageObject["bodyStructure"]): unknown {
  if (structure === undefined) return undefined;
  const { part, type, size, encoding, parameters, id, disposition, childNodes } = structure;
  return {
    part,
    type,
    size,
    encoding,
    parameters,
    id,
    disposition,
    children: childNodes?.map(partsOf),
  };
}
