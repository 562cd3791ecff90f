export const MAX_CLICK_PATTERNS = 50;
export const MAX_CLICK_PATTERN_CHARACTERS = 200;

interface ClickPattern {
  excludes: boolean;
  scheme: string | null;
  host: string;
  /** Null = any path. */
  path: string | null;
}

/**
 * `acme.com/*`, `*.acme.com`, `https://acme.com/pricing*`, each with an optional leading `!`. A `*`
 * stands for any text, also none; no path means any path. Null when it is no such pattern.
 */
export function parseClickPattern(pattern: string): ClickPattern | null {
  if (pattern.length > MAX_CLICK_PATTERN_CHARACTERS) return null;
  const match = /^(!?)(?:(https?):\/\/)?([^\s/?#!]+)(\/[^\s#]*)?$/i.exec(pattern.trim());
  if (!match) return null;
  const host = match[3]!.toLowerCase();
  if (!/^[\p{L}\p{N}*._-]+(:(\d{1,5}|\*))?$/u.test(host)) return null;
  return {
    excludes: match[1] === "!",
    scheme: match[2]?.toLowerCase() ?? null,
    host,
    path: match[4]?.toLowerCase() ?? null,
  };
}

/**
 * Whether clicks on a URL are tracked. No patterns: all are. Else the last pattern that fits decides;
 * where none fits, a URL is tracked only if the list holds nothing but exclusions. Patterns that do
 * not parse fit nothing: the edge has refused them.
 */
export function compileClickPatterns(patterns: readonly string[]): (url: URL) => boolean {
  const parsed = patterns.map(parseClickPattern).filter((pattern) => pattern !== null);
  const otherwise = parsed.every(({ excludes }) => excludes);
  return (url) => {
    const pattern = parsed.findLast((each) => fits(each, url));
    return pattern ? !pattern.excludes : otherwise;
  };
}

function fits({ scheme, host, path }: ClickPattern, url: URL): boolean {
  if (scheme !== null && url.protocol !== `${scheme}:`) return false;
  if (!globMatches(host, host.includes(":") ? url.host : url.hostname)) return false;
  if (path === null) return true;
  const target = path.includes("?") ? url.pathname + url.search : url.pathname;
  return globMatches(path, target.toLowerCase());
}

/**
 * `*` = any text. First piece at the start, last at the end, middle pieces in order at their leftmost
 * place: no backtracking, so no pattern is slow.
 */
export function globMatches(glob: string, text: string): boolean {
  const pieces = glob.split("*");
  if (pieces.length === 1) return glob === text;
  const first = pieces.shift()!;
  const last = pieces.pop()!;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
