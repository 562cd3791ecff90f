import { escaped } from "./jsonc.ts";

/** What only a secret looks like. */
const SHAPES: [RegExp, string][] = [
  [/svc_live_[\w-]{20,}/, "an API key"],
  [/whsec_[A-Za-z0-9+/=]{20,}/, "a webhook's secret"],
  [/\b[sr]k_(live|test)_\w{10,}/, "a key of Stripe"],
  [/\bAKIA[0-9A-Z]{16}\b/, "a key of AWS"],
  [/\bgh[pousr]_[A-Za-z0-9]{30,}/, "a token of GitHub"],
  [/\bsk-[\w-]{20,}/, "a key of a model's host"],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, "a private key"],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/, "a login token"],
  [/\b0x[0-9a-f]{64}\b/i, "a wallet's private key, or something as long"],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s/@"'<>]+:[^\s/@"'<>]+@/i, "an address with a password in it"],
];
const NAMES = /^(password|passwd|secret|token|api_?key|private_?key|credentials?|authorization)$/i;

export interface Secret {
  /** RFC 6901. */
  pointer: string;
  what: string;
}

/** The secrets in what is read from a file or goes into one; what they are is not repeated. */
export function secretsIn(value: unknown, pointer = ""): Secret[] {
  if (typeof value === "string") {
    const shape = SHAPES.find(([pattern]) => pattern.test(value));
    return shape === undefined ? [] : [{ pointer, what: shape[1] }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const own = `${pointer}/${escaped(name)}`;
    if (NAMES.test(name)) return [{ pointer: own, what: "what its name says" }];
    return [...secretsIn(name, own), ...secretsIn(each, own)];
  });
}

/** Where a text has one, comments and all; null where it has none. */
export function secretAt(text: string): { index: number; what: string } | null {
  for (const [pattern, what] of SHAPES) {
    const found = pattern.exec(text);
    if (found !== null) return { index: found.index, what };
  }
  return null;
}
