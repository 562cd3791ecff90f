export const CUSTOM_LIMITS = { keys: 200, keyLength: 100, textLength: 10_000, depth: 6 };

/** Why a value of `custom` cannot be kept; null when it can. */
export function customFault(custom: Record<string, unknown>): string | null {
  const keys = Object.keys(custom);
  if (keys.length > CUSTOM_LIMITS.keys) return `has more than ${CUSTOM_LIMITS.keys} keys`;
  return jsonFault(custom, 0);
}

function jsonFault(value: unknown, depth: number): string | null {
  if (typeof value === "string") {
    if (value.length > CUSTOM_LIMITS.textLength)
      return `holds a text longer than ${CUSTOM_LIMITS.textLength} characters`;
    return isStorable(value) ? null : "holds characters that are not text";
  }
  if (typeof value !== "object" || value === null) return null;
  if (depth >= CUSTOM_LIMITS.depth) return `is nested deeper than ${CUSTOM_LIMITS.depth} levels`;
  for (const [key, each] of Object.entries(value)) {
    if (key.length > CUSTOM_LIMITS.keyLength)
      return `has a key longer than ${CUSTOM_LIMITS.keyLength} characters`;
    const fault = isStorable(key) ? jsonFault(each, depth + 1) : "has a key that is not text";
    if (fault !== null) return fault;
  }
  return null;
}

/** Postgres keeps neither NUL nor half of a surrogate pair; other control characters never belong in a field. */
export function isStorable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);
}
