/** Encodings are declared within so many bytes, or not at all (https://html.spec.whatwg.org/#determining-the-character-encoding). */
const PRESCAN_BYTES = 1024;

/** A page's bytes as text: by its byte order mark, else by what the header says, else by what the page says of itself. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const declared = markOf(bytes) ?? charsetOf(contentType) ?? metaCharset(bytes);
  const decoder = declared === null ? null : decoderFor(declared);
  return decoder === null ? guess(bytes) : decoder.decode(bytes);
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : null;
}

const charsetOf = (text: string): string | null =>
  /charset\s*=\s*["']?\s*([^\s"';/>]{1,40})/i.exec(text)?.[1] ?? null;

/** The page is read as ASCII here, so what it calls UTF-16 it is not. */
function metaCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN_BYTES));
  const tags = head.match(/<meta\s[^>]{0,300}>/gi) ?? [];
  const found = tags.map(charsetOf).find((charset) => charset !== null) ?? null;
  return found !== null && /^utf-?16/i.test(found) ? "utf-8" : found;
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

/** UTF-8 where it is valid, its last letter cut off or not; else what browsers take for the Western web. */
function guess(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, {
      stream: true,
    });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
