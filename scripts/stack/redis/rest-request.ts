import type { IncomingMessage } from "node:http";
import { RedisError, toBytes } from "./reply.ts";

export type Format = "json" | "base64" | "resp2";

/** A request that cannot be served at all, with its HTTP status. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new RedisError("ERR failed to parse command");
  }
}

export function parseCommands(body: Buffer): string[][] {
  const parsed = parseJson(body);
  if (!Array.isArray(parsed) || parsed.length === 0) {
    throw new RedisError("ERR empty or malformed pipeline request");
  }
  return parsed.map(toWords);
}

export function toWords(parsed: unknown): string[] {
  if (!Array.isArray(parsed) || parsed.length === 0) throw new RedisError("ERR empty command");
  return parsed.map((word: unknown) => {
    if (typeof word === "string") return toBytes(word);
    if (typeof word === "number" || typeof word === "boolean") return String(word);
    throw new RedisError("ERR command words must be strings or numbers");
  });
}

/** `/set/k/v?EX=10`: the body is the last word of the path, the query follows it. */
export function pathWords(path: string, query: string, body: Buffer): string[] {
  const words = path.slice(1).split("/").map(percentDecode);
  if (body.length > 0) words.push(body.toString("latin1"));
  for (const pair of query
    .split("&")
    .filter((part) => part !== "" && !part.startsWith("_token="))) {
    words.push(
      ...pair
        .split("=")
        .filter((word) => word !== "")
        .map(percentDecode),
    );
  }
  return words;
}

/** To bytes, which need not be UTF-8. */
const percentDecode = (text: string) =>
  toBytes(text).replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

export function splitOnce(text: string, separator: string): [string, string?] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

export function readFormat({ headers }: IncomingMessage): Format {
  const base64 = headers["upstash-encoding"] === "base64";
  const format = headers["upstash-response-format"] ?? "json";
  if (format === "json") return base64 ? "base64" : "json";
  if (format !== "resp2") throw new Refusal(400, "ERR unknown response format");
  if (base64) throw new Refusal(400, "ERR base64 encoding is not permitted with resp2");
  return "resp2";
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
