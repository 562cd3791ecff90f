/** The results that a method may have (RFC 8601 section 2.7), and Microsoft's guess where a domain publishes nothing. */
export const AUTH_RESULTS = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
  "bestguesspass",
] as const;
export type AuthResult = (typeof AUTH_RESULTS)[number];

/** What a receiver wrote about where a message came from; null where it says nothing of a method. */
export interface Authentication {
  /** Who says so (authserv-id); null where it does not name itself, as Microsoft does not. */
  by: string | null;
  spf: AuthResult | null;
  dkim: AuthResult | null;
  dmarc: AuthResult | null;
}

const MOST_FIELDS = 20;
const MOST_LETTERS = 8_000;

/**
 * Reads the values of a message's Authentication-Results fields, the topmost first (RFC 8601). A receiver writes its own
 * on top and takes away what else bears its name, so only who signs the topmost is believed, in all of its fields; of
 * several signatures one that passes counts. Null where there is no such field.
 */
export function readAuthenticationResults(values: readonly string[]): Authentication | null {
  const fields = values.slice(0, MOST_FIELDS).map((each) => readField(each.slice(0, MOST_LETTERS)));
  const by = fields[0]?.by;
  if (by === undefined) return null;
  const results = fields.filter((field) => field.by === by).flatMap((field) => field.results);
  const of = (method: string) => results.filter((each) => each.method === method);
  const first = (method: string) => of(method)[0]?.result ?? null;
  return {
    by,
    spf: first("spf"),
    dkim: of("dkim").find(({ result }) => result === "pass")?.result ?? first("dkim"),
    dmarc: first("dmarc"),
  };
}

const METHOD = /^\s*([a-z][a-z0-9-]{0,30})(?:\s*\/\s*\d+)?\s*=\s*([a-z]{1,20})\b/i;

function readField(value: string) {
  const [head = "", ...rest] = withoutComments(value).split(";");
  const names = !METHOD.test(head);
  const [, id] = /^\s*([^\s;]{1,255})/.exec(head) ?? [];
  const results = (names ? rest : [head, ...rest]).flatMap((part) => {
    const [, method, word] = METHOD.exec(part) ?? [];
    const result = AUTH_RESULTS.find((each) => each === word?.toLowerCase());
    return result === undefined ? [] : [{ method: method!.toLowerCase(), result }];
  });
  return { by: names ? (id?.toLowerCase() ?? "") : null, results };
}

/** Comments may hold anything, also what looks like a result; quoted strings are no comments. */
function withoutComments(value: string): string {
  let depth = 0;
  let inQuotes = false;
  let left = "";
  for (let at = 0; at < value.length; at++) {
    const letter = value[at]!;
    if (letter === "\\") at++;
    else if (depth === 0 && letter === '"') inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (letter === "(") depth++;
    else if (letter === ")" && depth > 0) depth--;
    else if (depth === 0) left += letter;
  }
  return left;
}
