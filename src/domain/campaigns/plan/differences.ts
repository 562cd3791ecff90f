import { sameValue } from "../change-rules.ts";

/** A place in a file (RFC 6901), with what stands there before and after; null where nothing does. */
export interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

/** Every place at which two files differ, as deep as both have an object or a list of objects there. */
export function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (sameValue(before, after)) return [];
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before: before ?? null, after: after ?? null }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    differences(
      before[key as never] ?? null,
      after[key as never] ?? null,
      `${path}/${escaped(key)}`,
    ),
  );
}

/** A list of texts is compared as a whole: moves within it are not told. */
const isTree = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  (!Array.isArray(value) || value.every((item) => typeof item === "object" && item !== null));

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
