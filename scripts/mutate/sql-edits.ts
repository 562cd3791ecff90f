import type { Edit } from "./breaking.ts";
import type { Node } from "./syntax.ts";

interface Token {
  word: string;
  start: number;
  depth: number;
}

/** At its own depth, where one condition ends. */
const ENDS_CONDITION = new Set(
  (
    "and or where order group limit offset returning for on union having then else when end set loop window " +
    "left inner join cross do using values select into ;"
  ).split(" "),
);
const ENDS_CONFLICT = new Set(["returning", "select", "union", ";"]);

/** What of a statement can be left out: one condition, a lock or its `skip locked`, what to do on conflict. */
export function sqlEdits(template: Node, text: string): Edit[] {
  const source = masked(template, text);
  const tokens = tokensOf(source);
  const edit = (start: number, end: number, to = ""): Edit => ({
    kind: "sql",
    start: template.start + start,
    end: template.start + end,
    to,
  });
  return tokens.flatMap((token, index) => {
    const { word, start } = token;
    switch (word) {
      case "where": {
        // `filter (where ...)` needs its only clause.
        if (/\(\s*$/.test(source.slice(0, start))) return [];
        const next = endOf(tokens, index, ENDS_CONDITION);
        if (next?.word === "and" && next.depth === token.depth)
          return [edit(start, next.start + "and".length, "where")];
        return [edit(start, trimmedEnd(source, next))];
      }
      case "and":
        if (isOfBetween(tokens, index)) return [];
        return [edit(start, trimmedEnd(source, endOf(tokens, index, ENDS_CONDITION)))];
      case "for": {
        const [lock, skip] =
          /^for (?:no key )?update(?: of [\w, ]+?)?( skip locked| nowait)?\b/.exec(
            source.slice(start),
          ) ?? [];
        if (lock === undefined) return [];
        const end = start + lock.length;
        return [edit(start, end), ...(skip ? [edit(end - skip.length, end)] : [])];
      }
      case "on":
        if (tokens[index + 1]?.word !== "conflict") return [];
        return [edit(start, trimmedEnd(source, endOf(tokens, index, ENDS_CONFLICT)))];
      default:
        return [];
    }
  });
}

/** The template with what is no keyword of its own made unrecognisable: values, strings and comments; lengths stay. */
function masked(template: Node, text: string): string {
  let source = text.slice(template.start, template.end);
  for (const { start, end } of template["expressions"] as Node[]) {
    const from = text.lastIndexOf("${", start) - template.start;
    const to = text.indexOf("}", end) + 1 - template.start;
    source = source.slice(0, from) + "_".repeat(to - from) + source.slice(to);
  }
  return source
    .replace(/'[^']*'|--[^\n]*/g, (found) => "_".repeat(found.length))
    .replace(/^`|`$/g, " ");
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { 0: found, index } of source.matchAll(/[();]|[a-z_]\w*/gi)) {
    if (found === ")") depth--;
    tokens.push({ word: found.toLowerCase(), start: index, depth });
    if (found === "(") depth++;
  }
  return tokens;
}

/** The token that ends what begins at one; undefined for the end of the text. */
function endOf(tokens: Token[], index: number, ends: ReadonlySet<string>): Token | undefined {
  const { depth } = tokens[index]!;
  for (let at = index + 1; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.depth < depth) return token;
    if (token.depth > depth || !ends.has(token.word)) continue;
    if (token.word !== "and" || !isOfBetween(tokens, at)) return token;
  }
  return undefined;
}

/** `between 1 and 2` */
function isOfBetween(tokens: Token[], index: number): boolean {
  const { depth } = tokens[index]!;
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at]!;
    if (token.depth < depth) return false;
    if (token.depth > depth) continue;
    if (token.word === "between") return true;
    if (ENDS_CONDITION.has(token.word)) return false;
  }
  return false;
}

function trimmedEnd(source: string, next: Token | undefined): number {
  return source.slice(0, next?.start ?? source.length).trimEnd().length;
}
