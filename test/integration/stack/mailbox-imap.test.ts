import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Mailbox } from "../../../scripts/stack/mailbox/mailbox.ts";
import {
  converse,
  PASSWORD,
  SENDER,
  startSecureMailbox,
  withInbox,
  writeAs,
} from "./mailbox-imap-setting.ts";

let mailbox: Mailbox;
const routed: { from: string; to: string; raw: string | Buffer }[] = [];
const TOKENS: Record<string, string> = { [SENDER]: "ya29.token" };

beforeAll(async () => {
  mailbox = await startSecureMailbox({
    acceptsToken: (username, token) => TOKENS[username] === token,
    isRouted: (address) => address.endsWith("@routed.zz"),
    deliver(mail) {
      routed.push(mail);
      return Promise.resolve();
    },
  });
});
beforeEach(() => {
  mailbox.clear();
  mailbox.faults.clear();
  routed.length = 0;
});
afterAll(() => mailbox.close());

const letter = (subject: string, text = "Private words.") =>
  `From: Bob <bob@example.zz>\r\nTo: ${SENDER}\r\nSubject: ${subject}\r\n` +
  `Message-ID: <${subject.replaceAll(" ", "-")}@example.zz>\r\n\r\n${text}\r\n`;
const put = (subject: string, text?: string) => mailbox.boxes.put(SENDER, letter(subject, text));
const api = (path: string, body?: unknown, type = "application/json") =>
  fetch(new URL(path, mailbox.url), {
    ...(body === undefined
      ? {}
      : {
          method: "POST",
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "content-type": type },
        }),
  });

const inbox = () => mailbox.boxes.folder(SENDER, "INBOX")!.messages.map(({ raw }) => raw);

describe("which way mail goes back", () => {
  /** A message of the sender to a lead, and what the lead's button sends back. */
  async function answered(from: string, button: string) {
    await writeAs(mailbox, from, "lead@example.zz", "Offer");
    const [message] = await mailbox.messages({ to: "lead@example.zz" });
    const reply = await api(`/api/messages/${message?.id}/${button}`, {});
    expect(reply.status).toBe(200);
  }

  test.each(["reply", "out-of-office", "bounce", "complain"])(
    "a %s to an address that logs in by itself lies in its INBOX, and is not routed",
    async (button) => {
      await answered(SENDER, button);
      expect(inbox()).toHaveLength(1);
      expect(routed).toEqual([]);
    },
  );

  test("a reply to an address without a mailbox is routed", async () => {
    await writeAs(mailbox, "ann@kestrel.zz", "lead@example.zz", "Offer");
    mailbox.boxes.clear();
    const [message] = await mailbox.messages();
    await api(`/api/messages/${message?.id}/reply`, {});
    expect(routed).toMatchObject([{ from: "lead@example.zz", to: SENDER }]);
    expect(mailbox.boxes.addresses()).toEqual([]);
  });

  test("what is sent to a domain whose mail the service takes is routed, and to no other", async () => {
    await writeAs(mailbox, SENDER, "ann@routed.zz", "Token");
    await writeAs(mailbox, SENDER, "lead@example.zz", "Offer");
    expect(routed.map(({ from, to }) => [from, to])).toEqual([[SENDER, "ann@routed.zz"]]);
    expect(await mailbox.messages()).toHaveLength(2);
  });

  test("the envelope is in the header that the mailbox's provider adds", async () => {
    await answered(SENDER, "bounce");
    const [message] = mailbox.boxes.folder(SENDER, "INBOX")!.messages;
    expect(message?.raw).toMatch(/^Return-Path: <>\r\nDelivered-To: ann@kestrel\.zz\r\nFrom: /);
  });

  test("what one sender writes to another lies in the other's INBOX", async () => {
    mailbox.boxes.open("Carl@Kestrel.zz");
    await writeAs(mailbox, SENDER, "carl@kestrel.zz", "Lunch?");
    expect(mailbox.boxes.folder("carl@kestrel.zz", "INBOX")?.messages).toHaveLength(1);
  });
});

describe("the service's client", () => {
  test("logs in by password, and by an access token that is the mailbox's own", async () => {
    put("Hello");
    const messages = (account: object) => withInbox(mailbox, (opened) => opened.messages, account);
    expect(await messages({})).toBe(1);
    expect(await messages({ login: { accessToken: "ya29.token" } })).toBe(1);
    for (const account of [
      { login: { password: "wrong" } },
      { login: { accessToken: "foreign" } },
      { username: "eve@kestrel.zz", login: { accessToken: "ya29.token" } },
      { username: "relay" },
    ])
      await expect(messages(account)).rejects.toMatchObject({ stage: "login" });
  });

  test("finds by UID and date, and reads headers and text octet for octet", async () => {
    mailbox.boxes.put(SENDER, letter("Old"), { at: new Date("2026-03-01T23:59:59Z") });
    const raw = "From: a@x.zz\r\nSubject: a long\r\n subject\r\nX-Other: x\r\n\r\nGr\xfc\xdfe";
    const at = new Date("2026-03-02T00:00:00Z");
    const { uid } = mailbox.boxes.put(SENDER, Buffer.from(raw, "latin1"), { at });
    const last = put("New");
    await withInbox(mailbox, async (opened) => {
      expect(opened.uidNext).toBe(last.uid + 1);
      expect(await opened.uidsFrom(uid)).toEqual([uid, last.uid]);
      expect(await opened.uidsFrom(last.uid + 1)).toEqual([]);
      expect(await opened.uidsSince(at)).toEqual([uid, last.uid]);
      const [header] = await opened.headers([uid], ["Subject", "X-Absent"]);
      expect(header).toMatchObject({ uid, receivedAt: at });
      expect(Buffer.from(header!.bytes).toString()).toBe("Subject: a long\r\n subject\r\n\r\n");
      const text = async (bytes: number) =>
        Buffer.from((await opened.message(uid, bytes))!).toString("latin1");
      expect(await text(1_000)).toBe(raw);
      expect(await text(10)).toBe(raw.slice(0, 10));
    });
  });

  test("opens folders by their names, whatever alphabet", async () => {
    mailbox.boxes.put(SENDER, letter("Draft"), { folder: "Entwürfe & mehr" });
    const messages = (folder: string) =>
      withInbox(mailbox, (opened) => opened.messages, { folder });
    expect(await messages("Entwürfe & mehr")).toBe(1);
    await expect(messages("Absent")).rejects.toMatchObject({ stage: "folder" });
  });
});

describe("on the wire", () => {
  const auth = `a AUTHENTICATE PLAIN ${btoa(`\0${SENDER}\0${PASSWORD}`)}`;

  test.each([
    "SELECT INBOX",
    'LIST "" "%"',
    "STORE 2 FLAGS (\\Seen)",
    "UID FETCH 2 (BODY[])",
    "UID SEARCH UNSEEN",
    "IDLE",
  ])("%s is not here, is told so, and the connection goes on", async (said) => {
    put("One");
    const heard = await converse(mailbox, auth, 'b EXAMINE "INBOX"', `c ${said}`, "d LOGOUT");
    expect(heard).toMatch(/^c BAD (the local stack does not have|no such (search|fetch) here)/m);
    expect(heard).toMatch(/^d OK/m);
  });

  test("a message is deleted by SELECT, a mark and UID EXPUNGE of it alone, and by nothing less", async () => {
    const [one, two] = [put("One"), put("Two")];
    const mark = (uid: number) => `UID STORE ${uid} +FLAGS.SILENT (\\Deleted)`;
    const heard = await converse(
      mailbox,
      auth,
      'b LIST "" "*"',
      'c EXAMINE "INBOX"',
      `d ${mark(one.uid)}`,
      'e SELECT "INBOX"',
      `f UID EXPUNGE ${two.uid}`,
      `g UID STORE ${one.uid} +FLAGS.SILENT (\\Seen)`,
      `h ${mark(one.uid)}`,
      `i UID EXPUNGE ${one.uid}`,
      'j UID SEARCH HEADER "Message-ID" "<Two@example.zz>"',
      "k LOGOUT",
    );
    expect(heard).toMatch(
      /LIST \(\\HasNoChildren\) "\/" "INBOX"[^]*d NO[^]*f OK[^]*g BAD[^]*h OK[^]*i OK/,
    );
    expect(heard).toContain(`* SEARCH ${two.uid}\r\n`);
    expect(inbox()).toEqual([two.raw]);
  });

  test("three refused logins end the connection, and nothing is read before one", async () => {
    const wrong = `AUTHENTICATE PLAIN ${btoa("\0x\0y")}`;
    const heard = await converse(
      mailbox,
      'a EXAMINE "INBOX"',
      ...["b", "c", "d"].map((tag) => `${tag} ${wrong}`),
      "e CAPABILITY",
    );
    expect(heard).toMatch(/a BAD[^]*b NO[^]*c NO[^]*d NO[^]*\* BYE/);
    expect(heard).not.toContain("e OK");
  });

  test("the log has who looked where, and no word of a message", async () => {
    put("Secret subject");
    await withInbox(mailbox, (opened) => opened.uidsFrom(1));
    const log = JSON.stringify(mailbox.log.entries());
    expect(log).toContain(`IMAP login of ${SENDER}`);
    expect(log).not.toContain("Secret");
  });
});

describe("the mailboxes' API", () => {
  test("puts private mail into a mailbox, written or whole, and shows what lies there", async () => {
    const written = { from: "mum@home.zz", subject: "Sunday", text: "Come at one." };
    expect((await api(`/api/mailboxes/${SENDER}/messages`, written)).status).toBe(201);
    await api(
      `/api/mailboxes/${SENDER}/messages?folder=Family`,
      "Subject: Whole\n\nx\n",
      "message/rfc822",
    );
    expect(inbox()).toEqual([expect.stringContaining("Subject: Sunday\r\n")]);
    expect(await (await api("/api/mailboxes")).json()).toMatchObject([
      {
        address: SENDER,
        folders: [
          { name: "INBOX", messages: 1 },
          { name: "Family", messages: 1 },
        ],
      },
    ]);
    const family = await api(`/api/mailboxes/${SENDER}/messages?folder=Family`);
    expect(await family.json()).toMatchObject([
      { subject: "Whole", raw: "Subject: Whole\r\n\r\nx\r\n" },
    ]);
    expect((await api(`/api/mailboxes/${SENDER}/messages`, { subject: "no sender" })).status).toBe(
      422,
    );
    expect((await api("/api/mailboxes/no-address/messages", written)).status).toBe(422);
    expect((await api("/api/mailboxes/absent@x.zz/messages")).status).toBe(404);
  });
});

test("mailboxes, UIDs and UIDVALIDITY outlive the process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "overture-boxes-"));
  const boxesFile = join(folder, "mailboxes.jsonl");
  const first = await startSecureMailbox({ boxesFile });
  first.boxes.put(SENDER, letter("One"));
  first.boxes.put(SENDER, Buffer.from(letter("Two \xe9"), "latin1"));
  first.boxes.renumber(SENDER, first.boxes.folder(SENDER, "INBOX")!);
  first.boxes.put(SENDER, letter("Three"));
  const kept = first.boxes.folder(SENDER, "INBOX");
  await first.close();
  const second = await startSecureMailbox({ boxesFile });
  expect(second.boxes.folder(SENDER, "INBOX")).toEqual(kept);
  expect(kept?.messages.map(({ uid }) => uid)).toEqual([2, 5, 8]);
  await second.close();
  rmSync(folder, { recursive: true });
});
