/** A parsed argument of MAIL or RCPT: the address between the angle brackets and the ESMTP parameters after it. */
export interface PathArgument {
  address: string;
  parameters: Map<string, string>;
}

const quotedLocal = `"(?:[^"\\\\\\r\\n]|\\\\.)*"`;
const pathPattern = new RegExp(
  `^(?:<(?:@[^:>]+:)?((?:${quotedLocal}|[^\\s<>"@]+)@[^\\s<>@]+|)>)(?: +(.*))?$`,
  "su",
);

/** Reads `<address> KEY=value ...`; null when it is no such thing. A source route is ignored, as RFC 5321 section 4.1.2 asks. */
export function parsePath(argument: string): PathArgument | null {
  const match = pathPattern.exec(argument);
  if (match === null) return null;
  const parameters = new Map<string, string>();
  for (const word of (match[2] ?? "").split(" ")) {
    if (word === "") continue;
    const [key = "", ...value] = word.split("=");
    parameters.set(key.toUpperCase(), value.join("="));
  }
  return { address: match[1] ?? "", parameters };
}

/** Splits `VERB argument`; the verb in capitals. */
export function parseCommand(line: string): { verb: string; argument: string } {
  const space = line.indexOf(" ");
  if (space < 0) return { verb: line.trim().toUpperCase(), argument: "" };
  return { verb: line.slice(0, space).toUpperCase(), argument: line.slice(space + 1).trim() };
}

/** Base64 of UTF-8 text, strictly (RFC 4954 section 4); null when it is not. */
export function decodeBase64Text(encoded: string): string | null {
  if (encoded === "=") return "";
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded))
    return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return null;
  }
}

/** RFC 4616: authorization identity, NUL, user name, NUL, password. */
export function parsePlainCredentials(
  decoded: string,
): { username: string; password: string } | null {
  const parts = decoded.split("\0");
  const [, username, password] = parts;
  if (parts.length !== 3 || username === undefined || password === undefined) return null;
  return { username, password };
}

/** `size` or `size LAST` of RFC 3030's BDAT. */
export function parseChunkArgument(argument: string): { size: number; last: boolean } | null {
  const match = /^(\d{1,15})( +LAST)?$/i.exec(argument);
  return match === null ? null : { size: Number(match[1]), last: match[2] !== undefined };
}

/** What RFC 1870, 6152, 6531 and 4954 allow after MAIL FROM. */
const MAIL_PARAMETERS: Record<string, RegExp> = {
  SIZE: /^\d{1,20}$/,
  BODY: /^(?:7BIT|8BITMIME)$/i,
  SMTPUTF8: /^$/,
  AUTH: /^\S+$/,
};

export const isMailParameter = (key: string, value: string): boolean =>
  MAIL_PARAMETERS[key]?.test(value) === true;

export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
