import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Mailbox } from "../../../scripts/stack/mailbox/mailbox.ts";
import { SENDER, startSecureMailbox, withClient, writeAs } from "./mailbox-imap-setting.ts";

let mailbox: Mailbox;
const routed: { from: string; to: string; raw: string }[] = [];
const TOKENS: Record<string, string> = { [SENDER]: "ya29.token" };

beforeAll(async () => {
  mailbox = await startSecureMailbox({
    acceptsToken: (username, token) => TOKENS[username] === token,
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

/** UID and subject of everything in the INBOX, as the client reads it. */
const inbox = () =>
  withClient(mailbox, async (client) => {
    await client.mailboxOpen("INBOX", { readOnly: true });
    const found: string[] = [];
    for await (const { envelope } of client.fetch("1:*", { envelope: true })) {
      found.push(envelope?.subject ?? "");
    }
    return found;
  });

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
      expect(await inbox()).toHaveLength(1);
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

describe("the published client", () => {
  test("logs in by password, and by an access token that is the mailbox's own", async () => {
    put("Hello");
    expect(await inbox()).toEqual(["Hello"]);
    const open = (login: object) =>
      withClient(mailbox, (client) => client.mailboxOpen("INBOX"), login);
    expect(await open({ accessToken: "ya29.token" })).toMatchObject({ exists: 1 });
    for (const login of [
      { pass: "wrong" },
      { accessToken: "foreign" },
      { user: "eve@kestrel.zz", accessToken: "ya29.token" },
      { user: "relay" },
    ]) {
      await expect(open(login)).rejects.toMatchObject({ authenticationFailed: true });
    }
  });

  test("finds by UID, date, header and flag what is there", async () => {
    const at = new Date("2026-03-01T10:00:00Z");
    mailbox.boxes.put(SENDER, letter("Old"), { at, flags: ["\\Seen"] });
    const second = put("Re: Offer");
    const third = put("Grüße");
    await withClient(mailbox, async (client) => {
      await client.mailboxOpen("INBOX", { readOnly: true });
      const uids = (query: object) => client.search(query, { uid: true });
      expect(await uids({ all: true })).toHaveLength(3);
      expect(await uids({ seen: false })).toEqual([second.uid, third.uid]);
      expect(await uids({ since: new Date("2026-03-02") })).toEqual([second.uid, third.uid]);
      expect(await uids({ before: new Date("2026-03-02") })).toHaveLength(1);
      expect(await uids({ uid: `${third.uid}:*` })).toEqual([third.uid]);
      expect(await uids({ uid: `${third.uid + 1}:*` })).toEqual([third.uid]);
      expect(await uids({ header: { "message-id": "Re:-Offer@example.zz" } })).toEqual([
        second.uid,
      ]);
      expect(await uids({ subject: "grüße" })).toEqual([third.uid]);
      expect(await uids({ from: "nobody" })).toEqual([]);
      expect(await uids({ or: [{ subject: "Old" }, { subject: "Offer" }] })).toHaveLength(2);
    });
  });

  test("reads headers, text, parts and pieces, octet for octet", async () => {
    const raw =
      'Content-Type: multipart/mixed; boundary="b"\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n' +
      'From: "Ann, at home" <ann@example.zz>\r\n\r\npreamble\r\n--b\r\n\r\nfirst\r\n' +
      "--b\r\nContent-Type: text/html\r\n\r\n<p>\xfe</p>\r\n--b--\r\n";
    const { uid } = mailbox.boxes.put(SENDER, Buffer.from(raw, "latin1"));
    await withClient(mailbox, async (client) => {
      await client.mailboxOpen("INBOX", { readOnly: true });
      const one = await client.fetchOne(
        String(uid),
        {
          source: true,
          headers: ["subject"],
          bodyStructure: true,
          bodyParts: ["1", "2", "2.mime", "3"],
          envelope: true,
          size: true,
          internalDate: true,
          flags: true,
        },
        { uid: true },
      );
      if (one === false) throw new Error("not found");
      expect(one.source?.toString("latin1")).toBe(raw);
      expect(one.headers?.toString()).toBe("Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\n");
      expect(one.bodyParts?.get("1")?.toString()).toBe("first");
      expect(one.bodyParts?.get("2")?.toString("latin1")).toBe("<p>\xfe</p>");
      expect(one.bodyParts?.get("2.mime")?.toString()).toBe("Content-Type: text/html\r\n\r\n");
      expect(one.bodyParts?.get("3")).toBe(false);
      expect(one.bodyStructure?.childNodes?.map(({ type }) => type)).toEqual([
        "text/plain",
        "text/html",
      ]);
      expect(one.envelope?.subject).toBe("Grüße");
      expect(one.envelope?.from).toEqual([{ name: "Ann, at home", address: "ann@example.zz" }]);
      expect(one.size).toBe(raw.length);
      const piece = await client.fetchOne(
        String(uid),
        { source: { start: 8, maxLength: 4 } },
        { uid: true },
      );
      expect(piece && piece.source?.toString()).toBe(raw.slice(8, 12));
    });
  });

  test("marks as read what it reads, but not what was opened by EXAMINE", async () => {
    const message = put("Hello");
    await withClient(mailbox, async (client) => {
      await client.mailboxOpen("INBOX", { readOnly: true });
      await client.fetchOne("1", { source: true });
      expect(await client.messageFlagsAdd("1", ["\\Seen"]).catch(() => false)).toBe(false);
      expect([...message.flags]).toEqual([]);
      await client.mailboxOpen("INBOX");
      await client.messageFlagsAdd("1", ["\\Seen", "$Later"]);
      expect([...message.flags]).toEqual(["\\Seen", "$Later"]);
      await client.messageFlagsRemove("1", ["\\Seen"]);
      expect([...message.flags]).toEqual(["$Later"]);
    });
  });

  test("sees folders by their names, whatever alphabet, and their counts", async () => {
    put("Hello");
    mailbox.boxes.put(SENDER, letter("Draft"), { folder: "Entwürfe & mehr", flags: ["\\Seen"] });
    await withClient(mailbox, async (client) => {
      expect((await client.list()).map(({ path }) => path)).toEqual(["INBOX", "Entwürfe & mehr"]);
      expect(
        await client.status("Entwürfe & mehr", { messages: true, unseen: true }),
      ).toMatchObject({ messages: 1, unseen: 0 });
      await client.mailboxOpen("Entwürfe & mehr");
      await expect(client.mailboxOpen("Absent")).rejects.toMatchObject({
        serverResponseCode: "NONEXISTENT",
      });
    });
  });

  test("is told of mail that comes while it waits", async () => {
    put("First");
    await withClient(mailbox, async (client) => {
      await client.mailboxOpen("INBOX");
      const told = new Promise((resolve) => client.on("exists", resolve));
      const idle = client.idle();
      put("Second");
      expect(await told).toMatchObject({ count: 2, prevCount: 1 });
      await client.noop();
      await idle;
    });
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
    expect(await inbox()).toEqual(["Sunday"]);
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
      { subject: "Whole", flags: [], raw: "Subject: Whole\r\n\r\nx\r\n" },
    ]);
    expect((await api(`/api/mailboxes/${SENDER}/messages`, { subject: "no sender" })).status).toBe(
      422,
    );
    expect((await api("/api/mailboxes/no-address/messages", written)).status).toBe(422);
    expect((await api("/api/mailboxes/absent@x.zz/messages")).status).toBe(404);
  });
});

test("mailboxes, UIDs, flags and UIDVALIDITY outlive the process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "overture-boxes-"));
  const boxesFile = join(folder, "mailboxes.jsonl");
  const first = await startSecureMailbox({ boxesFile });
  const one = first.boxes.put(SENDER, letter("One"), { flags: ["\\Flagged"] });
  first.boxes.put(SENDER, Buffer.from(letter("Two \xe9"), "latin1"));
  const before = first.boxes.folder(SENDER, "INBOX")!;
  first.boxes.setFlags(SENDER, before, one, ["\\Seen"]);
  first.boxes.renumber(SENDER, before);
  first.boxes.put(SENDER, letter("Three"));
  const kept = first.boxes.folder(SENDER, "INBOX");
  await first.close();
  const second = await startSecureMailbox({ boxesFile });
  expect(second.boxes.folder(SENDER, "INBOX")).toEqual(kept);
  expect(kept?.messages.map(({ uid }) => uid)).toEqual([2, 5, 8]);
  expect(kept?.messages.map(({ flags }) => [...flags])).toEqual([["\\Seen"], [], []]);
  await second.close();
  rmSync(folder, { recursive: true });
});
