import type { RecordStatus } from "../domain-records.ts";
import { readTags } from "./tags.ts";

/**
 * Whether the TXT records of a selector publish this key, so that receivers accept its signatures
 * (RFC 6376 section 3.6.1, RFC 8463). A key in testing (`t=y`) does not count: receivers may treat its
 * mail as unsigned.
 */
export function judgeDkim(found: string[], kind: string, publicKey: string): RecordStatus {
  const keys = found.filter((text) => /(^|;)\s*p\s*=/.test(text));
  if (keys.length === 0) return found.length === 0 ? "missing" : "mismatch";
  if (keys.length > 1) return "multiple";
  const tags = readTags(keys[0]!);
  return tags !== null && publishes(tags, kind, publicKey) ? "ok" : "mismatch";
}

function publishes(tags: Map<string, string>, kind: string, publicKey: string): boolean {
  const list = (name: string) =>
    tags
      .get(name)
      ?.split(":")
      .map((each) => each.trim().toLowerCase());
  const hashes = list("h");
  const services = list("s");
  return (
    (tags.get("v") ?? "DKIM1") === "DKIM1" &&
    (tags.get("k") ?? "rsa").toLowerCase() === kind &&
    tags.get("p")?.replace(/\s+/g, "") === publicKey &&
    (hashes === undefined || hashes.includes("sha256")) &&
    (services === undefined || services.includes("email") || services.includes("*")) &&
    !(list("t") ?? []).includes("y")
  );
}
