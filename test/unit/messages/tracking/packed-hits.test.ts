import fc from "fast-check";
import { expect, test } from "vitest";
import { newHit } from "#src/domain/messages/tracking/hit.ts";
import { packHits, packedHits } from "#src/domain/messages/tracking/packed-hits.ts";

/** What Cloudflare takes as one message, and counts as one operation. */
const MOST_BYTES = 64_000;

const text = (maxLength: number) => fc.string({ unit: "binary", maxLength });
const hits = fc.array(
  fc
    .record({
      url: fc.option(fc.oneof(text(1_500), fc.constant("\u0001".repeat(1_500)))),
      userAgent: fc.option(fc.oneof(text(600), fc.constant("\u{1f44d}".repeat(400)))),
      asn: fc.option(fc.oneof(fc.integer(), fc.constant(2 ** 32 - 1), fc.double())),
      linkIndex: fc.nat(255),
      prefetch: fc.boolean(),
    })
    .map((seen) =>
      newHit(
        {
          ids: { uuid: () => crypto.randomUUID() } as never,
          clock: { now: () => new Date() } as never,
        },
        { ...seen, sendId: crypto.randomUUID(), kind: "click" },
      ),
    ),
  { maxLength: 60 },
);

test("hits of any content come out of the queue as they went in, in messages that it takes", () => {
  fc.assert(
    fc.property(hits, (given) => {
      const bodies = packHits(given).map((pack) => JSON.stringify(pack));
      for (const body of bodies)
        expect(new TextEncoder().encode(body).length).toBeLessThan(MOST_BYTES);
      const read = bodies.flatMap((body) => packedHits.parse(JSON.parse(body)).hits);
      expect(read).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test("hits that came together make as few messages as hold them", () => {
  const one = newHit(
    {
      ids: { uuid: () => crypto.randomUUID() } as never,
      clock: { now: () => new Date() } as never,
    },
    {
      sendId: crypto.randomUUID(),
      kind: "click",
      linkIndex: 0,
      url: "https://example.com/pricing",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
      prefetch: false,
      asn: null,
    },
  );
  const sizes = (count: number) => packHits(Array(count).fill(one)).map((pack) => pack.hits.length);
  expect(sizes(0)).toEqual([]);
  expect(sizes(1)).toEqual([1]);
  expect(sizes(1_000)).toHaveLength(6);
  expect(packHits(Array(1_000).fill(one)).flatMap((pack) => pack.hits)).toHaveLength(1_000);
});
