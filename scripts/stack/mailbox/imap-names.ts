/** A folder's name in modified UTF-7 (RFC 3501 section 5.1.3). */
export function encodeFolderName(name: string): string {
  return name.replace(/&|[^\x20-\x7e]+/g, (run) => {
    if (run === "&") return "&-";
    const utf16 = Buffer.from(run, "utf16le").swap16();
    return `&${utf16.toString("base64").replace(/=+$/, "").replaceAll("/", ",")}-`;
  });
}

/** The name that a client sent in modified UTF-7. */
export function decodeFolderName(encoded: string): string {
  return encoded.replace(/&([A-Za-z0-9+,]*)-/g, (_, run: string) => {
    if (run === "") return "&";
    const utf16 = Buffer.from(run.replaceAll(",", "/"), "base64");
    return utf16
      .subarray(0, utf16.length & ~1)
      .swap16()
      .toString("utf16le");
  });
}

/** Whether the name is what a pattern of LIST means: `*` any text, `%` any text without a delimiter. */
export function isListed(pattern: string, name: string): boolean {
  // Where in the name the pattern read so far can have come to: no pattern takes long.
  let reached = new Set([0]);
  for (const sign of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (name[at] === sign) next.add(at + 1);
      if (sign !== "*" && sign !== "%") continue;
      const delimiter = sign === "%" ? name.indexOf("/", at) : -1;
      const end = delimiter < 0 ? name.length : delimiter;
      for (let to = at; to <= end; to += 1) next.add(to);
    }
    reached = next;
  }
  return reached.has(name.length);
}
