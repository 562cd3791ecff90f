import type { Duplex } from "#src/providers/mail/index.ts";
import { createResponseReader, ImapProtocolError, type ImapResponse } from "./imap-responses.ts";

/** The connection ended, broke, or did not answer in time. */
export class ImapConnectionError extends Error {
  override readonly name = "ImapConnectionError";
}

/** The server's last word on a command. */
export interface ImapResult {
  status: "OK" | "NO" | "BAD";
  /** The response code in upper case, such as `AUTHENTICATIONFAILED`; "" when there is none. */
  code: string;
  text: string;
}

export interface ImapCommand {
  line: string;
  /** What to say, in turn, when the server asks to go on; it is asked to give up where nothing is left. */
  answers?: readonly string[];
  /** Bounds the whole answer, not each byte of it. */
  ms: number;
  /** So many bytes the answer may have, and of each literal the first `keep` are kept. */
  bytes: number;
  keep?: number;
  onUntagged?(response: ImapResponse): void;
}

/** Commands out, responses in, over one Duplex, one command at a time; every wait is bounded. */
export interface ImapWire {
  /** The first response. */
  greeting(ms: number): Promise<ImapResult & { isPreauth: boolean }>;
  command(command: ImapCommand): Promise<ImapResult>;
  /** Says a last line without waiting for an answer, and closes. Never rejects. */
  leave(line: string | null): Promise<void>;
}

const encoder = new TextEncoder();
const GOODBYE_MS = 1_000;

/** When the signal aborts, every wait ends, present and future. */
export function createImapWire(duplex: Duplex, signal: AbortSignal): ImapWire {
  const reader = duplex.readable.getReader();
  const writer = duplex.writable.getWriter();
  const responses = createResponseReader();
  let commands = 0;
  // A broken peer rejects this promise even while no write is pending.
  writer.closed.catch(() => {});

  const write = (line: string) => writer.write(encoder.encode(`${line}\r\n`));

  async function next(): Promise<ImapResponse> {
    for (;;) {
      const response = responses.take();
      if (response !== undefined) return response;
      const { value, done } = await reader.read();
      if (done) throw new ImapConnectionError("the server closed the connection");
      responses.push(value);
    }
  }

  async function run({ line, answers = [], onUntagged }: ImapCommand): Promise<ImapResult> {
    const tag = `A${++commands}`;
    // Asked more, the client gives up (RFC 9051 section 6.2.2); a server that asks on does not listen.
    const left = [...answers, "*"];
    await write(`${tag} ${line}`);
    for (;;) {
      const response = await next();
      const [first] = response;
      const text = typeof first === "string" ? first : "";
      if (text.startsWith("+")) {
        await write(nextAnswer(left));
        continue;
      }
      const result = statusOf(text);
      if (result?.tag === tag && result.status !== "BYE" && result.status !== "PREAUTH")
        return { status: result.status, code: result.code, text: result.text };
      if (result !== null && result.tag !== "*")
        throw new ImapProtocolError("it answers what nobody has asked");
      if (result?.status === "BYE")
        throw new ImapConnectionError(`the server ended the session: "${result.text}"`);
      if (text.startsWith("* ")) onUntagged?.(response);
      else if (text !== "") throw new ImapProtocolError("it does not speak IMAP");
    }
  }

  return {
    greeting: (ms) =>
      within(
        next().then(([first]) => greetingOf(typeof first === "string" ? first : "")),
        ms,
        signal,
      ),
    command(command) {
      responses.allow(command.bytes, command.keep ?? 0);
      return within(run(command), command.ms, signal);
    },
    async leave(line) {
      if (line !== null && !signal.aborted)
        await within(write(`A${++commands} ${line}`), GOODBYE_MS, signal).catch(() => {});
      await duplex.close();
    },
  };
}

function nextAnswer(left: string[]): string {
  const answer = left.shift();
  if (answer === undefined) throw new ImapProtocolError("it asks to go on without end");
  return answer;
}

const STATUS = /^(\S+) (OK|NO|BAD|BYE|PREAUTH)(?: \[([^\]\s]{1,40})[^\]]*\])?(?: (.*))?$/is;

function statusOf(text: string) {
  const [, tag, status, code = "", words = ""] = STATUS.exec(text) ?? [];
  if (tag === undefined) return null;
  return {
    tag,
    status: status!.toUpperCase() as "OK" | "NO" | "BAD" | "BYE" | "PREAUTH",
    code: code.toUpperCase(),
    text: spoken(words),
  };
}

function greetingOf(line: string) {
  const result = statusOf(line);
  if (result?.tag !== "*" || result.status === "NO" || result.status === "BAD")
    throw new ImapProtocolError("it does not greet as an IMAP server");
  if (result.status === "BYE")
    throw new ImapConnectionError(`the server takes no connections: "${result.text}"`);
  const { status, code, text } = result;
  return { status: "OK" as const, code, text, isPreauth: status === "PREAUTH" };
}

/** A server's words as one line that can be shown and stored. */
const spoken = (text: string): string =>
  text
    .slice(0, 300)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- control characters are what goes
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();

/** Any failure but one of the protocol becomes ImapConnectionError; neither timer nor listener outlives it. */
export async function within<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp = () => {};
  const late = new Promise<never>((_, reject) => {
    giveUp = () => reject(new ImapConnectionError("the server did not answer in time"));
    timer = setTimeout(giveUp, ms);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    if (error instanceof Error && /^(Imap|Host)/.test(error.name)) throw error;
    throw new ImapConnectionError(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
