import type { Context } from "hono";
import { AppError, badRequest } from "#src/errors.ts";
import type { Hold } from "#src/platform/large-bodies.ts";

export const MIB = 1024 * 1024;
export const DEFAULT_BODY_LIMIT = MIB;

/** The text of a JSON body, before it is parsed: content type (415), size (413), UTF-8 (400). */
export async function readJsonText(request: Request, limit: number): Promise<string> {
  requireContentType(request.headers.get("content-type") ?? undefined, ["application/json"]);
  return decodeUtf8(await readCapped(request, limit));
}

/** Lets a later handler read the body once more. */
export function replaceBody({ req }: Context, bytes: Uint8Array<ArrayBuffer>): void {
  const { url, method, headers } = req.raw;
  req.raw = new Request(url, { method, headers, body: bytes });
}

/** Throws 400 for bytes that are not UTF-8, which a lenient reader would change silently. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

const notUtf8 = () => badRequest("BAD_REQUEST", "The request body is not valid UTF-8.");
export const notJson = () => badRequest("BAD_REQUEST", "The request body is not valid JSON.");

/** The body's text as it comes; fails as `streamCapped` does, and with 400 for bytes that are not UTF-8. */
export async function* streamText(request: Request, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw notUtf8();
    }
  };
  for await (const chunk of streamCapped(request, limit)) yield decode(chunk);
  yield decode();
}

/** Throws 400 for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** 415 unless the media type is one of those, in UTF-8 if it says; a +json suffix counts as JSON (RFC 6839). */
export function requireContentType(header: string | undefined, accepted: string[]): string {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(header ?? "")?.[1] ?? "utf-8";
  if (!/^(utf-?8|us-ascii)$/i.test(charset))
    throw unsupported(`The request body must be UTF-8, not ${charset.slice(0, 40)}.`);
  const type = (header ?? "").split(";", 1)[0]!.trim().toLowerCase();
  const matches = accepted.some(
    (wanted) =>
      type === wanted ||
      (wanted === "application/json" && /^application\/[\w.-]+\+json$/.test(type)),
  );
  if (matches) return type;
  const given = type === "" ? "none was given" : `not ${type.slice(0, 100)}`;
  throw unsupported(`Content-Type must be ${accepted.join(" or ")}; ${given}.`);
}

const unsupported = (message: string) =>
  new AppError("unsupported_media_type", "UNSUPPORTED_MEDIA_TYPE", message);

/** The whole body, or 413 as soon as it is known to be larger than `limit` bytes. A `hold` bounds what all large ones take together. */
export async function readCapped(
  request: Request,
  limit: number,
  hold?: Hold,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("content-length") ?? limit);
  let whole = new Uint8Array();
  let size = 0;
  for await (const chunk of streamCapped(request, limit)) {
    const needed = size + chunk.byteLength;
    if (needed > whole.length) {
      // Doubled as it comes, whatever was announced, but not beyond that: an isolate has 128 MB, and a mail may be half of it.
      const length = Math.max(needed, Math.min(2 * needed, declared));
      hold?.grow(length);
      const larger = new Uint8Array(length);
      larger.set(whole);
      whole = larger;
    }
    whole.set(chunk, size);
    size += chunk.byteLength;
  }
  return whole.subarray(0, size);
}

/**
 * The body as it comes; 413 as soon as it is known to be larger than `limit` bytes, 415 when it is
 * compressed, 400 when it breaks off.
 */
export async function* streamCapped(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.trim().toLowerCase() !== "identity")
    throw unsupported(`Send the body as it is, without Content-Encoding ${coding.slice(0, 40)}.`);
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  if (request.body === null) return;
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value: chunk } = await reader.read().catch(() => {
      throw badRequest("BAD_REQUEST", "The request body broke off.");
    });
    if (done) return;
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    yield chunk;
  }
}

export function tooLarge(limit: number, what = "request body"): AppError {
  const size = limit >= MIB ? `${Math.floor(limit / MIB)} MiB` : `${limit} bytes`;
  return new AppError(
    "too_large",
    "PAYLOAD_TOO_LARGE",
    `The ${what} is larger than the ${size} that this operation takes.`,
  );
}
