import { createHash, createHmac } from "node:crypto";

/** A request as it arrived. */
export interface ArrivedRequest {
  method: string;
  /** The request target: path and query as they were on the wire. */
  target: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

const digest = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const mac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text, "utf8").digest();

/** RFC 3986 percent encoding, byte by byte. */
function encode(text: string): string {
  let out = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const character = String.fromCharCode(byte);
    const hex = byte.toString(16).toUpperCase().padStart(2, "0");
    out += /[A-Za-z0-9\-._~]/.test(character) ? character : `%${hex}`;
  }
  return out;
}

function canonicalQuery(query: string): string {
  if (query === "") return "";
  const pairs = query.split("&").map((part) => {
    const at = part.indexOf("=");
    const name = at < 0 ? part : part.slice(0, at);
    const value = at < 0 ? "" : part.slice(at + 1);
    return { name: encode(decodeURIComponent(name)), value: encode(decodeURIComponent(value)) };
  });
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  pairs.sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value));
  return pairs.map(({ name, value }) => `${name}=${value}`).join("&");
}

/**
 * What AWS does with Signature Version 4: the signature is computed anew from what arrived. Shares no
 * code with the signer. Null when it is right, else why not.
 */
export function awsRefusal(
  request: ArrivedRequest,
  secretAccessKey: string,
  expected: { accessKeyId: string; region: string; service: string },
): string | null {
  const authorization = String(request.headers["authorization"]);
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (parts === null) return `malformed authorization: ${authorization}`;
  const [, accessKeyId, day, region, service, names = "", signature] = parts;
  const claimed = JSON.stringify([accessKeyId, region, service]);
  if (claimed !== JSON.stringify([expected.accessKeyId, expected.region, expected.service]))
    return `scope of ${claimed}`;
  const time = String(request.headers["x-amz-date"]);
  if (!/^\d{8}T\d{6}Z$/.test(time) || time.slice(0, 8) !== day) return `time ${time}, day ${day}`;
  for (const name of ["host", "x-amz-date"])
    if (!names.split(";").includes(name)) return `${name} is not signed`;
  const cut = request.target.indexOf("?");
  const path = cut < 0 ? request.target : request.target.slice(0, cut);
  const query = cut < 0 ? "" : request.target.slice(cut + 1);
  const lines = names
    .split(";")
    .map((name) => `${name}:${String(request.headers[name]).trim().replaceAll(/ {2,}/g, " ")}\n`);
  const canonical = `${request.method}\n${path.split("/").map(encode).join("/")}\n${canonicalQuery(query)}\n${lines.join("")}\n${names}\n${digest(request.body)}`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/${service}/aws4_request\n${digest(canonical)}`;
  const key = mac(mac(mac(mac(`AWS4${secretAccessKey}`, day!), region!), service!), "aws4_request");
  return mac(key, toSign).toString("hex") === signature ? null : `signature over\n${canonical}`;
}
