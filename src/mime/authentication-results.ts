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

/** One result, and the domain that it is about; null where the receiver does not say it. */
export interface MethodResult {
  method: string;
  result: AuthResult;
  domain: string | null;
}

/**
 * Reads the values of a message's Authentication-Results fields, the topmost first (RFC 8601). A receiver writes its own
 * on top and takes away what else bears its name, so only who signs the topmost is believed, in all of its fields. Null
 * where there is no such field.
 */
export function believedResults(
  values: readonly string[],
): { by: string | null; results: MethodResult[] } | null {
  const fields = values.slice(0, MOST_FIELDS).map((each) => readField(each.slice(0, MOST_LETTERS)));
  const by = fields[0]?.by;
  if (by === undefined) return null;
  return {
    by,
    results: fields.filter((field) => field.by === by).flatMap(({ results }) => results),
  };
}

/** What is believed of each method; of several signatures one that passes counts. */
export function readAuthenticationResults(values: readonly string[]): Authentication | null {
  const believed = believedResults(values);
  if (believed === null) return null;
  const { by, results } = believed;
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
    const [, name = "", word] = METHOD.exec(part) ?? [];
    const method = name.toLowerCase();
    const result = AUTH_RESULTS.find((each) => each === word?.toLowerCase());
    if (result === undefined) return [];
    return [{ method, result, domain: domainIn(method, part) }];
  });
  return { by: names ? (id?.toLowerCase() ?? "") : null, results };
}

/** The properties by which a method names its domain, the first that is there (RFC 8601 section 2.7). */
const NAMES_DOMAIN: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ["dkim", [/\sheader\.d\s*=\s*([^\s;]+)/i, /\sheader\.i\s*=\s*([^\s;]+)/i]],
  ["dmarc", [/\sheader\.from\s*=\s*([^\s;]+)/i]],
  ["spf", [/\ssmtp\.mailfrom\s*=\s*([^\s;]+)/i, /\ssmtp\.helo\s*=\s*([^\s;]+)/i]],
]);

function domainIn(method: string, part: string): string | null {
  for (const property of NAMES_DOMAIN.get(method) ?? []) {
    const [, value] = property.exec(part) ?? [];
    if (value !== undefined) return value.slice(value.lastIndexOf("@") + 1).toLowerCase();
  }
  return null;
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
