import { spawnSync } from "node:child_process";
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Mailbox } from "../../../scripts/stack/mailbox/mailbox.ts";
import {
  certificate,
  PASSWORD,
  rawImap,
  rawLogin,
  runPython,
  SENDER,
  startSecureMailbox,
  withClient,
} from "./mailbox-imap-setting.ts";

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startSecureMailbox();
});
beforeEach(() => {
  mailbox.clear();
  mailbox.faults.clear();
});
afterAll(() => mailbox.close());

const put = (subject: string) =>
  mailbox.boxes.put(SENDER, `From: bob@example.zz\r\nSubject: ${subject}\r\n\r\nSecret words.\r\n`);
const open = () => withClient(mailbox, (client) => client.mailboxOpen("INBOX", { readOnly: true }));

describe("faults", () => {
  test("imap_bye ends the connection with a word, once", async () => {
    put("Hello");
    mailbox.faults.order("imap_bye", 1);
    await expect(open()).rejects.toBeInstanceOf(Error);
    expect(await open()).toMatchObject({ exists: 1 });
  });

  test("imap_hang_after_login answers the login, and nothing more", async () => {
    mailbox.faults.order("imap_hang_after_login", 1);
    const raw = await rawLogin(mailbox);
    raw.say("b NOOP\r\n");
    const other = await rawLogin(mailbox);
    other.say("b NOOP\r\n");
    await other.until(/b OK/);
    raw.close();
    expect(await raw.end()).toBe("");
    other.close();
  });

  test("imap_slow makes each answer late, and all come in their order", async () => {
    put("Hello");
    mailbox.faults.order("imap_slow", 1);
    expect(await open()).toMatchObject({ exists: 1 });
  });
});

describe("on the wire", () => {
  test("literals, waited for or not, are arguments like others", async () => {
    const raw = await rawImap(mailbox);
    raw.say(`a LOGIN {${SENDER.length}}\r\n`);
    await raw.until(/\r\n\+ .*\r\n/);
    raw.say(`${SENDER} {${PASSWORD.length}+}\r\n${PASSWORD}\r\n`);
    await raw.until(/a OK/);
    put('A "quoted" subject');
    raw.say('b EXAMINE inbox\r\nc SEARCH SUBJECT {8+}\r\n"quoted"\r\n');
    await raw.until(/\* SEARCH 1\r\nc OK/);
    raw.close();
  });

  test("BODY[] marks as read and says so, BODY.PEEK[] does not, and after EXAMINE neither", async () => {
    const message = put("One");
    const raw = await rawLogin(mailbox);
    raw.say("b EXAMINE INBOX\r\nc FETCH 1 BODY[TEXT]\r\nd SELECT INBOX\r\n");
    raw.say("e FETCH 1 (UID BODY.PEEK[TEXT])\r\n");
    await raw.until(/e OK/);
    expect([...message.flags]).toEqual([]);
    raw.say("f FETCH 1 RFC822.HEADER\r\ng FETCH 1 BODY[TEXT]<0.6>\r\n");
    expect(await raw.until(/g OK/)).toContain(
      "* 1 FETCH (BODY[TEXT]<0> {6}\r\nSecret FLAGS (\\Seen))\r\ng OK",
    );
    expect([...message.flags]).toEqual(["\\Seen"]);
    raw.close();
  });

  test("numbers stay until the client was told, and the last is meant by an asterisk", async () => {
    const raw = await rawLogin(mailbox);
    const first = put("One");
    raw.say("b EXAMINE INBOX\r\n");
    await raw.until(/b OK/);
    const second = put("Two");
    raw.say("c FETCH 1:* UID\r\n");
    expect(await raw.until(/c OK/)).toContain(`* 1 FETCH (UID ${first.uid})\r\n* 2 EXISTS\r\nc OK`);
    raw.say(`d UID FETCH ${second.uid + 100}:* FLAGS\r\n`);
    expect(await raw.until(/d OK/)).toContain(`* 2 FETCH (UID ${second.uid} FLAGS ())`);
    raw.say("e FETCH 3 FLAGS\r\n");
    await raw.until(/e BAD/);
    raw.close();
  });

  test.each([
    ["no command", "\r\n", /\* BAD/],
    ["an unknown command", "b DELETE INBOX\r\n", /b BAD/],
    ["nothing may be deleted", "b EXAMINE INBOX\r\nc EXPUNGE\r\n", /c NO/],
    ["a fetch before a folder is open", "b FETCH 1 FLAGS\r\n", /b BAD/],
    ["an open quote", 'b SELECT "INBOX\r\n', /b BAD/],
    ["deep lists", `b STATUS INBOX ${"(".repeat(30_000)}\r\n`, /b BAD/],
    ["a wildcard without end", `b LIST "" "${"*%a".repeat(20_000)}"\r\n`, /b OK/],
    ["a set of nothing", "b EXAMINE INBOX\r\nc UID FETCH ,, FLAGS\r\n", /c BAD/],
    ["NUL and 8-bit octets", "b SELECT \0\xff\r\n", /b NO/],
    ["a key that is a property of objects", "b EXAMINE INBOX\r\nc SEARCH constructor\r\n", /c BAD/],
    ["an item that is one", "b EXAMINE INBOX\r\nc FETCH 1 constructor\r\n", /c BAD/],
  ])("%s is answered, and the connection goes on", async (_, said, answered) => {
    put("One");
    const raw = await rawLogin(mailbox);
    raw.say(said);
    await raw.until(answered);
    raw.close();
  });

  test("what is endless ends the connection: a line, a literal", async () => {
    for (const said of [
      "b ".padEnd(200_000, "x"),
      "b SELECT {4294967295}\r\n",
      "b X {99999999+}\r\n",
    ]) {
      const raw = await rawLogin(mailbox);
      raw.say(said);
      expect(await raw.end()).toContain("* BYE too long");
    }
  });

  test("three refused logins end the connection", async () => {
    const raw = await rawImap(mailbox);
    raw.say("a AUTHENTICATE constructor\r\n");
    await raw.until(/a NO no such mechanism/);
    for (const tag of ["b", "c", "d"]) raw.say(`${tag} LOGIN ${SENDER} wrong\r\n`);
    expect(await raw.end()).toMatch(/b NO[^]*c NO[^]*d NO[^]*\* BYE/);
  });

  test("the log has who looked where, and no word of a message", async () => {
    put("Secret subject");
    await withClient(mailbox, async (client) => {
      await client.mailboxOpen("INBOX");
      await client.fetchOne("1", { source: true });
    });
    const log = JSON.stringify(mailbox.log.entries());
    expect(log).toContain(`IMAP login of ${SENDER}`);
    expect(log).not.toContain("Secret");
  });
});

test("in many messages one is found by a look at few of them", async () => {
  for (let n = 0; n < 20_000; n += 1) mailbox.boxes.put(SENDER, "Subject: Many\r\n\r\nx\r\n");
  const last = put("Needle");
  let read = 0;
  for (const message of mailbox.boxes.folder(SENDER, "INBOX")!.messages) {
    const { raw } = message;
    Object.defineProperty(message, "raw", { get: () => (++read, raw) });
  }
  await withClient(mailbox, async (client) => {
    await client.mailboxOpen("INBOX", { readOnly: true });
    expect(await client.search({ uid: `${last.uid - 1}:*` }, { uid: true })).toEqual([last.uid]);
    const found = await client.fetchOne(String(last.uid), { source: true }, { uid: true });
    expect(found && found.source?.toString()).toContain("Needle");
  });
  expect(read).toBeLessThan(10);
});

const python = spawnSync("python3", ["--version"]).status === 0;
test.runIf(python)("Python's imaplib reads the same", async () => {
  const { uid } = put("Snake");
  const folder = mkdtempSync(join(tmpdir(), "overture-imap-"));
  const authority = join(folder, "ca.pem");
  writeFileSync(authority, certificate.ca);
  const printed = await runPython(`
import imaplib, ssl
context = ssl.create_default_context(cafile=${JSON.stringify(authority)})
client = imaplib.IMAP4_SSL("localhost", ${mailbox.imap.port}, ssl_context=context)
client.authenticate("PLAIN", lambda _: b"\\0${SENDER}\\0${PASSWORD}")
print(client.select("INBOX", readonly=True)[0], client.uid("SEARCH", "UNSEEN")[1])
print(client.uid("FETCH", "${uid}", "(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1][0][1])
client.close()
client.logout()
`);
  rmSync(folder, { recursive: true });
  expect(printed).toBe(`OK [b'${uid}']\nb'Subject: Snake\\r\\n\\r\\n'\n`);
});
