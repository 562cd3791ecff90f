/** The body's first bytes, up to so many; no more is read and the line is closed. Rejects when it breaks off or the signal aborts. */
export async function readFirstBytes(
  { body }: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  while (reader !== undefined && size < maxBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  if (size >= maxBytes) await reader?.cancel().catch(() => {});
  return joined(chunks, Math.min(size, maxBytes));
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, size - at), at);
    at += Math.min(chunk.byteLength, size - at);
  }
  return bytes;
}
