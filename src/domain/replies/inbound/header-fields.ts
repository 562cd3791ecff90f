/** One field; the name in lower case, the value unfolded. */
export interface HeaderField {
  name: string;
  value: string;
}

const MAX_BLOCK = 256 * 1024;
const MAX_FIELDS = 2_000;

/** The first value of a field, trimmed; empty when it is absent. */
export function fieldValue(fields: readonly HeaderField[], name: string): string {
  return fields.find((field) => field.name === name)?.value.trim() ?? "";
}

export const fieldValues = (fields: readonly HeaderField[], name: string): string[] =>
  fields.filter((field) => field.name === name).map(({ value }) => value.trim());

/**
 * The fields of each group in a block of `Name: value` lines, groups parted by empty lines.
 * Lines that are neither a field nor a continuation are skipped; never throws.
 */
export function readFieldGroups(block: string): HeaderField[][] {
  const groups: HeaderField[][] = [];
  let group: HeaderField[] = [];
  let count = 0;
  for (const line of block.slice(0, MAX_BLOCK).split(/\r\n|\n|\r/)) {
    if (line.trim() === "") {
      if (group.length > 0) groups.push(group);
      group = [];
      continue;
    }
    const last = group.at(-1);
    if (/^[ \t]/.test(line) && last) {
      if (last.value.length < 8_000) last.value += ` ${line.trim()}`;
      continue;
    }
    const field = /^([!-9;-~]{1,76})[ \t]*:(.*)$/s.exec(line);
    if (!field || ++count > MAX_FIELDS) continue;
    group.push({ name: field[1]!.toLowerCase(), value: field[2]!.trim() });
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** The header of the message that starts with `text`. */
export const readHeaderBlock = (text: string): HeaderField[] => readFieldGroups(text)[0] ?? [];

/** Message-IDs of a header value, without brackets; at most 100, the newest kept. */
export function messageIds(value: string): string[] {
  const bracketed = [...value.slice(0, 50_000).matchAll(/<([^<>\s]{1,500})>/g)].map(
    ([, id]) => id!,
  );
  if (bracketed.length > 0) return bracketed.slice(-100);
  const bare = /^\s*([^<>\s@]{1,250}@[^<>\s@]{1,250})\s*$/.exec(value);
  return bare ? [bare[1]!] : [];
}
