import * as crypto from "node:crypto";
import * as fs from "node:fs";
import type { ReceivedMessage } from "./smtp-server.ts";

/** What the server accepted, and what it told the client: the record that a sender's own books are checked against. */
export interface WireEntry {
  /** When the last octet was in, ISO 8601. */
  at: string;
  /** Number of the connection, counted from the start of this process. */
  connection: number;
  /** Id of the stored message; it may have been deleted since. */
  id: string;
  envelope: { from: string; to: string[] };
  /** Message-ID with its angle brackets, or null. */
  message_id: string | null;
  /** In-Reply-To, References, Feedback-ID and every X- and List- header, names in lower case, unfolded. */
  headers: Record<string, string>;
  /** Octets, dots unstuffed. */
  size: number;
  /** The last reply, or null when the client was left without one. */
  reply: string | null;
}

export interface KeptMessage {
  entry: WireEntry;
  raw: Buffer;
}

export interface MessageStore {
  add(message: ReceivedMessage): WireEntry;
  /** Messages not deleted, oldest first. */
  kept(): KeptMessage[];
  find(id: string): KeptMessage | undefined;
  /** Every acceptance since the last `clear`, deleted messages included. */
  entries(): WireEntry[];
  /** Deletes the messages and keeps the entries. */
  deleteAll(): void;
  clear(): void;
  close(): void;
}

/**
 * Messages in memory and, with a file, on disk too: an append-only log of
 * `JSON line, raw octets, LF` records, written before the client hears "250".
 * A record that a crash cut short is dropped at the next start.
 */
export function openMessageStore(file: string | undefined): MessageStore {
  let entries: WireEntry[] = [];
  const messages = new Map<string, KeptMessage>();
  if (file !== undefined && fs.existsSync(file)) {
    for (const { entry, raw } of readRecords(fs.readFileSync(file))) {
      entries.push(entry);
      if (raw !== null) messages.set(entry.id, { entry, raw });
    }
  }
  let log = file === undefined ? undefined : rewrite(file, entries, messages);

  function startOver(path: string) {
    if (log !== undefined) fs.closeSync(log);
    log = rewrite(path, entries, messages);
  }

  return {
    add(message) {
      const { raw } = message;
      const headers = headersOf(raw);
      const entry: WireEntry = {
        at: new Date().toISOString(),
        connection: message.connection,
        id: crypto.randomUUID(),
        envelope: message.envelope,
        message_id: headers["message-id"] ?? null,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isLogged(name))),
        size: raw.length,
        reply: message.reply,
      };
      if (log !== undefined) fs.writevSync(log, record(entry, raw));
      entries.push(entry);
      messages.set(entry.id, { entry, raw });
      return entry;
    },
    kept: () => [...messages.values()],
    find: (id) => messages.get(id),
    entries: () => [...entries],
    deleteAll() {
      messages.clear();
      if (file !== undefined) startOver(file);
    },
    clear() {
      entries = [];
      messages.clear();
      if (file !== undefined) startOver(file);
    },
    close() {
      if (log !== undefined) fs.closeSync(log);
      log = undefined;
    },
  };
}

function isLogged(name: string): boolean {
  return ["in-reply-to", "references", "feedback-id"].includes(name) || /^(?:x|list)-/.test(name);
}

/** Headers by lower-cased name, unfolded, undecoded; the first of each name. */
function headersOf(raw: Buffer): Record<string, string> {
  const end = raw.indexOf("\r\n\r\n");
  const block = raw.toString("utf8", 0, end < 0 ? raw.length : end);
  const headers: Record<string, string> = {};
  for (const line of block.replace(/\r\n(?=[ \t])/g, "").split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    headers[line.slice(0, colon).toLowerCase()] ??= line.slice(colon + 1).trim();
  }
  return headers;
}

const LF = Buffer.from("\n");

function record(entry: WireEntry, raw: Buffer | null): Buffer[] {
  const head = Buffer.from(`${JSON.stringify({ ...entry, raw: raw?.length ?? null })}\n`);
  return raw === null ? [head] : [head, raw, LF];
}

function* readRecords(bytes: Buffer): Generator<{ entry: WireEntry; raw: Buffer | null }> {
  let at = 0;
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd < 0) return;
    const { raw: length, ...entry } = JSON.parse(
      bytes.toString("utf8", at, lineEnd),
    ) as WireEntry & {
      raw: number | null;
    };
    at = lineEnd + 1;
    if (length === null) {
      yield { entry, raw: null };
      continue;
    }
    if (at + length >= bytes.length) return;
    yield { entry, raw: Buffer.from(bytes.subarray(at, at + length)) };
    at += length + 1;
  }
}

/** Writes the whole log anew and atomically; returns a descriptor for appending to it. */
function rewrite(file: string, entries: WireEntry[], messages: Map<string, KeptMessage>): number {
  const fresh = `${file}.new`;
  const log = fs.openSync(fresh, "w", 0o600);
  for (const entry of entries)
    fs.writevSync(log, record(entry, messages.get(entry.id)?.raw ?? null));
  fs.renameSync(fresh, file);
  return log;
}
