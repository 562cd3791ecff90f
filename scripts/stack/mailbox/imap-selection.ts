import type { BoxMessage, Folder } from "./boxes.ts";
import type { Found, Last } from "./imap-search.ts";
import { ImapSyntaxError, readSet } from "./imap-syntax.ts";

/** The folder that a session has opened, as far as it has been told of it. */
export interface Selected {
  address: string;
  folder: Folder;
  readOnly: boolean;
  /** How many messages the client knows of; later ones have no number yet. */
  announced: number;
}

export const lastOf = ({ folder, announced }: Selected): Last => ({
  uid: folder.messages[announced - 1]?.uid ?? 0,
  number: announced,
});

/** The messages of a sequence set, in the folder's order. Throws ImapSyntaxError for a position that there is not. */
export function chooseMessages(selected: Selected, set: string, byUid: boolean): Found[] {
  const { folder, announced } = selected;
  const last = lastOf(selected);
  const chosen = new Set<number>();
  for (const [from, to] of readSet(set, byUid ? last.uid : last.number)) {
    if (!byUid && (from < 1 || to > announced)) throw new ImapSyntaxError("no such message");
    const first = byUid ? firstFrom(folder.messages, from) : from - 1;
    for (let index = first; index < announced; index += 1) {
      if (byUid ? folder.messages[index]!.uid > to : index >= to) break;
      chosen.add(index);
    }
  }
  return [...chosen]
    .toSorted((a, b) => a - b)
    .map((index) => ({ message: folder.messages[index]!, number: index + 1 }));
}

/** Index of the first message with that UID or a later one. */
function firstFrom(messages: BoxMessage[], uid: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (messages[middle]!.uid < uid) low = middle + 1;
    else high = middle;
  }
  return low;
}
