/** The body as text; null, and no more is read, once it is longer than that. Rejects when it breaks off or the signal aborts. */
export async function readBoundedText(
  { body }: Response,
  maxBytes: number,
): Promise<string | null> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
