import type { Boxes, Folder } from "./boxes.ts";
import { encodeFolderName, isListed } from "./imap-names.ts";
import { ImapSyntaxError, sentString } from "./imap-syntax.ts";

const FLAGS = "\\Answered \\Flagged \\Deleted \\Seen \\Draft";

/** The lines of LIST and LSUB. */
export function listLines(command: string, boxes: Boxes, address: string, pattern: string) {
  if (pattern === "") return [`* ${command} (\\Noselect) "/" ""`];
  return boxes
    .folders(address)
    .map(({ name }) => encodeFolderName(name))
    .filter((name) => isListed(pattern.replace(/^inbox$/i, "INBOX"), name))
    .map((name) => `* ${command} () "/" ${sentString(name)}`);
}

const isUnseen = ({ flags }: Folder["messages"][number]): boolean => !flags.has("\\Seen");
const nextUid = ({ messages }: Folder): number => (messages.at(-1)?.uid ?? 0) + 1;

const STATUS: Record<string, (folder: Folder) => number> = {
  MESSAGES: ({ messages }) => messages.length,
  RECENT: () => 0,
  UIDNEXT: nextUid,
  UIDVALIDITY: ({ uidValidity }) => uidValidity,
  UNSEEN: ({ messages }) => messages.filter(isUnseen).length,
};

export function statusLine(folder: Folder, items: string[]): string {
  const values = items.map((item) => {
    const known = STATUS[item];
    if (known === undefined) throw new ImapSyntaxError("no such status item");
    return `${item} ${known(folder)}`;
  });
  return `* STATUS ${sentString(encodeFolderName(folder.name))} (${values.join(" ")})`;
}

/** What SELECT and EXAMINE tell before their OK. */
export function selectLines(folder: Folder, readOnly: boolean): string[] {
  const unseen = folder.messages.findIndex(isUnseen);
  return [
    `* FLAGS (${FLAGS})`,
    `* ${folder.messages.length} EXISTS`,
    "* 0 RECENT",
    ...(unseen < 0 ? [] : [`* OK [UNSEEN ${unseen + 1}] first unseen`]),
    `* OK [PERMANENTFLAGS (${readOnly ? "" : `${FLAGS} \\*`})] flags`,
    `* OK [UIDNEXT ${nextUid(folder)}] next`,
    `* OK [UIDVALIDITY ${folder.uidValidity}] valid`,
  ];
}
