/** The extensions that EHLO offered: keywords in upper case, each with its parameters. */
export type Capabilities = ReadonlyMap<string, string>;

/** One complete reply of an SMTP server (RFC 5321 section 4.2). */
export interface SmtpReply {
  code: number;
  /** Enhanced status code (RFC 3463), e.g. `5.1.1`. */
  enhanced?: string;
  /** The text of each line, without code and separator, control characters removed. */
  lines: string[];
}

/** The peer spoke something that is not SMTP, or too much of it. */
export class SmtpProtocolError extends Error {
  override readonly name = "SmtpProtocolError";
}

export const MAX_REPLY_BYTES = 64 * 1024;

const LINE_FEED = 10;

/**
 * Cuts a byte stream into replies. `push` what arrives, then `take` until null. Throws
 * SmtpProtocolError on a malformed line or when one reply exceeds 64 kB.
 */
export interface ReplyParser {
  push(chunk: Uint8Array): void;
  take(): SmtpReply | null;
  /** Bytes received beyond the last reply taken. */
  pendingBytes(): number;
}

export function createReplyParser(): ReplyParser {
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(512);
  let length = 0;
  let scanned = 0;
  let lineStart = 0;
  let lines: string[] = [];

  function push(chunk: Uint8Array): void {
    if (length + chunk.length > buffer.length) {
      const grown = new Uint8Array(Math.max(buffer.length * 2, length + chunk.length));
      grown.set(buffer.subarray(0, length));
      buffer = grown;
    }
    buffer.set(chunk, length);
    length += chunk.length;
  }

  function dropTo(end: number): void {
    buffer.copyWithin(0, end, length);
    length -= end;
    scanned = 0;
    lineStart = 0;
  }

  function take(): SmtpReply | null {
    for (; scanned < length; scanned++) {
      if (scanned >= MAX_REPLY_BYTES) throw new SmtpProtocolError("reply longer than 64 kB");
      if (buffer[scanned] !== LINE_FEED) continue;
      const line = decoder.decode(buffer.subarray(lineStart, scanned)).replace(/\r$/, "");
      const match = /^([2-5]\d\d)(?:([ -])(.*))?$/s.exec(line);
      // Not quoted: a user who names a host must not read what other services answer there.
      if (!match) throw new SmtpProtocolError("it answers with what is no SMTP reply");
      lines.push(line);
      lineStart = scanned + 1;
      if (match[2] === "-") continue;
      const reply = toReply(lines);
      lines = [];
      dropTo(scanned + 1);
      return reply;
    }
    return null;
  }

  return { push, take, pendingBytes: () => length };
}

function toReply(raw: readonly string[]): SmtpReply {
  const code = Number(raw[0]!.slice(0, 3));
  if (raw.some((line) => Number(line.slice(0, 3)) !== code))
    throw new SmtpProtocolError("the lines of one reply carry different codes");
  const lines = raw.map((line) => printable(line.slice(4)));
  const enhanced = /^([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(lines[0]!)?.[1];
  return enhanced === undefined ? { code, lines } : { code, enhanced, lines };
}

function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f]/g, " ");
}

/** The capabilities in the 250 to EHLO. */
export const capabilitiesOf = (reply: SmtpReply): Capabilities =>
  new Map(
    reply.lines.slice(1).map((line): [string, string] => {
      // Old servers write AUTH=LOGIN; the keyword is what stands before the sign.
      const [keyword = "", ...rest] = line.trim().split(/[\s=]+/);
      return [keyword.toUpperCase(), rest.join(" ").toUpperCase()];
    }),
  );

/** The reply as one line, cut to `limit` characters, for the log and the ledger. */
export function replyText(reply: SmtpReply, limit = 500): string {
  return `${reply.code} ${reply.lines.join(" ")}`.trim().slice(0, limit);
}

export const isPositive = (reply: SmtpReply): boolean => reply.code < 300;
export const isPermanent = (reply: SmtpReply): boolean => reply.code >= 500;
