import { fromBase64, toBase64 } from "#src/platform/encoding.ts";

/** The name of a folder as commands have it: modified UTF-7 (RFC 3501 section 5.1.3), quoted. */
export function folderArgument(name: string): string {
  const encoded = name.replace(/&|[^\x20-\x7e]+/g, (part) =>
    part === "&" ? "&-" : `&${utf16Base64(part)}-`,
  );
  return quoted(encoded);
}

/** A quoted string; for text in printable ASCII only. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

export const isPrintable = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

function utf16Base64(text: string): string {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    bytes[at * 2] = unit >> 8;
    bytes[at * 2 + 1] = unit & 255;
  }
  return toBase64(bytes).replace(/=+$/, "").replaceAll("/", ",");
}

const ENCODED = /&([A-Za-z0-9+,]*)-/g;

/** A folder's name as people read it, of the server's spelling of it. */
export const folderName = (spelling: string): string =>
  spelling.replace(ENCODED, (_, code: string) =>
    code === "" ? "&" : utf16Text(fromBase64(code.replaceAll(",", "/"))),
  );

function utf16Text(bytes: Uint8Array | null): string {
  let text = "";
  for (let at = 0; bytes !== null && at + 1 < bytes.length; at += 2)
    text += String.fromCharCode((bytes[at]! << 8) | bytes[at + 1]!);
  return text.toWellFormed();
}
