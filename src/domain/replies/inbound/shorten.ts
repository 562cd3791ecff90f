/** A run of lines without a boundary is read this far; what follows is an attachment's body. */
const MAX_RUN = 384 * 1024;
/** The reader pays by the line, and empty ones are cheap to send. */
const MAX_RUN_LINES = 8_000;
const MAX_LINES = 60_000;
/** Of 64 MiB of base64 there are 900,000. */
const MAX_SCANNED_LINES = 2_000_000;
const MAX_KEPT = 6 * 1024 * 1024;
/** Parts are cheap to write and not to read: beyond this many delimiter-like lines nothing is kept. */
const MAX_DELIMITERS = 2_000;

const LF = 10;
const CR = 13;
const DASH = 45;

export interface ShortenedMail {
  bytes: Uint8Array;
  truncated: boolean;
}

/**
 * The mail with long bodies cut, so that reading it takes bounded time and memory whatever was sent:
 * lines that may be multipart delimiters stay, and after each of them the first lines. Also undone:
 * an mbox "From " line, empty lines before the header, and lines that end in CR alone.
 */
export function shortenMail(raw: Uint8Array): ShortenedMail {
  let input = raw.subarray(startOfHeader(raw));
  if (hasOnlyCr(input)) {
    input = input.slice(0, MAX_KEPT);
    for (let at = 0; at < input.length; at++) if (input[at] === CR) input[at] = LF;
  }
  const kept = new Uint8Array(Math.min(input.length, MAX_KEPT));
  let length = 0;
  let run = 0;
  let runLines = 0;
  let lines = 0;
  let delimiters = 0;
  let truncated = false;
  let scanned = 0;
  for (let at = 0; at < input.length;) {
    if (++scanned > MAX_SCANNED_LINES) return { bytes: kept.subarray(0, length), truncated: true };
    const lineFeed = input.indexOf(LF, at);
    const end = lineFeed === -1 ? input.length : lineFeed + 1;
    if (input[at] === DASH && input[at + 1] === DASH && end - at < 200) {
      run = 0;
      runLines = 0;
      delimiters++;
    }
    if (++runLines > MAX_RUN_LINES) run = MAX_RUN;
    const room = Math.min(end - at, MAX_RUN - run, kept.length - length);
    if (room === 0 || delimiters > MAX_DELIMITERS) truncated = true;
    else {
      kept.set(input.subarray(at, at + room), length);
      lines++;
      length += room;
      run += room;
      if (room < end - at) {
        truncated = true;
        // The rest of a cut line is no line of its own; the delimiter that follows needs its line end.
        if (length < kept.length) kept[length++] = LF;
        run = MAX_RUN;
      }
    }
    if (length >= kept.length || delimiters > MAX_DELIMITERS || lines > MAX_LINES) {
      truncated ||= end < input.length;
      break;
    }
    at = end;
  }
  return { bytes: kept.subarray(0, length), truncated };
}

function startOfHeader(raw: Uint8Array): number {
  let at = 0;
  if (raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf) at = 3;
  const limit = Math.min(raw.length, 4_096);
  while (at < limit && (raw[at] === CR || raw[at] === LF)) at++;
  const isMbox = [70, 114, 111, 109, 32].every((byte, index) => raw[at + index] === byte);
  if (!isMbox) return at;
  const lineFeed = raw.indexOf(LF, at);
  return lineFeed === -1 || lineFeed > 4_096 ? at : lineFeed + 1;
}

function hasOnlyCr(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 64 * 1024);
  return head.includes(CR) && !head.includes(LF);
}
