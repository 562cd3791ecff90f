import { type Journal, openJournal } from "../journal.ts";
import { operatorOf } from "./operators.ts";

/** A message in a sender's mailbox. */
export interface BoxMessage {
  uid: number;
  /** When it arrived, ISO 8601. */
  at: string;
  /** Its octets, one a character: header and text are searched and cut by position. */
  raw: string;
}

export interface Folder {
  name: string;
  uidValidity: number;
  /** In the order in which they came, which is that of their UIDs. */
  messages: BoxMessage[];
}

export interface PutOptions {
  folder?: string;
  at?: Date;
}

/** Mailboxes of senders at their provider, by address. */
export interface Boxes {
  /** Gives the address a mailbox with the empty folders of its operator, if it has none. */
  open(address: string): void;
  has(address: string): boolean;
  addresses(): string[];
  folders(address: string): Folder[];
  folder(address: string, name: string): Folder | undefined;
  /** Lays a message into the mailbox; its line ends become CRLF. */
  put(address: string, raw: string | Buffer, options?: PutOptions): BoxMessage;
  /** Deletes a message for good. */
  remove(address: string, folder: Folder, uid: number): void;
  /** The same messages by other UIDs, as after a provider has restored a folder. */
  renumber(address: string, folder: Folder): Folder;
  /** Calls back when a mailbox got a message, until the returned function is called. */
  watch(listener: (address: string) => void): () => void;
  clear(): void;
  close(): void;
}

/** A mailbox whose owner deletes has gaps; a client that takes UIDs for positions is to notice. */
const UID_STEP = 3;

interface KeptFolder {
  address: string;
  name: string;
  uidValidity: number;
}
type KeptMessage = KeptFolder & BoxMessage;

/** Mailboxes in memory and, with a file, in its journal too. */
export function openBoxes(file: string | undefined): Boxes {
  const journal = openJournal(file);
  const kept = openTables(journal);
  const boxes = new Map<string, Map<string, Folder>>();
  const listeners = new Set<(address: string) => void>();
  for (const each of kept.folders.values()) addFolder(each);
  for (const each of kept.messages.values()) {
    const { uid, at, raw } = each;
    find(each.address, each.name)?.messages.push({ uid, at, raw });
  }

  function find(address: string, name: string): Folder | undefined {
    return boxes.get(plain(address))?.get(folderName(name));
  }

  function addFolder({ address, name, uidValidity }: KeptFolder): Folder {
    const folder = { name, uidValidity, messages: [] };
    const box = boxes.get(address) ?? new Map<string, Folder>();
    boxes.set(address, box.set(name, folder));
    return folder;
  }

  function requireFolder(address: string, name: string): Folder {
    const known = find(address, name);
    if (known !== undefined) return known;
    const fresh = {
      address: plain(address),
      name: folderName(name),
      uidValidity: Math.floor(Date.now() / 1000),
    };
    kept.folders.put(folderKey(fresh), fresh);
    return addFolder(fresh);
  }

  function keep(address: string, folder: Folder, message: BoxMessage) {
    const row = { ...message, address, ...namesOf(folder) };
    kept.messages.put(messageKey(row), row);
  }

  return {
    open(address) {
      for (const name of Object.keys(operatorOf(address).folders)) requireFolder(address, name);
    },
    has: (address) => boxes.has(plain(address)),
    addresses: () => [...boxes.keys()],
    folders: (address) => [...(boxes.get(plain(address))?.values() ?? [])],
    folder: find,
    put(address, raw, { folder: name = INBOX, at = new Date() } = {}) {
      requireFolder(address, INBOX);
      const folder = requireFolder(address, name);
      const message: BoxMessage = {
        uid: (folder.messages.at(-1)?.uid ?? 1) + UID_STEP,
        at: at.toISOString(),
        raw: octets(raw),
      };
      folder.messages.push(message);
      keep(plain(address), folder, message);
      for (const listener of listeners) listener(plain(address));
      return message;
    },
    remove(address, folder, uid) {
      folder.messages = folder.messages.filter((message) => message.uid !== uid);
      kept.messages.delete(messageKey({ address: plain(address), ...namesOf(folder), uid }));
    },
    renumber(address, old) {
      const row = { address: plain(address), name: old.name, uidValidity: old.uidValidity + 1 };
      kept.folders.put(folderKey(row), row);
      const folder = addFolder(row);
      for (const [index, message] of old.messages.entries()) {
        kept.messages.delete(messageKey({ ...row, ...namesOf(old), uid: message.uid }));
        const moved = { ...message, uid: (index + 1) * UID_STEP - 1 };
        folder.messages.push(moved);
        keep(row.address, folder, moved);
      }
      return folder;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear() {
      boxes.clear();
      for (const table of Object.values(kept)) {
        for (const [key] of [...table.entries()]) table.delete(key);
      }
    },
    close: () => journal.close(),
  };
}

export const INBOX = "INBOX";

const openTables = (journal: Journal) => ({
  folders: journal.table<KeptFolder>("folders"),
  messages: journal.table<KeptMessage>("messages"),
});

const plain = (address: string): string => address.trim().toLowerCase();
const folderName = (name: string): string => (/^inbox$/i.test(name) ? INBOX : name);
const namesOf = ({ name, uidValidity }: Folder) => ({ name, uidValidity });
const folderKey = ({ address, name }: KeptFolder): string => `${address} ${name}`;
const messageKey = (of: KeptFolder & { uid: number }): string =>
  `${folderKey(of)} ${of.uidValidity} ${of.uid}`;

function octets(raw: string | Buffer): string {
  const bytes = typeof raw === "string" ? Buffer.from(raw) : raw;
  return bytes.toString("latin1").replace(/\r?\n/g, "\r\n");
}
