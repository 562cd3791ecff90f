import type { Faults } from "../part.ts";
import type { Boxes, Folder } from "./boxes.ts";
import { changeMessage } from "./imap-changes.ts";
import { operatorOf } from "./operators.ts";
import { chooseMessages, fetchItems, searchUids } from "./imap-messages.ts";
import { decodeBase64Text, parsePlainCredentials } from "./smtp-syntax.ts";

/** Which logins may read which mailbox. */
export interface Logins {
  password(username: string, password: string): boolean;
  token(username: string, token: string): boolean;
}

export interface ImapSessionOptions {
  boxes: Boxes;
  logins: Logins;
  faults: Faults;
  /** Notes a command for the part's log, never what a message holds. */
  note(summary: string): void;
}

/** What a session can do to its connection. Text is octets as characters. */
export interface ImapChannel {
  send(text: string): void;
  /** Closes once what was sent has left. */
  close(): void;
}

const CAPABILITIES = "IMAP4rev1 SASL-IR AUTH=PLAIN AUTH=XOAUTH2";
const capabilitiesOf = (address: string | null): string =>
  address === null ? CAPABILITIES : `${CAPABILITIES} ${operatorOf(address).capabilities}`;
const MOST_REFUSALS = 3;
const BAD_CREDENTIALS = "NO [AUTHENTICATIONFAILED] Invalid credentials";
/** What is said to a token that does not open the mailbox, before the NO (RFC 7628 section 3.2.2). */
const TOKEN_REFUSAL = Buffer.from(
  JSON.stringify({ status: "401", schemes: "bearer", scope: "https://mail.google.com/" }),
).toString("base64");

type Command = [pattern: RegExp, run: (tag: string, ...groups: string[]) => void];

/**
 * One IMAP connection: the commands by which the service reads an inbox and finds a message (RFC 3501). All that they can
 * change is that a message is deleted, in a folder that was opened by SELECT.
 */
export function createImapSession(options: ImapSessionOptions, channel: ImapChannel) {
  const { boxes, faults, logins, note } = options;
  let address: string | null = null;
  let folder: Folder | null = null;
  let mayChange = false;
  /** The client's answer to a challenge. */
  let waiting: (() => void) | null = null;
  let refusals = 0;
  /** UIDs of the open folder that are marked deleted. */
  const marked = new Set<number>();

  const line = (text: string) => channel.send(`${text}\r\n`);
  const done = (tag: string, answer = "OK done") => line(`${tag} ${answer}`);

  const anyState: Command[] = [
    [
      /^CAPABILITY$/,
      (tag) => {
        line(`* CAPABILITY ${capabilitiesOf(address)}`);
        done(tag);
      },
    ],
    [
      /^LOGOUT$/,
      (tag) => {
        line("* BYE until next time");
        done(tag);
        channel.close();
      },
    ],
  ];

  const beforeLogin: Command[] = [
    [
      /^AUTHENTICATE PLAIN (\S+)$/,
      (tag, response) => {
        const given = parsePlainCredentials(decodeBase64Text(response) ?? "");
        const isRight = given !== null && logins.password(given.username, given.password);
        login(tag, given?.username ?? "", isRight, () => refuse(tag, BAD_CREDENTIALS));
      },
    ],
    [
      /^AUTHENTICATE XOAUTH2 (\S+)$/,
      (tag, response) => {
        // `user=<name>^Aauth=Bearer <token>^A^A`.
        const [, name = "", token = ""] =
          /^user=([^\x01]+)\x01auth=Bearer ([^\x01]+)\x01\x01$/.exec(
            decodeBase64Text(response) ?? "",
          ) ?? [];
        login(tag, name, logins.token(name, token), () => {
          line(`+ ${TOKEN_REFUSAL}`);
          waiting = () => refuse(tag, BAD_CREDENTIALS);
        });
      },
    ],
  ];

  function login(tag: string, username: string, isRight: boolean, otherwise: () => void) {
    if (faults.take("imap_unavailable")) return refuse(tag, "NO [UNAVAILABLE] Try again later");
    if (faults.take("imap_auth_refused")) return refuse(tag, BAD_CREDENTIALS);
    if (!isRight) {
      note(`IMAP login refused for ${username}`);
      return otherwise();
    }
    boxes.open(username);
    address = username.toLowerCase();
    note(`IMAP login of ${address}`);
    done(tag, "OK logged in");
  }

  function refuse(tag: string, answer: string) {
    done(tag, answer);
    refusals += 1;
    if (refusals < MOST_REFUSALS) return;
    line("* BYE too many failed logins");
    channel.close();
  }

  const afterLogin: Command[] = [
    [
      /^(EXAMINE|SELECT) "((?:[^"\\]|\\.)*)"$/,
      (tag, command, quoted = "") => {
        const name = decodeFolderName(quoted.replace(/\\(.)/g, "$1"));
        const found = faults.take("imap_folder_gone") ? undefined : boxes.folder(address!, name);
        folder = null;
        marked.clear();
        if (found === undefined) return done(tag, "NO [NONEXISTENT] no such folder");
        folder = faults.take("imap_uidvalidity_changed") ? boxes.renumber(address!, found) : found;
        mayChange = command === "SELECT";
        note(`IMAP ${command} ${folder.name} of ${address}`);
        line(`* ${folder.messages.length} EXISTS`);
        line(`* OK [UIDNEXT ${(folder.messages.at(-1)?.uid ?? 0) + 1}] next`);
        line(`* OK [UIDVALIDITY ${folder.uidValidity}] valid`);
        done(tag, mayChange ? "OK [READ-WRITE] opened" : "OK [READ-ONLY] opened");
      },
    ],
    [
      /^LIST "" "\*"$/,
      (tag) => {
        const uses = operatorOf(address!).folders;
        for (const { name } of boxes.folders(address!))
          line(`* LIST (\\HasNoChildren${uses[name] ? ` ${uses[name]}` : ""}) "/" "${name}"`);
        done(tag);
      },
    ],
    [
      /^UID (STORE|EXPUNGE|MOVE) (\d+)(.*)$/,
      (tag, command, uid, rest = "") => {
        if (folder === null || !mayChange) return done(tag, "NO [READ-ONLY] nothing is changed");
        const uids = { uid: Number(uid), marked };
        done(tag, changeMessage(boxes, { address: address!, folder }, command!, uids, rest.trim()));
      },
    ],
    [
      /^UID SEARCH (.+)$/,
      (tag, criteria) => {
        const uids = folder && searchUids(folder, criteria);
        if (uids === null) return done(tag, "BAD no such search here");
        line(["* SEARCH", ...uids].join(" "));
        done(tag);
      },
    ],
    [
      /^UID FETCH (\d+(?::\d+)?(?:,\d+(?::\d+)?)*) \((.+)\)$/,
      (tag, set, items) => {
        const answer = fetchItems(items);
        if (folder === null || answer === null) return done(tag, "BAD no such fetch here");
        for (const found of chooseMessages(folder, set)) {
          const text = `* ${found.number} FETCH (${answer(found)})`;
          if (faults.take("imap_cut_in_literal")) return cutShort(text);
          line(text);
        }
        done(tag);
      },
    ],
  ];

  /** Half of the literal is the last that the client hears. */
  function cutShort(answer: string) {
    const literal = answer.lastIndexOf("}\r\n") + 3;
    channel.send(answer.slice(0, literal + Math.floor((answer.length - literal) / 2)));
    channel.close();
  }

  return {
    greet: () => line(`* OK [CAPABILITY ${CAPABILITIES}] ready`),
    take(text: string) {
      const answered = waiting;
      waiting = null;
      if (answered !== null) return answered();
      const [, tag = "*", said = ""] = /^([A-Za-z0-9.]+) (.*)$/.exec(text) ?? [];
      for (const [pattern, run] of [
        ...anyState,
        ...(address === null ? beforeLogin : afterLogin),
      ]) {
        const match = pattern.exec(said);
        if (match !== null) return run(tag, ...match.slice(1));
      }
      done(tag, `BAD the local stack does not have ${said.slice(0, 40)}`);
    },
  };
}

/** Modified UTF-7 (RFC 3501 section 5.1.3). */
const decodeFolderName = (name: string): string =>
  name.replace(/&([^-]*)-/g, (_, code: string) =>
    code === ""
      ? "&"
      : Buffer.from(code.replaceAll(",", "/"), "base64").swap16().toString("utf16le"),
  );
