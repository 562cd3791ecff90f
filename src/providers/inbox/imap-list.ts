import { folderName, isPrintable, quoted } from "./imap-folder.ts";
import { SMALL_BYTES } from "./imap-read.ts";
import type { ImapResponse } from "./imap-responses.ts";
import type { ImapWire } from "./imap-wire.ts";

/** What a folder is for; `own`: what the mailbox's owner wrote. */
export type FolderPurpose = "inbox" | "spam" | "all" | "trash" | "own" | "other";

export interface ListedFolder {
  /** As people read it. */
  name: string;
  /** As commands have it, with its quotes. */
  argument: string;
  purpose: FolderPurpose;
}

/** A mailbox with more folders is not listed further. */
const MOST_FOLDERS = 500;

/** The special uses of RFC 6154, and the one by which Gmail called junk before there was that. */
const BY_USE: readonly (readonly [use: string, purpose: FolderPurpose])[] = [
  ["\\junk", "spam"],
  ["\\spam", "spam"],
  ["\\all", "all"],
  ["\\trash", "trash"],
  ["\\sent", "own"],
  ["\\drafts", "own"],
];

/** What servers without special uses call their junk folder. */
const SPAM_NAMES =
  /^(junk|spam|bulk|junk[ -]?(e-?)?mail|bulk mail|spamverdacht|courrier ind[ée]sirable|correo no deseado|posta indesiderata|lixo eletr[ôo]nico|ongewenste e-mail)$/i;

/** The folders that can be opened, each by what its server says that it is for, or by its name. */
export async function listFolders(wire: ImapWire, ms: number): Promise<ListedFolder[]> {
  const found: ListedFolder[] = [];
  const result = await wire.command({
    line: 'LIST "" "*"',
    ms,
    bytes: SMALL_BYTES,
    keep: 1024,
    onUntagged(response) {
      const folder = found.length < MOST_FOLDERS ? listedFolder(response) : null;
      if (folder !== null) found.push(folder);
    },
  });
  return result.status === "OK" ? found : [];
}

const LIST = /^\* X?LIST \(([^)]*)\) (?:"(?:\\.|[^"\\])"|NIL) (.+)$/is;

function listedFolder(response: ImapResponse): ListedFolder | null {
  const [first, literal] = response;
  const [, attributes, last] = LIST.exec(typeof first === "string" ? first : "") ?? [];
  if (attributes === undefined || last === undefined) return null;
  const uses = attributes.toLowerCase().split(" ");
  if (uses.includes("\\noselect") || uses.includes("\\nonexistent")) return null;
  const spelling = spellingOf(last, literal);
  // In a command a name with a line's end would be another command.
  if (spelling === null || spelling === "" || !isPrintable(spelling)) return null;
  const name = folderName(spelling);
  return { name, argument: quoted(spelling), purpose: purposeOf(name, uses) };
}

function spellingOf(last: string, literal: ImapResponse[number] | undefined): string | null {
  if (/^\{\d+\+?\}$/.test(last))
    return literal instanceof Uint8Array ? String.fromCharCode(...literal) : null;
  const [, inQuotes] = /^"((?:\\.|[^"\\])*)"$/.exec(last) ?? [];
  return inQuotes === undefined ? last : inQuotes.replace(/\\(.)/g, "$1");
}

function purposeOf(name: string, uses: readonly string[]): FolderPurpose {
  if (/^inbox$/i.test(name)) return "inbox";
  const byUse = BY_USE.find(([use]) => uses.includes(use));
  if (byUse !== undefined) return byUse[1];
  const [last = ""] = /[^/.]*$/.exec(name) ?? [];
  return SPAM_NAMES.test(last) ? "spam" : "other";
}
