import type { BoxMessage } from "./boxes.ts";
import { flagsItem, readFetchItems, uidItem } from "./imap-fetch.ts";
import { type Found, readCriteria } from "./imap-search.ts";
import { chooseMessages, lastOf, type Selected } from "./imap-selection.ts";
import type { Commands, ImapChannel } from "./imap-session.ts";
import { ImapSyntaxError, itemsOf, textOf, type Value, wordOf } from "./imap-syntax.ts";

interface InFolder {
  selected(): Selected | null;
  leave(): void;
  setFlags(message: BoxMessage, flags: Iterable<string>): void;
  /** Whether the next text is to be cut. */
  cut(): boolean;
  channel: ImapChannel;
  line(text: string): void;
  done(tag: string, answer: string): void;
}

/** The commands of an opened folder. Nothing is ever deleted. */
export function messageCommands(session: InFolder): Commands {
  const { line, done, channel } = session;

  function open(): Selected {
    const selected = session.selected();
    if (selected === null) throw new ImapSyntaxError("no folder is open");
    return selected;
  }

  function search(tag: string, values: Value[], byUid: boolean) {
    const selected = open();
    const test = readCriteria(values, lastOf(selected));
    const found: number[] = [];
    for (let index = 0; index < selected.announced; index += 1) {
      const message = selected.folder.messages[index]!;
      if (test({ message, number: index + 1 })) found.push(byUid ? message.uid : index + 1);
    }
    line(["* SEARCH", ...found].join(" "));
    done(tag, "OK done");
  }

  function fetch(tag: string, [set, wanted]: Value[], byUid: boolean) {
    const selected = open();
    const items = readFetchItems(wanted);
    if (byUid && !items.includes(uidItem)) items.unshift(uidItem);
    const reads = !selected.readOnly && items.some((item) => item.reads);
    const hasText = items.some((item) => item.text);
    for (const found of chooseMessages(selected, textOf(set), byUid)) {
      const { message, number } = found;
      const marks = reads && !message.flags.has("\\Seen");
      if (marks) session.setFlags(message, [...message.flags, "\\Seen"]);
      const shown = marks && !items.includes(flagsItem) ? [...items, flagsItem] : items;
      const answer = `* ${number} FETCH (${shown.map((item) => item.answer(message)).join(" ")})`;
      if (hasText && session.cut()) return cutShort(answer);
      line(answer);
    }
    done(tag, "OK done");
  }

  /** Half of the last literal is the last that the client hears. */
  function cutShort(answer: string) {
    const literal = answer.lastIndexOf("}\r\n") + 3;
    channel.send(answer.slice(0, literal + Math.floor((answer.length - literal) / 2)));
    channel.close();
  }

  function store(tag: string, [set, how, flags]: Value[], byUid: boolean) {
    const selected = open();
    if (selected.readOnly) return done(tag, "NO [READ-ONLY] opened by EXAMINE");
    const match = /^([+-]?)FLAGS(\.SILENT)?$/.exec(wordOf(how));
    if (match === null) throw new ImapSyntaxError("what to store is not said");
    const change = changes[match[1] ?? ""]!;
    const given = itemsOf(flags).map(textOf);
    for (const found of chooseMessages(selected, textOf(set), byUid)) {
      session.setFlags(found.message, change(found.message.flags, given));
      if (match[2] === undefined) line(flagsLine(found, byUid));
    }
    done(tag, "OK done");
  }

  const leave = (tag: string) => {
    session.leave();
    done(tag, "OK done");
  };

  const commands: Record<string, (tag: string, values: Value[], byUid: boolean) => void> = {
    SEARCH: search,
    FETCH: fetch,
    STORE: store,
  };
  return {
    SEARCH: (tag, values) => search(tag, values, false),
    FETCH: (tag, values) => fetch(tag, values, false),
    STORE: (tag, values) => store(tag, values, false),
    UID(tag, [verb, ...values]) {
      const known = commands[wordOf(verb)];
      if (known === undefined) throw new ImapSyntaxError("no such command by UID");
      known(tag, values, true);
    },
    CHECK: (tag) => done(tag, "OK done"),
    EXPUNGE: (tag) => done(tag, "NO [CANNOT] nothing is deleted here"),
    CLOSE: leave,
    UNSELECT: leave,
  };
}

const changes: Record<string, (before: Set<string>, given: string[]) => string[]> = {
  "": (_, given) => given,
  "+": (before, given) => [...before, ...given],
  "-": (before, given) => [...before].filter((flag) => !given.includes(flag)),
};

function flagsLine({ message, number }: Found, byUid: boolean): string {
  const uid = byUid ? `${uidItem.answer(message)} ` : "";
  return `* ${number} FETCH (${uid}${flagsItem.answer(message)})`;
}
