/** The body as text; null, and no more is read, once it is longer than that. Rejects when it breaks off or the signal aborts. */
export async function readBoundedText(
  response: Response,
  maxBytes: number,
): Promise<string | null> {
  const { body, headers } = response;
  if (body === null) return "";
  // HTTP lets no body be longer than announced, unless it is unpacked afterwards; the runtime reads it in one step.
  const announced = headers.get("content-length");
  if (announced !== null && !headers.has("content-encoding") && Number(announced) <= maxBytes)
    return response.text();
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
