import type { Faults } from "../part.ts";
import type { Boxes } from "./boxes.ts";
import * as auth from "./imap-auth.ts";
import * as folders from "./imap-folders.ts";
import { decodeFolderName } from "./imap-names.ts";
import type { Selected } from "./imap-selection.ts";
import { messageCommands } from "./imap-messages.ts";
import {
  ImapSyntaxError,
  itemsOf,
  readValues,
  textOf,
  utf8Of,
  type Value,
  wordOf,
} from "./imap-syntax.ts";

export interface ImapSessionOptions {
  boxes: Boxes;
  logins: auth.Logins;
  faults: Faults;
  /** Notes a command for the part's log, never what a message holds. */
  note(summary: string): void;
}

/** What a session can do to its connection. Text is octets as characters. */
export interface ImapChannel {
  send(text: string): void;
  /** Closes once what was sent has left. */
  close(): void;
  /** Stays open, and never answers again. */
  hang(): void;
}

const CAPABILITIES =
  "IMAP4rev1 ID IDLE LITERAL+ SASL-IR UNSELECT AUTH=PLAIN AUTH=LOGIN AUTH=XOAUTH2 AUTH=OAUTHBEARER";
const MOST_REFUSALS = 3;

/** One IMAP connection: states, commands and answers (RFC 3501, of RFC 9051 what both have). */
export function createImapSession(options: ImapSessionOptions, channel: ImapChannel) {
  const { boxes, faults } = options;
  let address: string | null = null;
  let selected: Selected | null = null;
  let waiting: ((line: string) => void) | null = null;
  let refusals = 0;

  const line = (text: string) => channel.send(`${text}\r\n`);
  const unwatch = boxes.watch((changed) => {
    if (idling && changed === address) announce();
  });
  let idling = false;

  /** Tells of messages that came since; only between commands may the numbers change. */
  function announce() {
    if (selected === null || selected.folder.messages.length === selected.announced) return;
    selected.announced = selected.folder.messages.length;
    line(`* ${selected.announced} EXISTS`);
  }

  function done(tag: string, answer: string) {
    announce();
    line(`${tag} ${answer}`);
  }

  const anyState: Commands = {
    CAPABILITY(tag) {
      line(`* CAPABILITY ${CAPABILITIES}`);
      done(tag, "OK done");
    },
    ID(tag) {
      line('* ID ("name" "Overture local stack")');
      done(tag, "OK done");
    },
    NOOP: (tag) => done(tag, "OK done"),
    LOGOUT(tag) {
      line("* BYE until next time");
      line(`${tag} OK done`);
      channel.close();
    },
  };

  const beforeLogin: Commands = {
    LOGIN(tag, [username, password]) {
      login(tag, { username: utf8Of(username), secret: utf8Of(password), kind: "password" });
    },
    AUTHENTICATE(tag, [mechanism, initial]) {
      const begin = auth.mechanisms[wordOf(mechanism)];
      if (begin === undefined) return done(tag, "NO no such mechanism");
      const first = initial === undefined ? null : textOf(initial);
      exchange(tag, begin(), first === "=" ? "" : first);
    },
  };

  const afterLogin: Commands = {
    LIST: (tag, values) => list(tag, "LIST", values),
    LSUB: (tag, values) => list(tag, "LSUB", values),
    STATUS(tag, [name, items]) {
      const folder = findFolder(name);
      if (folder === undefined) return done(tag, NO_FOLDER);
      line(folders.statusLine(folder, itemsOf(items).map(wordOf)));
      done(tag, "OK done");
    },
    SELECT: (tag, [name]) => select(tag, name, false),
    EXAMINE: (tag, [name]) => select(tag, name, true),
    IDLE(tag) {
      idling = true;
      line("+ idling");
      announce();
      waiting = (answer) => {
        idling = false;
        done(tag, /^done$/i.test(answer) ? "OK done" : "BAD expected DONE");
      };
    },
  };

  const inFolder = messageCommands({
    selected: () => selected,
    leave: () => (selected = null),
    setFlags: (message, flags) =>
      selected && boxes.setFlags(selected.address, selected.folder, message, flags),
    cut: () => faults.take("imap_cut_in_literal"),
    channel,
    line,
    done,
  });

  function exchange(tag: string, next: auth.Exchange, answer: string | null) {
    const result = next(answer);
    if (result === null) return refuse(tag, "BAD not understood");
    if (!("challenge" in result)) return login(tag, result);
    line(`+ ${result.challenge}`);
    waiting = (reply) => (reply === "*" ? done(tag, "BAD cancelled") : exchange(tag, next, reply));
  }

  function login(tag: string, credentials: auth.Credentials) {
    const ordered = auth.orderedRefusal(faults);
    if (ordered !== null) return refuse(tag, ordered);
    if (auth.checkLogin(options.logins, credentials)) return welcome(tag, credentials.username);
    options.note(`IMAP login refused for ${credentials.username}`);
    if (credentials.kind === "password") return refuse(tag, auth.BAD_CREDENTIALS);
    line(`+ ${auth.TOKEN_REFUSAL}`);
    waiting = () => refuse(tag, auth.BAD_CREDENTIALS);
  }

  function welcome(tag: string, username: string) {
    boxes.open(username);
    address = username.toLowerCase();
    options.note(`IMAP login of ${address}`);
    done(tag, "OK logged in");
    if (faults.take("imap_hang_after_login")) channel.hang();
  }

  function refuse(tag: string, answer: string) {
    done(tag, answer);
    refusals += 1;
    if (refusals < MOST_REFUSALS) return;
    line("* BYE too many failed logins");
    channel.close();
  }

  function list(tag: string, command: string, [reference, pattern]: Value[]) {
    const wanted = textOf(reference) + textOf(pattern);
    for (const each of folders.listLines(command, boxes, address ?? "", wanted)) line(each);
    done(tag, "OK done");
  }

  const findFolder = (name: Value | undefined) =>
    boxes.folder(address ?? "", decodeFolderName(textOf(name)));

  function select(tag: string, name: Value | undefined, readOnly: boolean) {
    selected = null;
    const found = faults.take("imap_folder_gone") ? undefined : findFolder(name);
    if (found === undefined) return done(tag, NO_FOLDER);
    const isRenumbered = faults.take("imap_uidvalidity_changed");
    const folder = isRenumbered ? boxes.renumber(address ?? "", found) : found;
    options.note(`IMAP ${readOnly ? "EXAMINE" : "SELECT"} ${folder.name} of ${address}`);
    for (const each of folders.selectLines(folder, readOnly)) line(each);
    selected = { address: address ?? "", folder, readOnly, announced: folder.messages.length };
    done(tag, readOnly ? "OK [READ-ONLY] opened" : "OK [READ-WRITE] opened");
  }

  function command(text: string) {
    const match = /^([^\s(){%*"\\+]+) ([A-Za-z]+)(?: (.*))?$/s.exec(text);
    if (match === null) return line("* BAD not a command");
    const [, tag = "", verb = "", rest = ""] = match;
    const name = verb.toUpperCase();
    const allowed: Commands = {
      ...anyState,
      ...(address === null ? beforeLogin : afterLogin),
      ...(selected === null ? {} : inFolder),
    };
    const known = allowed[name];
    if (known === undefined) return done(tag, "BAD no such command here");
    try {
      known(tag, readValues(rest));
    } catch (error) {
      if (!(error instanceof ImapSyntaxError)) throw error;
      done(tag, `BAD ${error.message}`);
    }
  }

  return {
    greet() {
      if (!faults.take("imap_bye")) return line(`* OK [CAPABILITY ${CAPABILITIES}] ready`);
      line("* BYE [UNAVAILABLE] not now");
      channel.close();
    },
    take(text: string) {
      const answer = waiting;
      waiting = null;
      if (answer === null) command(text);
      else answer(text);
    },
    end: unwatch,
  };
}

const NO_FOLDER = "NO [NONEXISTENT] no such folder";

export type Commands = Record<string, (tag: string, values: Value[]) => void>;
