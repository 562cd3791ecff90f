import { sha256Hex } from "#src/platform/encoding.ts";

/** JSON with sorted keys at every depth: the same value is the same text, however it was put together. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** SHA-256, in lower-case hex, of a value's canonical JSON. */
export const fingerprintOf = (value: unknown): Promise<string> => sha256Hex(canonicalJson(value));
