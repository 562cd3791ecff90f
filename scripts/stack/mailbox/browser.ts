import * as http from "node:http";
import * as https from "node:https";
import * as zlib from "node:zlib";

/** The headers of a person's browser, so that a click in the mailbox is not taken for a scanner's. */
const browserHeaders = {
  "User-Agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Accept-Language": "en-US,en;q=0.9",
  "Accept-Encoding": "gzip, deflate, br",
};

/** What a browser adds for each kind of request (Fetch Metadata). */
const purposes = {
  image: {
    Accept: "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
    "Sec-Fetch-Dest": "image",
    "Sec-Fetch-Mode": "no-cors",
    "Sec-Fetch-Site": "cross-site",
  },
  page: {
    Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "Upgrade-Insecure-Requests": "1",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-User": "?1",
  },
  form: {
    Accept: "*/*",
    "Content-Type": "application/x-www-form-urlencoded",
  },
} as const;

export interface BrowserResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

const TIMEOUT_MS = 10_000;
const BODY_LIMIT = 10 * 1024 * 1024;

/**
 * One request as a browser would make it, without cookies; redirects are the
 * caller's. node:http, because `fetch` writes Sec-Fetch headers of its own.
 * Rejects when there is no answer in 10 s, or one of more than 10 MiB.
 */
export async function browse(
  url: string,
  purpose: keyof typeof purposes,
  formBody?: string,
): Promise<BrowserResponse> {
  const { request } = url.toLowerCase().startsWith("https:") ? https : http;
  const sent = request(url, {
    method: formBody === undefined ? "GET" : "POST",
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...browserHeaders,
      ...purposes[purpose],
      ...(formBody === undefined ? {} : { "Content-Length": Buffer.byteLength(formBody) }),
    },
  });
  sent.end(formBody);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT) throw new Error("the answer is over 10 MiB");
    parts.push(part);
  }
  const body = decode(Buffer.concat(parts), response.headers["content-encoding"]);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

const decoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: (body) => zlib.gunzipSync(body, { maxOutputLength: BODY_LIMIT }),
  deflate: (body) => zlib.inflateSync(body, { maxOutputLength: BODY_LIMIT }),
  br: (body) => zlib.brotliDecompressSync(body, { maxOutputLength: BODY_LIMIT }),
};

function decode(body: Buffer, encoding: string | undefined): Buffer {
  return decoders[encoding ?? ""]?.(body) ?? body;
}

/** A network failure in words that name the address, never a stack. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer within 10 s";
  // A host with several addresses fails as an AggregateError without a message.
  const code = (error as NodeJS.ErrnoException).code;
  return error.message || code || error.name;
}
