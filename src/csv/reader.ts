import { CsvFault } from "./fault.ts";

/** One record of the file. `line` is where it starts, counted from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

export const CSV_LIMITS = { recordCharacters: 1024 * 1024, columns: 500 };

export interface CsvReader {
  /** Takes the next piece of text, cut anywhere, and gives the records that are complete. */
  push(text: string): CsvRecord[];
  /** The record that no line break ended. */
  end(): CsvRecord[];
}

const QUOTE = 34;
const LF = 10;
const CR = 13;

/**
 * Reads CSV (RFC 4180) piece by piece. Lines end in CRLF, LF or CR, mixed if need be; a quote opens
 * a quoted cell only as its first character, and text behind the closing quote is kept. Blank lines
 * are no records. Memory is bounded by one record. Throws CsvFault.
 */
export function createCsvReader(delimiter: string, firstLine = 1): CsvReader {
  const separator = delimiter.charCodeAt(0);
  let line = firstLine;
  let recordLine = firstLine;
  let quoteLine = firstLine;
  let cells: string[] = [];
  /** What earlier pieces hold of the present cell. */
  let cell = "";
  let size = 0;
  let quoted = false;
  /** A quoted cell is over; more text may still follow. */
  let closed = false;
  /** The last character was a quote inside quotes: an end, or the first half of a doubled one. */
  let pendingQuote = false;
  let pendingCr = false;
  /** A piece ended between the CR and the LF of a quoted line break. */
  let crInQuotes = false;
  let cellStarted = false;
  let out: CsvRecord[] = [];

  const keep = (text: string) => {
    size += text.length;
    if (size > CSV_LIMITS.recordCharacters)
      throw new CsvFault(
        "ROW_TOO_LARGE",
        recordLine,
        quoted
          ? `The quoted text that starts on line ${quoteLine} is longer than ${CSV_LIMITS.recordCharacters} characters; is its closing quote missing?`
          : `The row on line ${recordLine} is longer than ${CSV_LIMITS.recordCharacters} characters.`,
      );
    cell += text;
  };
  const endCell = () => {
    cells.push(cell);
    if (cells.length > CSV_LIMITS.columns)
      throw new CsvFault(
        "TOO_MANY_COLUMNS",
        recordLine,
        `Line ${recordLine} has more than ${CSV_LIMITS.columns} columns.`,
      );
    cell = "";
    closed = false;
    cellStarted = false;
  };
  const endRecord = () => {
    const blank = cells.length === 0 && cell === "" && !closed;
    if (!blank) {
      endCell();
      out.push({ line: recordLine, cells });
    }
    cells = [];
    size = 0;
    closed = false;
    cellStarted = false;
    recordLine = line;
  };

  function readQuoted(text: string, from: number): number {
    const at = text.indexOf('"', from);
    const end = at === -1 ? text.length : at;
    const piece = text.slice(from, end);
    line += countLines(piece, crInQuotes);
    crInQuotes = piece === "" ? crInQuotes && at === -1 : piece.charCodeAt(piece.length - 1) === CR;
    keep(piece);
    if (at !== -1) {
      quoted = false;
      pendingQuote = true;
      return at + 1;
    }
    return end;
  }

  function readPlain(text: string, from: number): number {
    let end = from;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === separator || code === LF || code === CR) break;
      if (code === QUOTE && end === from && !cellStarted && !closed) {
        cellStarted = true;
        quoted = true;
        quoteLine = line;
        crInQuotes = false;
        return end + 1;
      }
    }
    if (end > from) {
      cellStarted = true;
      keep(text.slice(from, end));
    }
    if (end === text.length) return end;
    const code = text.charCodeAt(end);
    if (code === separator) {
      size += 1;
      endCell();
      return end + 1;
    }
    line += 1;
    pendingCr = code === CR;
    endRecord();
    return end + 1;
  }

  return {
    push(text) {
      out = [];
      let at = 0;
      while (at < text.length) {
        if (pendingCr) {
          pendingCr = false;
          if (text.charCodeAt(at) === LF) {
            at += 1;
            continue;
          }
        }
        if (pendingQuote) {
          pendingQuote = false;
          if (text.charCodeAt(at) === QUOTE) {
            keep('"');
            quoted = true;
            at += 1;
            continue;
          }
          closed = true;
        }
        at = quoted ? readQuoted(text, at) : readPlain(text, at);
      }
      return out;
    },
    end() {
      out = [];
      if (quoted)
        throw new CsvFault(
          "UNCLOSED_QUOTE",
          quoteLine,
          `The quote that opens on line ${quoteLine} is never closed.`,
        );
      if (pendingQuote) closed = true;
      pendingQuote = false;
      endRecord();
      return out;
    },
  };
}

/** Line breaks within a quoted text; CRLF is one, also when it is cut in two. */
function countLines(text: string, afterCr: boolean): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === CR) count += 1;
    else if (code === LF && !(index > 0 ? text.charCodeAt(index - 1) === CR : afterCr)) count += 1;
  }
  return count;
}
