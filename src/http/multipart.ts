import { badRequest } from "#src/errors.ts";

/** One part of a multipart/form-data body (RFC 7578). Its bytes have to be read before the next part. */
export interface FormPart {
  name: string;
  filename: string | null;
  contentType: string | null;
  bytes: AsyncGenerator<Uint8Array>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_PARTS = 20;
const CR = 13;
const ascii = new TextEncoder();

/** The boundary of the Content-Type; throws a 400 when there is none. */
export function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw malformed("its Content-Type names no boundary");
  return boundary;
}

/**
 * The parts of a form as they arrive, with a few kilobytes in memory whatever their size: `formData()`
 * would hold all of it. Throws a 400 where the body is not a form or ends early.
 */
export async function* readForm(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<FormPart> {
  const delimiter = ascii.encode(`\r\n--${boundary}`);
  const source = body[Symbol.asyncIterator]();
  // The first delimiter has no line before it; with one put there, all are alike.
  let buffer: Uint8Array = Uint8Array.of(CR, 10);
  let inPart = true;

  const more = async () => {
    const next = await source.next();
    if (next.done === true) throw malformed("it ends before its last boundary");
    buffer = concat(buffer, next.value);
  };
  const need = async (count: number) => {
    while (buffer.length < count) await more();
  };

  /** What is in front of the next delimiter, which is taken away with it. */
  async function* untilDelimiter(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = indexOf(buffer, delimiter);
      if (at !== -1) {
        const last = buffer.subarray(0, at);
        buffer = buffer.subarray(at + delimiter.length);
        inPart = false;
        if (last.length > 0) yield last;
        return;
      }
      // The end of the buffer may be the beginning of a delimiter.
      const sure = buffer.length - delimiter.length + 1;
      if (sure > 0) {
        const piece = buffer.subarray(0, sure);
        buffer = buffer.subarray(sure);
        yield piece;
      }
      await more();
    }
  }

  async function readHeaders(): Promise<Map<string, string>> {
    const end = ascii.encode("\r\n\r\n");
    for (;;) {
      const at = indexOf(buffer, end);
      if (at > MAX_HEADER_BYTES || (at === -1 && buffer.length > MAX_HEADER_BYTES))
        throw malformed("a part's header is too long");
      if (at !== -1) {
        const text = new TextDecoder().decode(buffer.subarray(0, at));
        buffer = buffer.subarray(at + end.length);
        return parseHeaders(text);
      }
      await more();
    }
  }

  const skipPart = async () => {
    for await (const _ of untilDelimiter()) continue;
  };

  await skipPart();
  for (let count = 0; ; count++) {
    await need(2);
    if (buffer[0] === 45 && buffer[1] === 45) return;
    if (count === MAX_PARTS) throw malformed(`it has more than ${MAX_PARTS} parts`);
    const headers = await readHeaders();
    const disposition = headers.get("content-disposition") ?? "";
    const name = parameter(disposition, "name");
    if (name === null) throw malformed("a part has no name");
    inPart = true;
    yield {
      name,
      filename: parameter(disposition, "filename"),
      contentType: headers.get("content-type") ?? null,
      bytes: untilDelimiter(),
    };
    if (inPart) await skipPart();
  }
}

/** A short text part; throws a 400 when it is longer than `limit` bytes. */
export async function readTextPart(part: FormPart, limit: number): Promise<string> {
  let whole: Uint8Array = new Uint8Array();
  for await (const piece of part.bytes) {
    whole = concat(whole, piece);
    if (whole.length > limit) throw malformed(`its part "${part.name}" is too long`);
  }
  return new TextDecoder().decode(whole);
}

function parseHeaders(text: string): Map<string, string> {
  const lines = text.split("\r\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
}

/** Browsers write `"` in a name as %22 (WHATWG HTML, multipart/form-data encoding); curl as \". */
function parameter(header: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(header);
  const bare = match ?? new RegExp(`;\\s*${name}=([^;\\s"]+)`, "i").exec(header);
  return bare?.[1]?.replace(/\\(.)/g, "$1").replaceAll("%22", '"') ?? null;
}

function indexOf(haystack: Uint8Array, needle: Uint8Array): number {
  const last = haystack.length - needle.length;
  for (let at = haystack.indexOf(needle[0]!); at !== -1 && at <= last;) {
    let matched = 1;
    while (matched < needle.length && haystack[at + matched] === needle[matched]) matched++;
    if (matched === needle.length) return at;
    at = haystack.indexOf(needle[0]!, at + 1);
  }
  return -1;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

const malformed = (why: string) =>
  badRequest("BAD_REQUEST", `The request body is not a valid form: ${why}.`);
