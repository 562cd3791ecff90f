import { streamReply } from "./stream-reply.ts";

/** A CSV file as the reply. */
export const csvReply = (filename: string, pieces: AsyncGenerator<string>): Response =>
  streamReply(pieces, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${filename}"`,
  });

export const CSV_NOTE =
  "UTF-8 with a header line, streamed. A cell that a spreadsheet would take for a formula begins with an apostrophe.";
