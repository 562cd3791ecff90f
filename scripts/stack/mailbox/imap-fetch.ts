import type { BoxMessage } from "./boxes.ts";
import { readSection } from "./imap-sections.ts";
import { bodyStructureOf, envelopeOf } from "./imap-structure.ts";
import { ImapSyntaxError, sentDate, textOf, type Value, itemsOf } from "./imap-syntax.ts";

/** One item of FETCH. */
export interface FetchItem {
  /** What the message answers, name and value. */
  answer(message: BoxMessage): string;
  /** True for what marks a message read (BODY[] and not BODY.PEEK[]). */
  reads: boolean;
  /** True for what sends text of the message. */
  text: boolean;
}

const MACROS: Record<string, string[]> = {
  ALL: ["FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE"],
  FAST: ["FLAGS", "INTERNALDATE", "RFC822.SIZE"],
  FULL: ["FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE", "BODY"],
};

const plainItem = (answer: FetchItem["answer"]): FetchItem => ({
  answer,
  reads: false,
  text: false,
});

export const flagsItem = plainItem(({ flags }) => `FLAGS (${[...flags].join(" ")})`);
export const uidItem = plainItem(({ uid }) => `UID ${uid}`);

const ITEMS: Record<string, FetchItem> = {
  UID: uidItem,
  FLAGS: flagsItem,
  INTERNALDATE: plainItem(({ at }) => `INTERNALDATE ${sentDate(at)}`),
  "RFC822.SIZE": plainItem(({ raw }) => `RFC822.SIZE ${raw.length}`),
  ENVELOPE: plainItem(({ raw }) => `ENVELOPE ${envelopeOf(raw)}`),
  BODY: plainItem(({ raw }) => `BODY ${bodyStructureOf(raw, false)}`),
  BODYSTRUCTURE: plainItem(({ raw }) => `BODYSTRUCTURE ${bodyStructureOf(raw, true)}`),
  RFC822: section("RFC822", "", true),
  "RFC822.HEADER": section("RFC822.HEADER", "HEADER", false),
  "RFC822.TEXT": section("RFC822.TEXT", "TEXT", true),
};

/** The items that a FETCH asks for. Throws ImapSyntaxError. */
export function readFetchItems(value: Value | undefined): FetchItem[] {
  const words = itemsOf(value).map(textOf);
  const macro = words.length === 1 ? MACROS[words[0]?.toUpperCase() ?? ""] : undefined;
  return (macro ?? words).map(readItem);
}

function readItem(word: string): FetchItem {
  const known = ITEMS[word.toUpperCase()];
  if (known !== undefined) return known;
  const match = /^BODY(\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$/is.exec(word);
  if (match === null) throw new ImapSyntaxError(`no such item: ${word.slice(0, 40)}`);
  const [, peek, spec = "", offset, length] = match;
  const name = `BODY[${spec}]${offset === undefined ? "" : `<${offset}>`}`;
  return section(name, spec, peek === undefined, Number(offset ?? 0), Number(length ?? Infinity));
}

/** A literal always, so that a client's reading of literals is put to the test. */
function section(name: string, spec: string, reads: boolean, from = 0, length = Infinity) {
  return {
    reads,
    text: true,
    answer({ raw }: BoxMessage) {
      const text = readSection(raw, spec)?.slice(from, from + length);
      return text === undefined ? `${name} NIL` : `${name} {${text.length}}\r\n${text}`;
    },
  };
}
