/** A CSV file as the reply, written while the client reads it: asks for the next piece only when the last was taken. */
export function csvReply(filename: string, pieces: AsyncGenerator<string>): Response {
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
  return new Response(stream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${filename}"`,
    },
  });
}

export const CSV_NOTE =
  "UTF-8 with a header line, streamed. A cell that a spreadsheet would take for a formula begins with an apostrophe.";
