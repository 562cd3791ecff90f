const EMPTY: Buffer = Buffer.alloc(0);
const LF = 0x0a;

const LINE_LIMIT = 65_536;
/** Nobody appends messages here, so a literal is an argument. */
const LITERAL_LIMIT = 65_536;

export type ImapInputEvent =
  /** A whole command, octets as characters; literals stand in it as quoted strings. */
  | { kind: "line"; line: string }
  /** The client waits to be asked for its literal. */
  | { kind: "literal_wanted" }
  | { kind: "too_long" };

/** Cuts a stream of bytes into IMAP commands with their literals (RFC 3501 section 4.3, RFC 7888). */
export function createImapInput() {
  let rest = EMPTY;
  let before = "";
  let missing: number | null = null;

  function nextLiteral(size: number): boolean {
    if (rest.length < size) return false;
    const text = rest.toString("latin1", 0, size).replace(/["\\]/g, "\\$&");
    before += `"${text}"`;
    rest = rest.subarray(size);
    missing = null;
    return true;
  }

  function nextLine(): ImapInputEvent | null {
    const end = rest.indexOf(LF);
    if (end < 0) return rest.length + before.length > LINE_LIMIT ? { kind: "too_long" } : null;
    const line = rest.toString("latin1", 0, end).replace(/\r$/, "");
    rest = rest.subarray(end + 1);
    const literal = /\{(\d{1,10})(\+?)\}$/.exec(line);
    if (literal === null) {
      const whole = before + line;
      before = "";
      return whole.length > LINE_LIMIT + LITERAL_LIMIT
        ? { kind: "too_long" }
        : { kind: "line", line: whole };
    }
    if (Number(literal[1]) > LITERAL_LIMIT || before.length > LINE_LIMIT)
      return { kind: "too_long" };
    before += line.slice(0, literal.index);
    missing = Number(literal[1]);
    return literal[2] === "+" ? next() : { kind: "literal_wanted" };
  }

  /** The next event, or null when more bytes are needed. After `too_long` nobody knows where a command begins. */
  function next(): ImapInputEvent | null {
    if (missing !== null && !nextLiteral(missing)) return null;
    return nextLine();
  }

  return {
    push(bytes: Buffer) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    },
    next,
  };
}
