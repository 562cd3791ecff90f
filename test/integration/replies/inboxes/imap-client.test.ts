import { afterEach, describe, expect, test } from "vitest";
import { InboxError } from "#src/providers/inbox/index.ts";
import type { SinkConnection } from "../../mail/raw-sink.ts";
import { closeAll, imapSink, openInbox, type Script } from "./imap-setting.ts";

afterEach(closeAll);

const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);
const refusal = async (work: Promise<unknown>): Promise<InboxError> => {
  const error = await work.then(
    () => "it worked",
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InboxError);
  expect((error as InboxError).message).not.toContain("hunter2");
  return error as InboxError;
};

describe("what is said to a server", () => {
  test("opens the folder to read, logs in by one command and leaves by LOGOUT", async () => {
    const sink = await imapSink();
    const inbox = await openInbox(sink);
    expect(inbox).toMatchObject({ uidValidity: 7, uidNext: 4, messages: 3 });
    await inbox.close();
    await sink.connections[0]!.left;
    expect(sink.connections[0]!.received.map((line) => line.replace(/^A\d+ /, ""))).toEqual([
      "CAPABILITY",
      `AUTHENTICATE PLAIN ${btoa("\0me@sender.zz\0hunter2")}`,
      'EXAMINE "INBOX"',
      "LOGOUT",
    ]);
  });

  test("a token goes by XOAUTH2, else by OAUTHBEARER; a refusal's challenge is answered", async () => {
    const challenged: Script = {
      CAPABILITY: () => ["* CAPABILITY IMAP4rev1 SASL-IR AUTH=OAUTHBEARER", "TAG OK done"],
      AUTHENTICATE: async (_rest, connection) => {
        connection.say("+ eyJzdGF0dXMiOiI0MDEifQ==");
        await connection.line();
        return ["TAG NO [AUTHENTICATIONFAILED] no"];
      },
    };
    const sink = await imapSink(challenged);
    const error = await refusal(openInbox(sink, { login: { accessToken: "tok" } }));
    expect(error).toMatchObject({ stage: "login", fault: "account" });
    expect(error.message).toContain("Connect the alias by OAuth again");
    const [, login = "", answer] = sink.connections[0]!.received;
    expect(atob(login.split(" ")[3]!)).toBe(
      `n,a=me@sender.zz,\x01host=localhost\x01port=${sink.port}\x01auth=Bearer tok\x01\x01`,
    );
    expect(answer).toBe("AQ==");

    const google = await imapSink({
      CAPABILITY: () => ["* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN AUTH=XOAUTH2", "TAG OK"],
    });
    await openInbox(google, { login: { accessToken: "tok" } });
    expect(google.connections[0]!.received[1]).toBe(
      `A2 AUTHENTICATE XOAUTH2 ${btoa("user=me@sender.zz\x01auth=Bearer tok\x01\x01")}`,
    );
  });

  test("without SASL-IR the response waits to be asked for; without PLAIN there is LOGIN, by literals where need be", async () => {
    const slow = await imapSink({
      CAPABILITY: () => ["* CAPABILITY IMAP4rev1 AUTH=PLAIN", "TAG OK done"],
      AUTHENTICATE: async (_rest, connection) => {
        connection.say("+ ");
        await connection.line();
        return ["TAG OK in"];
      },
    });
    await openInbox(slow);
    expect(slow.connections[0]!.received.slice(1, 3)).toEqual([
      "A2 AUTHENTICATE PLAIN",
      btoa("\0me@sender.zz\0hunter2"),
    ]);
    const old: Script = { CAPABILITY: () => ["* CAPABILITY IMAP4rev1", "TAG OK done"] };
    const plain = await imapSink(old);
    await openInbox(plain, { login: { password: 'a"b\\c' } });
    expect(plain.connections[0]!.received[1]).toBe('A2 LOGIN "me@sender.zz" "a\\"b\\\\c"');
    const asking: Script["LOGIN"] = async (_rest, connection) => {
      connection.say("+ name");
      await connection.line();
      connection.say("+ word");
      await connection.line();
      return ["TAG OK in"];
    };
    const literal = await imapSink({ ...old, LOGIN: asking });
    await openInbox(literal, { login: { password: "ü" } });
    expect(literal.connections[0]!.received.slice(1, 4)).toEqual([
      "A2 LOGIN {12}",
      "me@sender.zz {2}",
      // As the sink reads it, in Latin-1.
      "Ã¼",
    ]);
  });

  test.each([
    ["Entwürfe & mehr", '"Entw&APw-rfe &- mehr"'],
    ["日本語", '"&ZeVnLIqe-"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["😀", '"&2D3eAA-"'],
  ])("the folder %s goes in modified UTF-7", async (folder, spelled) => {
    const sink = await imapSink();
    await openInbox(sink, { folder });
    expect(sink.connections[0]!.received[2]).toBe(`A3 EXAMINE ${spelled}`);
  });

  test("searches by UID and by date, and takes only what was asked", async () => {
    const sink = await imapSink({
      "UID SEARCH": (rest) =>
        rest.startsWith("SINCE")
          ? ['* ESEARCH (TAG "A4") UID ALL 2:3,9', "TAG OK done"]
          : ["* SEARCH 9 3 3 7 0 x 99999999999", "* 4 EXISTS", "* SEARCH", "TAG OK done"],
    });
    const inbox = await openInbox(sink);
    expect(await inbox.uidsSince(new Date("2026-11-05T23:00:00Z"))).toEqual([2, 3, 9]);
    expect(await inbox.uidsFrom(5)).toEqual([7, 9]);
    expect(sink.connections[0]!.received.slice(3)).toEqual([
      "A4 UID SEARCH SINCE 5-Nov-2026",
      "A5 UID SEARCH UID 5:*",
    ]);
  });
});

describe("what a server says", () => {
  const fetching = (...said: (string | Uint8Array)[]): Script => ({
    "UID FETCH": (rest, connection) => {
      for (const each of said) connection.sayRaw(each);
      return [`A${/PEEK/.test(rest) ? 4 : 0} OK done`];
    },
  });

  test("headers come with their dates, by UID, whatever else is said between them", async () => {
    const sink = await imapSink(
      fetching(
        "* 9 EXISTS\r\n* 2 EXPUNGE\r\n* OK [ALERT] look {12}\r\n* 1 FETCH (FLAGS (\\Seen))\r\n",
        '* 3 FETCH (FLAGS (\\Seen $X) BODY[HEADER.FIELDS (FROM TO)] {9}\r\nFrom: b\r\n INTERNALDATE "17-Jul-2026 02:44:25 -0700" UID 8)\r\n',
        '* 1 FETCH (UID 5 X-THING ("(\\")" {3}\r\na)b NIL) INTERNALDATE " 1-Jan-2026 00:00:00 +0000" BODY[HEADER.FIELDS ("FROM")] "From: a")\r\n',
        // Again, and one that nobody asked for.
        "* 1 FETCH (UID 5 BODY[HEADER.FIELDS (FROM)] {7}\r\nFrom: x)\r\n* 7 FETCH (UID 99 BODY[] {1}\r\ny)\r\n",
        "* 4 FETCH (UID 6 BODY[HEADER.FIELDS (FROM)] NIL)\r\n* 4 FETCH (UID 0 BODY[] {0}\r\n)\r\n",
      ),
    );
    const inbox = await openInbox(sink);
    const headers = await inbox.headers([5, 6, 7, 8, 11], ["from", "to"]);
    expect(
      headers.map(({ uid, receivedAt, bytes }) => [uid, receivedAt?.toISOString(), text(bytes)]),
    ).toEqual([
      [5, "2026-01-01T00:00:00.000Z", "From: a"],
      [8, "2026-07-17T09:44:25.000Z", "From: b\r\n"],
    ]);
    expect(sink.connections[0]!.received[3]).toBe(
      "A4 UID FETCH 5:8,11 (UID INTERNALDATE BODY.PEEK[HEADER.FIELDS (from to)])",
    );
  });

  test("a message comes as far as was asked, byte for byte, or not at all", async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, at) => at & 255);
    const sink = await imapSink(fetching("* 1 FETCH (UID 5 BODY[]<0> {300}\r\n", bytes, ")\r\n"));
    const inbox = await openInbox(sink);
    expect(await inbox.message(5, 300)).toEqual(bytes);
    const gone = await openInbox(await imapSink(fetching("")));
    expect(await gone.message(5, 300)).toBeNull();
  });

  test("an answer in single bytes is read as one in a piece", async () => {
    const sink = await imapSink({
      "UID FETCH": (_rest, connection) => {
        const said = "* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nA4 OK done\r\n";
        for (const byte of said) connection.sayRaw(byte);
      },
    });
    expect(text(await (await openInbox(sink)).message(5, 300))).toBe("abc");
  });

  test("of a header that never ends the beginning is kept", async () => {
    const long = `X: ${"y".repeat(200_000)}`;
    const sink = await imapSink(
      fetching(`* 1 FETCH (UID 5 BODY[HEADER.FIELDS (X)] {${long.length}}\r\n${long})\r\n`),
    );
    const [header] = await (await openInbox(sink)).headers([5], ["x"]);
    expect(header!.bytes.length).toBe(64 * 1024);
  });

  test("without UIDNEXT the last message says what comes next; without UIDVALIDITY nothing can be kept", async () => {
    const silent = (line: string): Script => ({
      EXAMINE: () => ["* 3 EXISTS", line, "TAG OK opened"],
      "UID SEARCH": () => ["* SEARCH 41", "TAG OK done"],
    });
    expect(await openInbox(await imapSink(silent("* OK [UIDVALIDITY 7]")))).toMatchObject({
      uidNext: 42,
    });
    const error = await refusal(openInbox(await imapSink(silent("* OK [UIDNEXT 42]"))));
    expect(error).toMatchObject({ stage: "folder", fault: "line" });
  });
});

/** Says this after EXAMINE, in the place of an answer to FETCH. */
const inFetch = (say: (connection: SinkConnection) => void): Script => ({
  "UID FETCH": (_rest, connection) => say(connection),
});

const endless = (unit: string) => (connection: SinkConnection) => {
  connection.sayRaw(unit.repeat(Math.ceil(2_000_000 / unit.length)));
};

describe("a hostile server has a clear outcome", () => {
  const reading: [name: string, script: Script, words: RegExp][] = [
    [
      "a literal of 4 GB",
      inFetch((c) => c.sayRaw("* 1 FETCH (UID 5 BODY[] {4294967295}\r\n")),
      /announces 4294967295 bytes/,
    ],
    [
      "a literal of 10^20",
      inFetch((c) => c.sayRaw("* 1 FETCH (UID 5 BODY[] {99999999999999999999}\r\n")),
      /announces/,
    ],
    ["untagged lines without end", inFetch(endless("* 1 EXISTS\r\n")), /far more than was asked/],
    [
      "a line without end",
      inFetch(endless("* OK xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ")),
      /far more than was asked/,
    ],
    ["brackets without end", inFetch(endless("* 1 FETCH (((((([[[[[[")), /far more than was asked/],
    ["NULs", inFetch((c) => c.sayRaw(`${"\0".repeat(1000)}\r\n`)), /does not speak IMAP/],
    ["another tag", inFetch((c) => c.say("A77 OK done")), /nobody has asked/],
    ["BYE", inFetch((c) => c.say("* BYE going down")), /going down/],
    [
      "the end in a literal",
      inFetch((c) => {
        c.sayRaw("* 1 FETCH (UID 5 BODY[] {10}\r\nabc");
        c.end();
      }),
      /closed the connection/,
    ],
    ["nothing more", inFetch(() => {}), /did not answer in time/],
    ["NO", { "UID FETCH": () => ["TAG NO [SERVERBUG] not today"] }, /not today/],
    [
      "questions without end",
      inFetch((c) => c.sayRaw("+ go on\r\n".repeat(40_000))),
      /asks to go on without end/,
    ],
  ];
  test.each(reading)("while reading: %s", async (_name, script, words) => {
    const sink = await imapSink(script);
    const isPatient = words.source.includes("far more");
    const inbox = await openInbox(sink, {}, isPatient ? { command: 10_000, total: 20_000 } : {});
    const error = await refusal(inbox.message(5, 1000));
    expect(error).toMatchObject({ stage: "reading", fault: "line" });
    expect(error.message).toMatch(words);
    await inbox.close();
    await sink.connections[0]!.left;
  });

  test("a byte at a time for ever is given up, however many bytes come", async () => {
    const sink = await imapSink(
      inFetch((connection) => {
        const timer = setInterval(() => connection.sayRaw("*"), 20);
        void connection.left.then(() => clearInterval(timer));
      }),
    );
    const inbox = await openInbox(sink);
    expect((await refusal(inbox.message(5, 1000))).message).toContain("did not answer in time");
  });

  test("all of an inbox together has a limit of its own", async () => {
    const sink = await imapSink(inFetch(() => {}));
    // On a slow machine the time may be over before the inbox is open: the refusal says the same.
    const message = async () =>
      (await openInbox(sink, {}, { command: 60_000, total: 400 })).message(5, 1000);
    expect((await refusal(message())).message).toMatch(/did not answer in time/);
  });

  const opening: [
    name: string,
    script: Script,
    greeting: string | null,
    expected: string,
    words: RegExp,
  ][] = [
    ["says nothing", {}, null, "greeting line", /did not answer in time/],
    ["is a web server", {}, "HTTP/1.1 400 Bad Request", "greeting account", /Check host and port/],
    ["speaks SMTP", {}, "220 mail ESMTP", "greeting account", /does not greet as an IMAP server/],
    ["takes nobody", {}, "* BYE too many", "greeting line", /too many/],
    ["hangs at the login", { AUTHENTICATE: () => [] }, "* OK", "login line", /while logging in/],
    [
      "refuses the login",
      { AUTHENTICATE: () => ["TAG NO [AUTHENTICATIONFAILED] Invalid credentials"] },
      "* OK",
      "login account",
      /refused the login of me@sender.zz: "Invalid credentials"/,
    ],
    [
      "refuses it in the words of its country",
      {
        AUTHENTICATE: () => [
          "TAG NO [AUTHENTICATIONFAILED] Échec : mot de passe erroné – 登录失败",
        ],
      },
      "* OK",
      "login account",
      /"Échec : mot de passe erroné – 登录失败"/,
    ],
    [
      "is not there for now",
      { AUTHENTICATE: () => ["TAG NO [UNAVAILABLE] Backend away"] },
      "* OK",
      "login line",
      /Backend away/,
    ],
    [
      "takes no passwords",
      { CAPABILITY: () => ["* CAPABILITY IMAP4rev1 LOGINDISABLED", "TAG OK"] },
      "* OK",
      "login account",
      /connect the alias by OAuth/,
    ],
    [
      "has no such folder",
      { EXAMINE: () => ["TAG NO [NONEXISTENT] Unknown Mailbox"] },
      "* OK",
      "folder account",
      /“INBOX” cannot be opened: "Unknown Mailbox"/,
    ],
    ["hangs after the login", { EXAMINE: () => [] }, "* OK", "folder line", /opening the folder/],
    [
      "gives no number to the folder",
      { EXAMINE: () => ["* OK [UIDVALIDITY 0]", "* 1 EXISTS", "TAG OK"] },
      "* OK",
      "folder line",
      /UIDVALIDITY/,
    ],
    [
      "writes control characters",
      { AUTHENTICATE: () => ["TAG NO a\u001b[31m\u0000b"] },
      "* OK",
      "login account",
      /"a \[31m b"/,
    ],
  ];
  test.each(opening)("that %s", async (_name, script, greeting, expected, words) => {
    const sink = await imapSink(script, greeting);
    const error = await refusal(openInbox(sink));
    expect(`${error.stage} ${error.fault}`).toBe(expected);
    expect(error.message).toMatch(words);
    await sink.connections[0]!.left;
  });

  test("that is not there, or has another's certificate", async () => {
    const sink = await imapSink();
    expect(await refusal(openInbox(sink, { host: "127.0.0.1" }))).toMatchObject({
      stage: "connect",
      fault: "line",
    });
    await sink.close();
    expect(await refusal(openInbox(sink))).toMatchObject({ stage: "connect", fault: "line" });
  });
});
