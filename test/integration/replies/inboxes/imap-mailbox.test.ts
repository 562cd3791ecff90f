import { afterEach, describe, expect, test } from "vitest";
import { createImapMailbox } from "#src/providers/inbox/imap-mailbox.ts";
import { createNodeDial } from "../../../../scripts/stack/node-dial.ts";
import { localhostPem } from "../../mail/raw-sink.ts";
import { accountAt, closeAll, imapSink, type Script } from "./imap-setting.ts";

afterEach(closeAll);

const ID = "1@sender.zz";
const WISH = { messageIds: [ID], fields: ["from", "message-id"], everywhere: false };

/** What was asked of a server that says this, and what was found there. */
async function found(script: Script, wish: Partial<typeof WISH> = {}) {
  const asked: string[] = [];
  const noting = (name: string): Script => ({
    [name]: (rest, connection) => {
      asked.push(`${name} ${rest}`);
      return script[name]?.(rest, connection) ?? USUAL[name]?.(rest, connection) ?? ["TAG OK done"];
    },
  });
  const names = [
    "LIST",
    "EXAMINE",
    "SELECT",
    "UID SEARCH",
    "UID FETCH",
    "UID STORE",
    "UID EXPUNGE",
    "UID MOVE",
  ];
  const sink = await imapSink({ ...script, ...Object.assign({}, ...names.map(noting)) });
  const limits = { connect: 10_000, command: 10_000, total: 20_000 };
  const open = createImapMailbox(createNodeDial({ ca: localhostPem }), limits);
  const mailbox = await open(accountAt(sink));
  try {
    const sightings = await mailbox.find({ ...WISH, ...wish });
    const first = sightings.get(ID)![0];
    const removed = first === undefined ? null : await mailbox.remove(first, ID);
    return { asked, sightings: sightings.get(ID)!, hasSpamFolder: mailbox.hasSpamFolder, removed };
  } finally {
    await mailbox.close();
  }
}

const USUAL: Script = {
  EXAMINE: () => ["* 3 EXISTS", "* OK [UIDVALIDITY 7] valid", "TAG OK [READ-ONLY] opened"],
  SELECT: () => ["* 3 EXISTS", "* OK [UIDVALIDITY 7] valid", "TAG OK [READ-WRITE] opened"],
  "UID SEARCH": () => ["* SEARCH 5", "TAG OK done"],
  "UID FETCH": () => [
    '* 1 FETCH (UID 5 INTERNALDATE "01-Jan-2026 00:00:00 +0000" BODY[HEADER.FIELDS (FROM)] {6}',
    "x: y",
    ")",
    "TAG OK done",
  ],
};
const folders = (...lines: string[]): Script => ({ LIST: () => [...lines, "TAG OK done"] });
const CAN = (words: string): Script => ({
  CAPABILITY: () => [`* CAPABILITY IMAP4rev1 AUTH=PLAIN ${words}`, "TAG OK done"],
});
const foldersAsked = (asked: string[]) =>
  asked.filter((each) => each.startsWith("EXAMINE")).map((each) => each.slice(8));

describe("which folders are looked into", () => {
  test.each([
    [
      "by their special use",
      '* LIST (\\HasNoChildren \\Junk) "/" "Unerw&APw-nscht"',
      '"Unerw&APw-nscht"',
    ],
    ["by their name", '* LIST () "." INBOX.Spam', '"INBOX.Spam"'],
    ["in a quoted spelling", '* LIST (\\Junk) NIL "a\\"b"', '"a\\"b"'],
  ])("those for spam %s", async (_, line, argument) => {
    const { asked, hasSpamFolder } = await found(folders('* LIST () "/" "INBOX"', line));
    expect([foldersAsked(asked), hasSpamFolder]).toEqual([['"INBOX"', argument], true]);
  });

  test("a name that would be another command, one that cannot be opened and a thousand others are left out", async () => {
    const { asked } = await found(
      folders(
        '* LIST (\\Junk) "/" {20}',
        'x"\r\nA9 DELETE INBOX',
        '* LIST (\\Noselect \\Junk) "/" "Above"',
        "* LIST nonsense",
        ...Array.from({ length: 1_000 }, (_, at) => `* LIST (\\Junk) "/" "Junk ${at}"`),
      ),
    );
    expect(foldersAsked(asked)).toEqual([
      '"INBOX"',
      ...[0, 1, 2, 3, 4].map((at) => `"Junk ${at}"`),
    ]);
    expect(asked.join()).not.toContain("DELETE");
  });

  test("any other only where it is asked, and not what the owner wrote; a folder of all mail for all of them", async () => {
    const listed = folders(
      '* LIST (\\Sent) "/" "Sent"',
      '* LIST () "/" "Offers"',
      '* LIST (\\Trash) "/" "Bin"',
    );
    const nothing: Script = { ...listed, "UID SEARCH": () => ["* SEARCH", "TAG OK done"] };
    expect(foldersAsked((await found(nothing)).asked)).toEqual(['"INBOX"']);
    const all = await found(nothing, { everywhere: true });
    expect(foldersAsked(all.asked)).toEqual(['"INBOX"', '"Offers"', '"Bin"']);
    const gmail = await found(
      { ...nothing, ...folders('* LIST (\\All) "/" "All Mail"', '* LIST () "/" "Offers"') },
      { everywhere: true },
    );
    expect(foldersAsked(gmail.asked)).toEqual(['"INBOX"', '"All Mail"']);
  });

  test("a folder for spam that does not open is said, because nothing can be said without it", async () => {
    const script: Script = {
      ...folders('* LIST (\\Junk) "/" "Junk"'),
      EXAMINE: (rest) =>
        rest.includes("Junk")
          ? ["TAG NO not yours"]
          : (USUAL["EXAMINE"]!(rest, null as never) as string[]),
    };
    await expect(found(script)).rejects.toMatchObject({ stage: "folder" });
  });
});

describe("what is deleted", () => {
  test("by UID EXPUNGE alone: where the server can only expunge all, nothing is marked", async () => {
    const able = await found(CAN("UIDPLUS"));
    expect([able.removed, able.asked.slice(-2)]).toEqual([
      true,
      ["UID STORE 5 +FLAGS.SILENT (\\Deleted)", "UID EXPUNGE 5"],
    ]);
    const unable = await found({});
    expect(unable.removed).toBe(false);
    expect(unable.asked.join()).not.toMatch(/SELECT|STORE|EXPUNGE/);
  });

  test("at Gmail by a move to the trash, with the tab that its search has", async () => {
    const { removed, asked, sightings } = await found({
      ...CAN("UIDPLUS MOVE X-GM-EXT-1"),
      ...folders('* LIST (\\Trash) "/" "[Gmail]/Trash"'),
      "UID SEARCH": (rest) => [
        rest.includes("category:") && !rest.includes("updates") ? "* SEARCH" : "* SEARCH 5",
        "TAG OK done",
      ],
    });
    expect([removed, asked.at(-1)]).toEqual([true, 'UID MOVE 5 "[Gmail]/Trash"']);
    expect(sightings).toMatchObject([
      { place: "inbox", category: "updates", folder: "INBOX", uid: 5 },
    ]);
  });

  test.each([
    [
      "whose folder is numbered anew",
      { SELECT: () => ["* OK [UIDVALIDITY 8] valid", "TAG OK opened"] },
    ],
    [
      "that carries another Message-ID by now",
      {
        "UID SEARCH": (rest: string) => [
          rest.startsWith("UID 5") ? "* SEARCH" : "* SEARCH 5",
          "TAG OK done",
        ],
      },
    ],
  ])("nothing of a message %s", async (_, script: Script) => {
    const { removed, asked } = await found({ ...CAN("UIDPLUS"), ...script });
    expect(removed).toBe(false);
    expect(asked.join()).not.toMatch(/STORE|EXPUNGE/);
  });
});
