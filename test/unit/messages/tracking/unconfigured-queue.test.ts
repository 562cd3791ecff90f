import { afterEach, expect, test, vi } from "vitest";
import { openBatch } from "../../../../scripts/stack/batch.ts";

vi.mock("cloudflare:sockets", () => ({ connect: () => undefined }));
/** Not by its types: those of Cloudflare are not the tests'. */
const entry: string = "#src/worker.ts";
const { createHandlers } = (await import(entry)) as {
  createHandlers(): { queue(batch: unknown, env: object, context: unknown): Promise<void> };
};

afterEach(() => vi.restoreAllMocks());

test("a Worker that refuses its configuration puts opens and clicks off as long as an absent database does", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  const delivered = (attempts: number) => ({
    id: `${attempts}`,
    timestamp: "2026-01-01T00:00:00Z",
    body: '{"hits":[]}',
    attempts,
  });
  const batch = openBatch([delivered(1), delivered(20)]);
  const context = { waitUntil: () => undefined };
  await createHandlers().queue(batch, {}, context);
  expect(batch.outcome(false)).toEqual({
    retries: [
      { id: "1", delay_seconds: 5 },
      { id: "20", delay_seconds: 900 },
    ],
  });
  expect(said).toHaveBeenCalledWith(expect.stringContaining("DATABASE_URL: is missing"));
});
