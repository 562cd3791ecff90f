/** A response as it stood on the wire: text, with the literals that interrupt it. */
export type ImapPart = string | Uint8Array<ArrayBuffer>;
export type ImapResponse = readonly ImapPart[];

/** The server does not speak the protocol, or says more than it was asked. */
export class ImapProtocolError extends Error {
  override readonly name = "ImapProtocolError";
}

export interface ResponseReader {
  /** Throws ImapProtocolError. */
  push(chunk: Uint8Array): void;
  take(): ImapResponse | undefined;
  /** From here on the server may send so many bytes; of each literal the first `keep` are kept. */
  allow(bytes: number, keep: number): void;
}

/** The most that a server may say before it was asked anything. */
const GREETING_BYTES = 64 * 1024;
/** A line is seldom longer; one that is costs what it takes. */
const FIRST_LINE_BYTES = 1024;
const LF = 10;
const CR = 13;

/** Text that a server writes for people may end as a literal begins. */
const FREE_TEXT = /^(\S+ (OK|NO|BAD|BYE|PREAUTH)\b|\+)/i;
const LITERAL = /~?\{(\d{1,20})\+?\}$/;

/** What a server says to people is UTF-8 (RFC 6855, RFC 9051 section 4.3); of an older one each byte by itself. */
function wordsOf(bytes: Uint8Array, otherwise: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return otherwise;
  }
}
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Bytes in, responses out (RFC 9051 section 7). Each byte is looked at once, and no more is ever kept
 * than was allowed: a literal that is announced longer ends the session before it is read.
 */
export function createResponseReader(): ResponseReader {
  const latin1 = new TextDecoder("latin1");
  let ready: ImapResponse[] = [];
  let next = 0;
  let parts: ImapPart[] = [];
  let line = new Uint8Array(FIRST_LINE_BYTES);
  let length = 0;
  let literal: { left: number; kept: Uint8Array<ArrayBuffer>; filled: number } | null = null;
  let allowed = GREETING_BYTES;
  let keep = 0;

  function spend(bytes: number): void {
    allowed -= bytes;
    if (allowed < 0) throw new ImapProtocolError("it sends far more than was asked for");
  }

  function addToLine(bytes: Uint8Array): void {
    spend(bytes.length);
    if (length + bytes.length > line.length) {
      const longer = new Uint8Array(Math.max(line.length * 2, length + bytes.length));
      longer.set(line.subarray(0, length));
      line = longer;
    }
    line.set(bytes, length);
    length += bytes.length;
  }

  function endLine(): void {
    const end = length > 0 && line[length - 1] === CR ? length - 1 : length;
    const bytes = line.subarray(0, end);
    const text = latin1.decode(bytes);
    const isFree = FREE_TEXT.test(typeof parts[0] === "string" ? parts[0] : text);
    parts.push(isFree ? wordsOf(bytes, text) : text);
    length = 0;
    if (line.length > GREETING_BYTES) line = new Uint8Array(FIRST_LINE_BYTES);
    const announced = isFree ? undefined : LITERAL.exec(text.slice(-24))?.[1];
    if (announced === undefined) {
      ready.push(parts);
      parts = [];
      return;
    }
    const size = Number(announced);
    if (size > allowed)
      throw new ImapProtocolError(`it announces ${announced} bytes, far more than was asked for`);
    literal = { left: size, kept: new Uint8Array(Math.min(size, keep)), filled: 0 };
    if (size === 0) endLiteral();
  }

  function endLiteral(): void {
    parts.push(literal!.kept);
    literal = null;
  }

  /** How many of the chunk's bytes belonged to the literal. */
  function addToLiteral(chunk: Uint8Array): number {
    const { kept, filled, left } = literal!;
    const taken = chunk.subarray(0, left);
    spend(taken.length);
    kept.set(taken.subarray(0, kept.length - filled), filled);
    literal!.filled = Math.min(kept.length, filled + taken.length);
    literal!.left -= taken.length;
    if (literal!.left === 0) endLiteral();
    return taken.length;
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length;) {
        if (literal !== null) {
          at += addToLiteral(chunk.subarray(at));
          continue;
        }
        const lineFeed = chunk.indexOf(LF, at);
        addToLine(chunk.subarray(at, lineFeed === -1 ? chunk.length : lineFeed));
        if (lineFeed === -1) return;
        endLine();
        at = lineFeed + 1;
      }
    },
    take() {
      const response = ready[next++];
      if (response === undefined) {
        ready = [];
        next = 0;
      }
      return response;
    },
    allow(bytes, most) {
      allowed = bytes;
      keep = most;
    },
  };
}
