const EMPTY: Buffer = Buffer.alloc(0);
const CRLF = Buffer.from("\r\n");
const END_OF_DATA = Buffer.from("\r\n.\r\n");
const DOT_LINE = Buffer.from("\r\n.");
const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;

/** RFC 5321 asks for 512 octets a command line plus what extensions add; RFC 4954 for 12,288 in AUTH. */
const LINE_LIMIT = 12_288;

export type SmtpInputEvent =
  | { kind: "line"; line: Buffer }
  | { kind: "bad_line"; reason: "lineTooLong" | "bareLineFeed" }
  /** A whole message after DATA, dots unstuffed; null when it was too big to keep. */
  | { kind: "message"; body: Buffer | null }
  /** A whole chunk after BDAT; null when it was not wanted. */
  | { kind: "chunk"; bytes: Buffer | null };

export interface SmtpInput {
  push(bytes: Buffer): void;
  /** The next complete item of the current mode, or null when more bytes are needed. Back to lines after each item. */
  next(): SmtpInputEvent | null;
  expectMessage(sizeLimit: number): void;
  expectChunk(size: number, keep: boolean): void;
  /** Forgets what has arrived but was not read yet. */
  discard(): void;
}

type Mode =
  | { kind: "lines"; skipping: boolean }
  | { kind: "message"; parts: Buffer[]; size: number; keepAtMost: number; tail: Buffer }
  | { kind: "chunk"; parts: Buffer[]; missing: number; keep: boolean };

/** Cuts a stream of bytes into command lines, DATA messages and BDAT chunks, whatever the sizes in which it arrives. */
export function createSmtpInput(): SmtpInput {
  let rest = EMPTY;
  let mode: Mode = { kind: "lines", skipping: false };

  function nextLine(state: Extract<Mode, { kind: "lines" }>): SmtpInputEvent | null {
    const end = rest.indexOf(LF);
    if (end < 0) {
      if (rest.length <= LINE_LIMIT && !state.skipping) return null;
      state.skipping = true;
      rest = EMPTY;
      return null;
    }
    const line = rest.subarray(0, end);
    rest = rest.subarray(end + 1);
    if (state.skipping || line.length > LINE_LIMIT) {
      state.skipping = false;
      return { kind: "bad_line", reason: "lineTooLong" };
    }
    if (line.at(-1) !== CR) return { kind: "bad_line", reason: "bareLineFeed" };
    return { kind: "line", line: line.subarray(0, -1) };
  }

  function nextMessage(state: Extract<Mode, { kind: "message" }>): SmtpInputEvent | null {
    if (rest.length === 0) return null;
    const end = endOfData(state.tail, rest);
    const taken = end === null ? rest : rest.subarray(0, end);
    state.size += taken.length;
    if (state.size <= state.keepAtMost) state.parts.push(taken);
    else state.parts = [];
    state.tail = lastOctets(state.tail, taken);
    rest = end === null ? EMPTY : rest.subarray(end);
    if (end === null) return null;
    mode = { kind: "lines", skipping: false };
    if (state.size > state.keepAtMost) return { kind: "message", body: null };
    const octets = Buffer.concat(state.parts, state.size);
    return { kind: "message", body: unstuffDots(octets.subarray(0, -3)) };
  }

  function nextChunk(state: Extract<Mode, { kind: "chunk" }>): SmtpInputEvent | null {
    const taken = rest.subarray(0, state.missing);
    state.missing -= taken.length;
    if (state.keep) state.parts.push(taken);
    rest = rest.subarray(taken.length);
    if (state.missing > 0) return null;
    mode = { kind: "lines", skipping: false };
    return { kind: "chunk", bytes: state.keep ? Buffer.concat(state.parts) : null };
  }

  return {
    push(bytes) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    },
    next() {
      if (mode.kind === "lines") return nextLine(mode);
      return mode.kind === "message" ? nextMessage(mode) : nextChunk(mode);
    },
    expectMessage(sizeLimit) {
      // Stuffing adds at most one octet to a line of three (".", CR, LF).
      const keepAtMost = Math.ceil((sizeLimit * 4) / 3) + 3;
      // The CRLF that ended the DATA line counts as the one before a leading dot.
      mode = { kind: "message", parts: [], size: 0, keepAtMost, tail: CRLF };
    },
    expectChunk(size, keep) {
      mode = { kind: "chunk", parts: [], missing: size, keep };
    },
    discard() {
      rest = EMPTY;
    },
  };
}

/** Where in `bytes` the terminator ends, which may have begun in the octets before (`tail`, at most four). */
function endOfData(tail: Buffer, bytes: Buffer): number | null {
  const seam = Buffer.concat([tail, bytes.subarray(0, 4)]);
  const atSeam = seam.indexOf(END_OF_DATA);
  if (atSeam >= 0) return atSeam + END_OF_DATA.length - tail.length;
  const at = bytes.indexOf(END_OF_DATA);
  return at < 0 ? null : at + END_OF_DATA.length;
}

function lastOctets(before: Buffer, bytes: Buffer): Buffer {
  const joined = bytes.length >= 4 ? bytes : Buffer.concat([before, bytes]);
  // A copy: a view would keep the whole received block alive.
  return Buffer.from(joined.subarray(-4));
}

/** RFC 5321 section 4.5.2: the first dot of a line that begins with one is not part of the message. */
function unstuffDots(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = body[0] === DOT ? 1 : 0;
  for (let at = body.indexOf(DOT_LINE); at >= 0; at = body.indexOf(DOT_LINE, at + 2)) {
    parts.push(body.subarray(from, at + 2));
    from = at + 3;
  }
  if (parts.length === 0) return body.subarray(from);
  parts.push(body.subarray(from));
  return Buffer.concat(parts);
}

/** What RFC 5321 sections 2.3.8 and 4.5.3.1.6 forbid in a message, or null. */
export function lineProblem(body: Buffer): "badLineEnding" | "bodyLineTooLong" | null {
  let start = 0;
  for (let at = body.indexOf(LF); at >= 0; at = body.indexOf(LF, start)) {
    if (at === 0 || body[at - 1] !== CR) return "badLineEnding";
    if (at - 1 - start > 998) return "bodyLineTooLong";
    start = at + 1;
  }
  if (body.length - start > 998) return "bodyLineTooLong";
  for (let at = body.indexOf(CR); at >= 0; at = body.indexOf(CR, at + 1)) {
    if (body[at + 1] !== LF) return "badLineEnding";
  }
  return null;
}
