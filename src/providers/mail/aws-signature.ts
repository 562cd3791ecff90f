import { sha256Hex, toHex } from "#src/platform/encoding.ts";

export interface AwsRequest {
  method: "GET" | "POST";
  url: string;
  /** All of them are signed; `host` is not among them, the client sets it from the URL. */
  headers: Record<string, string>;
  body: string;
}

export interface AwsSigner {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  service: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const encoder = new TextEncoder();

/**
 * The request's headers with `x-amz-date` and `authorization`: AWS Signature Version 4, in headers,
 * for services that want the path encoded twice (all but S3).
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function signAwsRequest(
  { method, url, headers, body }: AwsRequest,
  signer: AwsSigner,
  at: Date,
): Promise<Record<string, string>> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = [time.slice(0, 8), signer.region, signer.service, "aws4_request"];
  const { host, pathname, search } = new URL(url);
  const signed = Object.entries({ ...headers, host, "x-amz-date": time })
    .map(([name, value]): Pair => [name.toLowerCase(), value.trim().replace(/ +/g, " ")])
    .sort(byNameThenValue);
  const names = signed.map(([name]) => name).join(";");

  const canonical = [
    method,
    pathname.split("/").map(encoded).join("/"),
    canonicalQuery(search),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    await sha256Hex(body),
  ].join("\n");
  const toSign = [ALGORITHM, time, scope.join("/"), await sha256Hex(canonical)].join("\n");

  let key: BufferSource = encoder.encode(`AWS4${signer.secretAccessKey}`);
  for (const part of scope) key = await hmac(key, part);
  const signature = toHex(new Uint8Array(await hmac(key, toSign)));
  const credential = `${signer.accessKeyId}/${scope.join("/")}`;
  return {
    ...headers,
    "x-amz-date": time,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

type Pair = [name: string, value: string];

function canonicalQuery(search: string): string {
  return search
    .slice(1)
    .split("&")
    .filter((part) => part !== "")
    .map((part): Pair => {
      const [name = "", ...value] = part.split("=");
      return [encoded(decodeURIComponent(name)), encoded(decodeURIComponent(value.join("=")))];
    })
    .sort(byNameThenValue)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** By code point, as AWS sorts; names and values are ASCII. */
function byNameThenValue(a: Pair, b: Pair): number {
  const [x, y] = a[0] === b[0] ? [a[1], b[1]] : [a[0], b[0]];
  return x < y ? -1 : Number(x > y);
}

/** RFC 3986 section 2.3: everything but the unreserved characters. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

async function hmac(secret: BufferSource, text: string): Promise<ArrayBuffer> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return crypto.subtle.sign("HMAC", key, encoder.encode(text));
}
