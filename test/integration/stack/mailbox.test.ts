import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLocalCertificate } from "../../../scripts/stack/certificate.ts";
import { type Mailbox, startMailbox } from "../../../scripts/stack/mailbox/mailbox.ts";
import { openSentBackBook } from "../../../scripts/stack/mailbox/sent-back.ts";
import { type RawSmtp, rawSmtp } from "./raw-smtp.ts";

const certificate = createLocalCertificate();
const username = "sender@overture.zz";
const password = "pässwörd €";

let plain: Mailbox;
let secure: Mailbox;

beforeAll(async () => {
  plain = await startMailbox({ username, password });
  secure = await startMailbox({ username, password, tls: certificate });
});
beforeEach(() => {
  for (const mailbox of [plain, secure]) {
    mailbox.clear();
    mailbox.faults.clear();
  }
});
afterAll(async () => {
  await Promise.all([plain.close(), secure.close()]);
});

function transport(mailbox: Mailbox, options: Record<string, unknown> = {}) {
  return createTransport({
    host: mailbox.smtp.host,
    port: mailbox.smtp.port,
    requireTLS: mailbox.smtp.security === "starttls",
    tls: { ca: certificate.ca },
    auth: { user: username, pass: password },
    ...options,
  });
}

async function loggedIn(mailbox: Mailbox): Promise<RawSmtp> {
  const client = await rawSmtp(mailbox.smtp.port);
  await client.login(username, password);
  return client;
}

/** A client that has been greeted. */
async function connected(mailbox = plain): Promise<RawSmtp> {
  const client = await rawSmtp(mailbox.smtp.port);
  await client.reply();
  return client;
}

const codesOf = (replies: string[]) => replies.map((reply) => reply.slice(0, 3)).join(" ");

/** The envelope and DATA, so that the message is next. */
async function beginData(client: RawSmtp): Promise<void> {
  for (const line of ["MAIL FROM:<a@b.zz>", "RCPT TO:<b@c.zz>", "DATA"]) await client.say(line);
}

/** A message of its own right, as octets. */
function message(id: string, body = "Hello.\r\n"): string {
  return `From: ann@overture.zz\r\nTo: bob@example.zz\r\nMessage-ID: <${id}@overture.zz>\r\nX-Campaign: c1\r\nSubject: ${id}\r\n\r\n${body}`;
}

async function rawOf(mailbox: Mailbox, index = 0): Promise<string> {
  const url = (await mailbox.messages())[index]?.raw_url ?? "";
  return (await fetch(url)).text();
}

describe("an independent client", () => {
  test("logs in with a non-ASCII password, and is refused a wrong one", async () => {
    expect(await transport(plain).verify()).toBe(true);
    const client = transport(plain, { auth: { user: username, pass: "no" } });
    await expect(client.verify()).rejects.toMatchObject({ responseCode: 535 });
  });

  test("sends to an address that needs SMTPUTF8", async () => {
    await transport(plain).sendMail({
      from: "ann@overture.zz",
      to: "jürgen@example.zz",
      text: "x",
    });
    expect(plain.wireLog()[0]?.envelope.to).toEqual(["jürgen@example.zz"]);
  });
});

describe("the wire", () => {
  test("EHLO offers STARTTLS and no AUTH until the connection is encrypted", async () => {
    const client = await connected(secure);
    const before = await client.say("EHLO test.example");
    await client.say("STARTTLS");
    await client.startTls(certificate.ca);
    const after = await client.say("EHLO test.example");
    client.close();
    expect(before.split("\n")).toEqual([
      "250-mail.overture.zz",
      "250-PIPELINING",
      "250-SIZE 26214400",
      "250-8BITMIME",
      "250-STARTTLS",
      "250-ENHANCEDSTATUSCODES",
      "250-SMTPUTF8",
      "250 CHUNKING",
    ]);
    expect(after).toBe(before.replace("STARTTLS", "AUTH PLAIN"));
  });

  test("commands smuggled in behind STARTTLS are forgotten", async () => {
    const client = await connected(secure);
    await client.say("EHLO test.example");
    client.write("STARTTLS\r\nNOOP\r\nRSET\r\n");
    expect(await client.reply()).toMatch(/^220 /);
    await client.startTls(certificate.ca);
    expect(await client.say("MAIL FROM:<ann@overture.zz>")).toMatch(/^503 /);
    expect(await client.say("EHLO again.example")).toMatch(/^250-/);
    client.close();
  });

  test.each([
    ["MAIL FROM:<a@b.zz>", "503 5.5.1"],
    ["EHLO", "501 5.5.4"],
    ["STARTTLS", "502 5.5.1"],
    ["NOOP", "250 2.0.0"],
    ["WHAT is this", "500 5.5.1"],
    ["constructor", "500 5.5.1"],
    ["QUIT", "221 2.0.0"],
  ])("a new connection that says %.40s hears %s", async (line, code) => {
    const client = await connected();
    expect((await client.say(line)).slice(0, code.length)).toBe(code);
    client.close();
  });

  test("a command of 20,000 octets is refused, and the next one understood", async () => {
    const client = await connected();
    expect(await client.say("x".repeat(20_000))).toMatch(/^500 5\.5\.2/);
    expect(await client.say("NOOP")).toMatch(/^250/);
    client.close();
  });

  test.each([
    [["RCPT TO:<b@c.zz>"], "503 5.5.1"],
    [["DATA"], "503 5.5.1"],
    [["AUTH PLAIN x"], "503 5.5.1"],
    [["MAIL FROM:a@b.zz"], "501 5.5.4"],
    [["MAIL FROM:<a@b.zz> SIZE=26214401"], "552 5.3.4"],
    [["MAIL FROM:<a@b.zz> BODY=BINARYMIME"], "555 5.5.4"],
    [["MAIL FROM:<a@b.zz> RET=HDRS"], "555 5.5.4"],
    [["MAIL FROM:<> BODY=8BITMIME SIZE=10"], "250 2.1.0"],
    [["MAIL FROM:<ä@b.zz>"], "553 5.6.7"],
    [["MAIL FROM:<ä@b.zz> SMTPUTF8"], "250 2.1.0"],
    [["MAIL FROM:<a@b.zz>", "MAIL FROM:<a@b.zz>"], "503 5.5.1"],
    [["MAIL FROM:<a@b.zz>", "RCPT TO:<>"], "501 5.5.4"],
    [["MAIL FROM:<a@b.zz>", 'RCPT TO:<"odd one"@c.zz>'], "250 2.1.5"],
    [["MAIL FROM:<a@b.zz>", "RCPT TO:<b@c.zz> NOTIFY=NEVER"], "555 5.5.4"],
    [["MAIL FROM:<a@b.zz>", "DATA"], "554 5.5.1"],
    [["MAIL FROM:<a@b.zz>", "RCPT TO:<b@c.zz>", "EHLO again.zz", "DATA"], "503 5.5.1"],
    [["MAIL FROM:<a@b.zz>", "RCPT TO:<b@c.zz>", "RSET", "DATA"], "503 5.5.1"],
  ])("after login, %j ends in %s", async (lines, code) => {
    const client = await loggedIn(plain);
    let last = "";
    for (const line of lines) last = await client.say(line);
    client.close();
    expect(last.slice(0, code.length)).toBe(code);
  });

  test("without login there is no mail", async () => {
    const client = await connected();
    await client.say("EHLO test.example");
    expect(await client.say("MAIL FROM:<a@b.zz>")).toMatch(/^530 5\.7\.0/);
    client.close();
  });

  test.each([
    ["AUTH PLAIN", "*", "501 5.7.0"],
    ["AUTH PLAIN", "!!", "501 5.5.2"],
    ["AUTH LOGIN", "", "504 5.5.4"],
  ])("%s answered by %j ends in %s", async (command, answer, code) => {
    const client = await connected();
    await client.say("EHLO test.example");
    const first = await client.say(command);
    const last = first.startsWith("334") ? await client.say(answer) : first;
    client.close();
    expect(last.slice(0, code.length)).toBe(code);
  });

  test("the third failed login ends the connection", async () => {
    const client = await connected();
    await client.say("EHLO test.example");
    for (let attempt = 0; attempt < 3; attempt += 1) await client.say("AUTH PLAIN AGEAYg==");
    expect(await client.reply()).toMatch(/^421 4\.7\.0/);
    expect(await client.reply()).toBe("");
  });

  test("two messages go down one connection in two pipelined groups", async () => {
    const client = await loggedIn(plain);
    client.write("MAIL FROM:<a@b.zz>\r\nRCPT TO:<one@c.zz>\r\nDATA\r\n");
    const first = await client.replies(3);
    client.write(
      `${message("one")}.\r\nMAIL FROM:<a@b.zz>\r\nRCPT TO:<two@c.zz>\r\nRCPT TO:<three@c.zz>\r\nDATA\r\n`,
    );
    const second = await client.replies(5);
    client.write(`${message("two")}.\r\nQUIT\r\n`);
    const third = await client.replies(2);
    expect([...first, ...second, ...third].map((reply) => reply.slice(0, 3))).toEqual(
      "250 250 354 250 250 250 250 354 250 221".split(" "),
    );
    expect(plain.wireLog().map((entry) => entry.envelope.to)).toEqual([
      ["one@c.zz"],
      ["two@c.zz", "three@c.zz"],
    ]);
    expect(await rawOf(plain, 1)).toBe(message("two"));
  });

  test("a message is the same in whatever pieces it arrives", async () => {
    const body = "a\r\n..b\r\n.\r\n..\r\n";
    const stuffed = message("pieces", body).replaceAll("\r\n.", "\r\n..");
    const octets = Buffer.from(`${stuffed}.\r\n`);
    for (const size of [1, 2, 3, 5, 7]) {
      const client = await loggedIn(plain);
      await beginData(client);
      client.socket.setNoDelay(true);
      for (let at = 0; at < octets.length; at += size) {
        client.write(octets.subarray(at, at + size));
        await new Promise(setImmediate);
      }
      expect(await client.reply()).toMatch(/^250/);
      client.close();
    }
    for (let index = 0; index < 5; index += 1) {
      expect(await rawOf(plain, index)).toBe(message("pieces", body));
    }
  });

  test("a stuffed dot at the very beginning of a message is taken off too", async () => {
    const client = await loggedIn(plain);
    await beginData(client);
    client.write("..first\r\n.\r\n");
    expect(await client.reply()).toMatch(/^250/);
    client.close();
    expect(await rawOf(plain)).toBe(".first\r\n");
  });

  test("an empty message ends with the first dot", async () => {
    const client = await loggedIn(plain);
    await beginData(client);
    expect(await client.say(".")).toMatch(/^250/);
    client.close();
    expect(plain.wireLog()[0]?.size).toBe(0);
  });

  test.each([
    ["a bare LF", "554 5.6.0", "one\ntwo\r\n"],
    ["a bare CR", "554 5.6.0", "one\rtwo\r\n"],
    ["LF dot CRLF, which ends nothing,", "554 5.6.0", "one\n.\r\nMAIL FROM:<x@y.zz>\r\n"],
    ["a line of 999 octets", "554 5.6.0", `${"x".repeat(999)}\r\n`],
    ["a line of 998 octets", "250 2.0.0", `${"x".repeat(998)}\r\n`],
  ])("a message with %s is answered %s", async (_, code, body) => {
    const client = await loggedIn(plain);
    await beginData(client);
    client.write(`${message("lines", body)}.\r\n`);
    expect((await client.reply()).slice(0, 9)).toBe(code);
    expect(await client.say("NOOP")).toMatch(/^250/);
    client.close();
  });

  test("a message that outgrows the limit without saying so is refused at its end", async () => {
    const client = await loggedIn(plain);
    await beginData(client);
    client.write(Buffer.alloc(26_214_500, `${"x".repeat(98)}\r\n`));
    client.write("\r\n.\r\n");
    expect(await client.reply()).toMatch(/^552 5\.3\.4/);
    expect(await client.say("NOOP")).toMatch(/^250/);
    client.close();
    expect(plain.transactions).toBe(0);
  });
});

describe("BDAT", () => {
  test("takes a message in chunks, dots and all, with the next envelope behind it", async () => {
    const client = await loggedIn(plain);
    const raw = message("chunks", ".\r\n..\r\n\r\n.\r\n");
    const [head, tail] = [raw.slice(0, 40), raw.slice(40)];
    client.write(
      `MAIL FROM:<a@b.zz>\r\nRCPT TO:<b@c.zz>\r\nBDAT 40\r\n${head}BDAT ${tail.length} LAST\r\n${tail}` +
        `MAIL FROM:<a@b.zz>\r\nRCPT TO:<b@c.zz>\r\nBDAT ${raw.length}\r\n${raw}BDAT 0 LAST\r\n`,
    );
    const replies = await client.replies(8);
    client.close();
    expect(new Set(codesOf(replies).split(" "))).toEqual(new Set(["250"]));
    expect(await rawOf(plain, 0)).toBe(raw);
    expect(await rawOf(plain, 1)).toBe(raw);
  });

  test("without a recipient swallows the chunk and says 554", async () => {
    const client = await loggedIn(plain);
    client.write("MAIL FROM:<a@b.zz>\r\nBDAT 6 LAST\r\nQUIT\r\nNOOP\r\n");
    const replies = await client.replies(3);
    client.close();
    expect(codesOf(replies)).toBe("250 554 250");
  });

  test("cannot be mixed with DATA", async () => {
    const client = await loggedIn(plain);
    client.write("MAIL FROM:<a@b.zz>\r\nRCPT TO:<b@c.zz>\r\nBDAT 2\r\nhiDATA\r\n");
    expect((await client.replies(4)).at(-1)).toMatch(/^503/);
    client.close();
  });

  test("over the limit says 552, then 503 until the transaction is begun anew", async () => {
    const client = await loggedIn(plain);
    client.write("MAIL FROM:<a@b.zz>\r\nRCPT TO:<b@c.zz>\r\nBDAT 26214401\r\n");
    client.write(Buffer.alloc(26_214_401, "x"));
    client.write("BDAT 2 LAST\r\nhiRSET\r\n");
    const replies = await client.replies(5);
    client.close();
    expect(codesOf(replies)).toBe("250 250 552 503 250");
  });
});

describe("faults", () => {
  async function send(client: RawSmtp): Promise<string> {
    for (const line of ["MAIL FROM:<a@b.zz>", "RCPT TO:<b@c.zz>", "DATA"]) {
      const reply = await client.say(line);
      if (!/^[23]/.test(reply)) return reply;
    }
    client.write(`${message("fault")}.\r\n`);
    return client.reply();
  }

  test.each([
    ["rcpt_refused", "550 5.1.1"],
    ["rcpt_deferred", "450 4.2.1"],
    ["rcpt_unresolved", "550 5.4.4"],
    ["rcpt_policy", "550 5.7.1"],
    ["rcpt_bare", "550 Faile"],
    ["data_refused", "554 5.7.1"],
    ["data_deferred", "451 4.3.0"],
  ])("%s answers one occasion %s and the next normally", async (fault, code) => {
    plain.faults.order(fault, 1);
    const client = await loggedIn(plain);
    expect((await send(client)).slice(0, 9)).toBe(code);
    expect(plain.transactions).toBe(0);
    await client.say("RSET");
    expect(await send(client)).toMatch(/^250/);
    client.close();
  });

  test("close_after_dot stores the message and never says so", async () => {
    plain.faults.order("close_after_dot", 1);
    expect(await send(await loggedIn(plain))).toBe("");
    expect(plain.wireLog()).toMatchObject([{ message_id: "<fault@overture.zz>", reply: null }]);
  });

  test("close_before_dot stores nothing", async () => {
    plain.faults.order("close_before_dot", 1);
    expect(await send(await loggedIn(plain))).toBe("");
    expect(plain.transactions).toBe(0);
  });

  test.each([
    ["hang_before_dot", "DATA\r\n", 0],
    ["hang_after_dot", `BDAT ${message("x").length} LAST\r\n${message("x")}`, 1],
  ])("%s leaves the client without a reply", async (fault, last, stored) => {
    plain.faults.order(fault, 1);
    const client = await loggedIn(plain);
    client.write(`MAIL FROM:<a@b.zz>\r\nRCPT TO:<b@c.zz>\r\n${last}NOOP\r\nNOOP\r\n`);
    await client.replies(2);
    const silent = client.reply();
    // A second connection is served from end to end while the first one waits.
    const other = await loggedIn(plain);
    expect(await send(other)).toMatch(/^250/);
    other.close();
    client.close();
    expect(await silent).toBe("");
    expect(plain.transactions).toBe(stored + 1);
  });

  test("slow gives pipelined replies one by one, each 200 ms after the one before", async () => {
    plain.faults.order("slow", 1);
    const client = await rawSmtp(plain.smtp.port);
    const begun = performance.now();
    client.write("EHLO test.example\r\nNOOP\r\nNOOP\r\n");
    const replies = await client.replies(4);
    client.close();
    expect(codesOf(replies)).toBe("220 250 250 250");
    expect(performance.now() - begun).toBeGreaterThan(750);
  });

  test.each([
    ["bounce@c.zz", ["550 5.1.1", "550 5.1.1"]],
    ["Bounce+lead7@c.zz", ["550 5.1.1", "550 5.1.1"]],
    ["full@c.zz", ["452 4.2.2", "452 4.2.2"]],
    ["disabled@c.zz", ["550 5.2.1", "550 5.2.1"]],
    ["policy+1@c.zz", ["550 5.7.1", "550 5.7.1"]],
    ["bare@c.zz", ["550 Faile", "550 Faile"]],
    ["failing@c.zz", ["451 4.3.0", "451 4.3.0"]],
    ["listed@c.zz", ["554 5.7.1", "554 5.7.1"]],
    ["greylist@c.zz", ["451 4.7.1", "250 2.1.5"]],
    ["bouncer@c.zz", ["250 2.1.5", "250 2.1.5"]],
  ])("%s answers by its name: %j", async (address, codes) => {
    const client = await loggedIn(plain);
    await client.say("MAIL FROM:<a@b.zz>");
    const replies = [
      await client.say(`RCPT TO:<${address}>`),
      await client.say(`RCPT TO:<${address}>`),
    ];
    client.close();
    expect(replies.map((reply) => reply.slice(0, 9))).toEqual(codes);
  });
});

describe("the wire log", () => {
  test("names envelope, Message-ID, headers, size and reply of each message accepted", async () => {
    const client = await loggedIn(plain);
    client.write(
      "MAIL FROM:<v.123@bounce.zz>\r\nRCPT TO:<b@c.zz>\r\nRCPT TO:<bounce@c.zz>\r\nDATA\r\n",
    );
    await client.replies(4);
    client.write(`${message("logged")}.\r\n`);
    const reply = await client.reply();
    client.close();
    expect(plain.wireLog()).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        connection: expect.any(Number),
        id: (await plain.messages())[0]?.id,
        envelope: { from: "v.123@bounce.zz", to: ["b@c.zz"] },
        message_id: "<logged@overture.zz>",
        headers: { "x-campaign": "c1" },
        size: message("logged").length,
        reply,
      },
    ]);
  });
});

describe("a restart", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-mailbox-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  async function run(stateFile: string, use: (mailbox: Mailbox) => Promise<void>) {
    const mailbox = await startMailbox({ username, password, stateFile });
    try {
      await use(mailbox);
    } finally {
      await mailbox.close();
    }
  }
  const sendOne = (mailbox: Mailbox, subject: string) =>
    transport(mailbox).sendMail({
      from: "ann@overture.zz",
      to: "bob@example.zz",
      subject,
      text: "ö",
    });

  test("keeps messages and wire log", async () => {
    const file = path.join(folder, "kept.log");
    let before: unknown;
    await run(file, async (mailbox) => {
      await sendOne(mailbox, "one");
      await sendOne(mailbox, "two");
      before = [
        (await mailbox.messages()).map((one) => ({ ...one, raw_url: "" })),
        mailbox.wireLog(),
      ];
    });
    await run(file, async (mailbox) => {
      const after = (await mailbox.messages()).map((one) => ({ ...one, raw_url: "" }));
      expect([after, mailbox.wireLog()]).toEqual(before);
      await sendOne(mailbox, "three");
    });
    await run(file, async (mailbox) => {
      expect((await mailbox.messages()).map((one) => one.subject)).toEqual(["one", "two", "three"]);
    });
  });

  test("keeps what went back, until the mail is deleted", async () => {
    const file = path.join(folder, "answered.log");
    const options = { username, password, stateFile: file, deliver: async () => {} };
    const sentBack = async ({ url }: Mailbox) => {
      const { threads } = (await (await fetch(`${url}/api/threads`)).json()) as {
        threads: { sent_back: { action: string; text: string | null }[] }[];
      };
      return threads.flatMap(({ sent_back: all }) => all.map(({ action, text }) => [action, text]));
    };
    const first = await startMailbox(options);
    await sendOne(first, "one");
    const { id } = (await first.messages())[0]!;
    for (const action of ["reply", "complain"])
      await fetch(`${first.url}/api/messages/${id}/${action}`, { method: "POST", body: "{}" });
    await first.close();
    const second = await startMailbox(options);
    expect(await sentBack(second)).toEqual([
      ["reply", "Thank you, this sounds good."],
      ["complain", null],
    ]);
    await fetch(`${second.url}/api/messages`, { method: "DELETE" });
    await second.close();
    const book = openSentBackBook(`${file}.sent-back`);
    expect(book.about(id)).toEqual([]);
    book.close();
  });

  test("keeps what was deleted deleted, and its line of the wire log", async () => {
    const file = path.join(folder, "deleted.log");
    await run(file, async (mailbox) => {
      await sendOne(mailbox, "gone");
      await fetch(`${mailbox.url}/api/messages`, { method: "DELETE" });
      await sendOne(mailbox, "here");
    });
    await run(file, async (mailbox) => {
      expect((await mailbox.messages()).map((one) => one.subject)).toEqual(["here"]);
      expect(mailbox.wireLog()).toHaveLength(2);
    });
  });

  test("drops a record that a crash cut short, and goes on", async () => {
    const file = path.join(folder, "torn.log");
    await run(file, async (mailbox) => {
      await sendOne(mailbox, "whole");
      await sendOne(mailbox, "torn");
    });
    fs.truncateSync(file, fs.statSync(file).size - 10);
    await run(file, (mailbox) => sendOne(mailbox, "later").then(() => {}));
    await run(file, async (mailbox) => {
      expect((await mailbox.messages()).map((one) => one.subject)).toEqual(["whole", "later"]);
    });
  });
});
