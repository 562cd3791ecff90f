/** A tag list `a=b; c=d` (RFC 6376 section 3.2); null when it is none or a tag comes twice. */
export function readTags(text: string): Map<string, string> | null {
  const tags = new Map<string, string>();
  const parts = text.split(";").map((part) => part.trim());
  if (parts.at(-1) === "") parts.pop();
  for (const part of parts) {
    const found = /^([A-Za-z][A-Za-z0-9_]*)\s*=\s*([\s\S]*)$/.exec(part);
    if (found === null || tags.has(found[1]!)) return null;
    tags.set(found[1]!, found[2]!.trim());
  }
  return tags;
}
