/** Whether these characters stand there, each one byte. */
export const hasText = (bytes: Uint8Array, at: number, text: string): boolean =>
  at + text.length <= bytes.length &&
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Numbers of two and four bytes; null where the bytes end before. */
export const uint16 = (bytes: Uint8Array, at: number, isLittle = false): number | null =>
  at + 2 > bytes.length ? null : viewOf(bytes).getUint16(at, isLittle);

export const uint32 = (bytes: Uint8Array, at: number, isLittle = false): number | null =>
  at + 4 > bytes.length ? null : viewOf(bytes).getUint32(at, isLittle);
