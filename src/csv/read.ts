import { CsvFault } from "./fault.ts";
import { createCsvReader, type CsvReader, type CsvRecord } from "./reader.ts";

const DELIMITERS = [",", ";", "\t", "|"];
/** The delimiter is guessed from the first line, or from this much of it. */
const GUESS_CHARACTERS = 64 * 1024;
/** The mark is not part of the text; what is not the encoding is refused. */
const STRICT = { fatal: true, ignoreBOM: false };

/**
 * The records of a CSV file that arrives in pieces. UTF-8, or UTF-16 with a byte order mark; comma,
 * semicolon, tab or bar, whichever the first line has most of, if the delimiter is not known. Throws CsvFault.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  delimiter?: string,
): AsyncGenerator<CsvRecord[]> {
  let reader: CsvReader | null = delimiter === undefined ? null : createCsvReader(delimiter);
  let head = "";
  for await (const text of decode(bytes)) {
    if (reader !== null) {
      yield reader.push(text);
      continue;
    }
    head += text;
    if (!hasWholeLine(head) && head.length < GUESS_CHARACTERS) continue;
    const start = begin(head);
    reader = start.reader;
    yield reader.push(start.text);
  }
  if (reader === null) {
    const start = begin(head);
    reader = start.reader;
    yield reader.push(start.text);
  }
  yield reader.end();
}

/** Excel writes and reads a first line `sep=;` that names the delimiter. */
function begin(head: string): { reader: CsvReader; text: string } {
  const named = /^sep=([,;\t|])(\r\n|\n|\r)/i.exec(head);
  if (named !== null)
    return { reader: createCsvReader(named[1]!, 2), text: head.slice(named[0].length) };
  return { reader: createCsvReader(guessDelimiter(head), 1), text: head };
}

/** Where the first line ends: at its line break outside quotes, or -1. */
function firstLineEnd(head: string): number {
  let quoted = false;
  for (let index = 0; index < head.length; index++) {
    const character = head[index];
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) return index;
  }
  return -1;
}

/** Whether the first line is here, a CRLF with both its halves. */
function hasWholeLine(head: string): boolean {
  const end = firstLineEnd(head);
  return end !== -1 && (head[end] === "\n" || end + 1 < head.length);
}

function guessDelimiter(head: string): string {
  const end = firstLineEnd(head);
  const line = (end === -1 ? head : head.slice(0, end)).replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length - 1);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let head = new Uint8Array();
  for await (const piece of bytes) {
    if (decoder !== null) {
      yield decodePiece(decoder, piece);
      continue;
    }
    head = concat(head, piece);
    if (head.length < 4) continue;
    decoder = chooseDecoder(head);
    yield requireUtf8(decodePiece(decoder, head));
  }
  if (decoder === null) {
    decoder = chooseDecoder(head);
    yield requireUtf8(decodePiece(decoder, head));
  }
  yield decodePiece(decoder, null);
}

/** A byte order mark decides; it is not part of the text. */
function chooseDecoder(head: Uint8Array): TextDecoder {
  const [a, b, c, d] = head;
  if (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04)
    throw new CsvFault(
      "NOT_CSV",
      1,
      "This is a spreadsheet or zip file, not CSV; save the sheet as CSV (UTF-8) and upload that.",
    );
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le", STRICT);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be", STRICT);
  return new TextDecoder("utf-8", STRICT);
}

function decodePiece(decoder: TextDecoder, piece: Uint8Array | null): string {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    throw notUtf8();
  }
}

/** The head of a file: UTF-16 without its mark is full of NUL characters. A few are what their rows are refused for. */
function requireUtf8(head: string): string {
  const nuls = head.split("\u0000").length - 1;
  if (nuls > 0 && nuls >= head.length / 4) throw notUtf8();
  return head;
}

const notUtf8 = () =>
  new CsvFault(
    "NOT_UTF8",
    1,
    'The file is not UTF-8 text; in the spreadsheet program, save it as "CSV UTF-8".',
  );

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
