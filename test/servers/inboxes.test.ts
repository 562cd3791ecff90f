/** The reader of inboxes against Debian's Dovecot: what another's server says to it, and what it leaves untouched there. */
import * as fs from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createImapInbox } from "#src/providers/inbox/imap.ts";
import type { InboxAccount, OpenedInbox } from "#src/providers/inbox/index.ts";
import { createLocalCertificate } from "../../scripts/stack/certificate.ts";
import { createNodeDial } from "../../scripts/stack/node-dial.ts";
import { type Dovecot, MAIL_UID, startDovecot } from "./dovecot.ts";
import { lacking, makeFolder } from "./process.ts";

const missing = lacking("dovecot");
if (missing.length > 0) console.warn(`NOT RUN: inboxes at Dovecot. Lacking: ${missing.join(", ")}`);

const ANN = "ann@sender.zz";
const PASSWORD = 'pass "word\\ ü';
const TOKEN = "ya29.ann";

describe.runIf(missing.length === 0)("an inbox at Dovecot", () => {
  const certificate = createLocalCertificate();
  const folder = makeFolder("inboxes");
  let tokens: http.Server;
  let dovecot: Dovecot;

  beforeAll(async () => {
    tokens = http.createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        const active = new URLSearchParams(body).get("token") === TOKEN;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ active, username: ANN }));
      });
    });
    await new Promise<void>((resolve) => tokens.listen(0, "127.0.0.1", resolve));
    const { port } = tokens.address() as AddressInfo;
    const users = { [ANN]: PASSWORD };
    const introspectionUrl = `http://127.0.0.1:${port}/`;
    dovecot = await startDovecot({ folder, certificate, users, introspectionUrl });
  });
  afterAll(async () => {
    await dovecot?.close();
    tokens.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => fs.rmSync(dovecot.maildir(ANN), { recursive: true, force: true }));

  /** Lays a message into a Maildir, as a delivery does. */
  function put(name: string, raw: string, inFolder = ""): void {
    const parent = path.join(dovecot.maildir(ANN), inFolder);
    for (const each of ["tmp", "new", "cur"])
      fs.mkdirSync(path.join(parent, each), { recursive: true });
    fs.writeFileSync(path.join(parent, "cur", `${name}:2,`), raw.replaceAll("\n", "\r\n"));
    for (const each of fs.readdirSync(dovecot.mailFolder, { recursive: true }))
      fs.chownSync(path.join(dovecot.mailFolder, String(each)), MAIL_UID, MAIL_UID);
  }
  const mails = () =>
    fs
      .readdirSync(dovecot.maildir(ANN), { recursive: true })
      .map(String)
      .filter((name) => /\d+\.\w+/.test(name))
      .toSorted();

  async function open(more: Partial<InboxAccount> = {}): Promise<OpenedInbox> {
    const { host, port } = dovecot.imap;
    const login = { password: PASSWORD };
    const account = { host, port, username: ANN, login, folder: "INBOX", ...more };
    return createImapInbox(createNodeDial({ ca: certificate.ca }))(account);
  }

  test("is read by UID, from the first look to the next, and nothing in it changes", async () => {
    for (let count = 1; count <= 5; count++)
      put(
        `170000000${count}.M1`,
        `From: f${count}@x.zz\nSubject: s${count}\nIn-Reply-To: <a${count}@b>\n\nText ${count}\n`,
      );
    const before = mails();
    const inbox = await open();
    expect(inbox).toMatchObject({ messages: 5, uidNext: 6 });
    expect(await inbox.uidsSince(new Date(Date.now() - 7 * 86_400_000))).toEqual([1, 2, 3, 4, 5]);
    expect(await inbox.uidsSince(new Date(Date.now() + 2 * 86_400_000))).toEqual([]);
    expect(await inbox.uidsFrom(4)).toEqual([4, 5]);
    expect(await inbox.uidsFrom(6)).toEqual([]);
    const headers = await inbox.headers([2, 3, 9], ["from", "in-reply-to"]);
    expect(headers.map(({ uid, bytes }) => [uid, new TextDecoder().decode(bytes).trim()])).toEqual([
      [2, "From: f2@x.zz\r\nIn-Reply-To: <a2@b>"],
      [3, "From: f3@x.zz\r\nIn-Reply-To: <a3@b>"],
    ]);
    expect(Math.abs(headers[0]!.receivedAt!.getTime() - Date.now())).toBeLessThan(86_400_000);
    expect(new TextDecoder().decode((await inbox.message(3, 10_000))!)).toMatch(/Text 3\r\n$/);
    expect((await inbox.message(3, 7))!.length).toBe(7);
    expect(await inbox.message(9, 100)).toBeNull();
    await inbox.close();
    expect(mails()).toEqual(before);
    const again = await open();
    expect(again.uidValidity).toBe(inbox.uidValidity);
    await again.close();
  });

  test("of ten thousand messages is searched, and read in pieces", async () => {
    const parent = path.join(dovecot.maildir(ANN), "cur");
    fs.mkdirSync(parent, { recursive: true });
    for (let count = 1; count <= 10_000; count++)
      fs.writeFileSync(
        path.join(parent, `${1_700_000_000 + count}.M1:2,`),
        "From: f@x.zz\r\n\r\nx\r\n",
      );
    put("1800000000.M1", "From: last@x.zz\n\nx\n");
    const inbox = await open();
    expect(inbox.messages).toBe(10_001);
    const uids = await inbox.uidsFrom(1);
    expect([uids.length, uids.at(-1)]).toEqual([10_001, 10_001]);
    expect(await inbox.headers(uids.slice(-200), ["from"])).toHaveLength(200);
    await inbox.close();
  });

  test("opens by a token, and by a folder's name in any script", async () => {
    put("1700000001.M1", "Subject: x\n\nx\n", ".Entw&APw-rfe &- mehr");
    const inbox = await open({ login: { accessToken: TOKEN }, folder: "Entwürfe & mehr" });
    expect(inbox.messages).toBe(1);
    await inbox.close();
  });

  test.each([
    ["a wrong password", { login: { password: "no" } }, "login"],
    ["a token of nobody", { login: { accessToken: "stale" } }, "login"],
    ["a folder that is not there", { folder: "Nowhere" }, "folder"],
  ])("refuses %s, and its owner is told", async (_name, more, stage) => {
    await expect(open(more)).rejects.toMatchObject({ stage, fault: "account" });
  });
});
