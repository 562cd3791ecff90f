/** Text as the reply, written while the client reads it: asks for the next piece only when the last was taken. */
export function streamReply(
  pieces: AsyncGenerator<string>,
  headers: Record<string, string>,
): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done === true) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(stream, { headers });
}

/** An object whose one list comes in pages: what is sent already is not kept. */
export function jsonListReply<Row>(
  head: object,
  name: string,
  pages: AsyncGenerator<readonly Row[]>,
  toItem: (row: Row) => object,
): Response {
  async function* write() {
    yield `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:[`;
    let separator = "";
    for await (const page of pages)
      for (const row of page) {
        yield separator + JSON.stringify(toItem(row));
        separator = ",";
      }
    yield "]}";
  }
  return streamReply(write(), { "Content-Type": "application/json" });
}
