import { toBase64 } from "#src/platform/encoding.ts";

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
