/**
 * What a command answers. Strings hold one byte per character (latin1), so that
 * lengths and comparisons are those of Redis, which knows bytes only.
 */
export type Reply = string | number | null | Status | Reply[];

/** A status line ("+OK" on the wire), as opposed to a stored string. */
export interface Status {
  status: string;
}

export const OK: Status = { status: "OK" };

/** An error that goes to the client as it stands, such as "ERR syntax error". */
export class RedisError extends Error {}

export const syntaxError = () => new RedisError("ERR syntax error");

export const toBytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");

/** Serialises a reply for a JSON answer; `base64` as the header `Upstash-Encoding: base64` asks. */
export function toJson(reply: Reply, base64: boolean): unknown {
  if (reply === null || typeof reply === "number") return reply;
  if (Array.isArray(reply)) return reply.map((item) => toJson(item, base64));
  if (typeof reply === "object" && reply.status === "OK") return "OK";
  const bytes = Buffer.from(typeof reply === "string" ? reply : reply.status, "latin1");
  return bytes.toString(base64 ? "base64" : "utf8");
}

/** Serialises a reply in RESP2 (https://redis.io/docs/latest/develop/reference/protocol-spec/). */
export function toResp2(reply: Reply): string {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (typeof reply === "string") return `$${reply.length}\r\n${reply}\r\n`;
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(toResp2).join("")}`;
  return `+${reply.status}\r\n`;
}
