import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** A keyed collection whose changes are in the state file when the call returns. */
export interface Table<T> {
  get(id: string): T | undefined;
  /** Also after changing a value in place. */
  put(id: string, value: T): void;
  delete(id: string): boolean;
  values(): T[];
  entries(): Iterable<[string, T]>;
  readonly size: number;
}

export interface Journal {
  /** The collection of that name, with what the file held of it. */
  table<T>(name: string): Table<T>;
  close(): void;
}

interface Line {
  table: string;
  id: string;
  /** null: deleted. */
  value: unknown;
}

/**
 * Keeps everything in memory and, if a file is named, a journal of changes there, one JSON line each:
 * appended as they happen, rewritten (atomically) at the start and when most of it is history.
 */
export function openJournal(file?: string): Journal {
  const maps = new Map<string, Map<string, unknown>>();
  const journal = file === undefined ? null : openFile(file, maps);
  return {
    table<T>(name: string): Table<T> {
      const map = (maps.get(name) ?? new Map()) as Map<string, T>;
      maps.set(name, map);
      return {
        get: (id) => map.get(id),
        put(id, value) {
          map.set(id, value);
          journal?.append({ table: name, id, value });
        },
        delete(id) {
          if (!map.delete(id)) return false;
          journal?.append({ table: name, id, value: null });
          return true;
        },
        values: () => [...map.values()],
        entries: () => map.entries(),
        get size() {
          return map.size;
        },
      };
    },
    close: () => journal?.close(),
  };
}

const MIN_LINES_TO_REWRITE = 10_000;

function openFile(file: string, maps: Map<string, Map<string, unknown>>) {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) replay(file, maps);
  let lines = 0;
  let descriptor: number | null = null;

  const rewrite = () => {
    const live = [...maps].flatMap(([table, map]) =>
      [...map].map(([id, value]): Line => ({ table, id, value })),
    );
    writeFileSync(`${file}.new`, live.map((line) => `${JSON.stringify(line)}\n`).join(""), {
      mode: 0o600,
    });
    const rewritten = openSync(`${file}.new`, "a");
    renameSync(`${file}.new`, file);
    if (descriptor !== null) closeSync(descriptor);
    descriptor = rewritten;
    lines = live.length;
  };
  rewrite();

  return {
    append(line: Line) {
      if (descriptor === null) throw new Error(`${file} is closed`);
      appendWhole(descriptor, `${JSON.stringify(line)}\n`);
      const live = [...maps.values()].reduce((sum, map) => sum + map.size, 0);
      if (++lines < MIN_LINES_TO_REWRITE || lines < 4 * live) return;
      try {
        rewrite();
      } catch {
        // The change is in the file, which only stays longer; the next one tries again.
      }
    },
    close() {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

/** A full disk takes a part of the line; the next one must not be appended to it. */
function appendWhole(descriptor: number, line: string): void {
  const { size } = fstatSync(descriptor);
  try {
    // Unlike writeSync, goes on after a write that took only a part.
    writeFileSync(descriptor, line);
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
}

function replay(file: string, maps: Map<string, Map<string, unknown>>): void {
  const text = readFileSync(file, "utf8");
  // A process killed while writing leaves an incomplete last line, whose change no client was told of.
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const change = parse(line);
    if (change === null) {
      console.warn(`${file}:${index + 1} is broken and left out; its change is lost.`);
      continue;
    }
    const { table, id, value } = change;
    const map = maps.get(table) ?? new Map<string, unknown>();
    maps.set(table, map);
    if (value === null) map.delete(id);
    else map.set(id, value);
  }
}

function parse(line: string): Line | null {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return null;
  }
}
