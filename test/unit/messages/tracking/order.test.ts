import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { StoredHit, TrackedMessage } from "#db/messages/tracked-hits.ts";
import { classifyHits } from "#src/domain/messages/tracking/classify.ts";
import { type Hit, MAX_HITS_PER_MESSAGE } from "#src/domain/messages/tracking/hit.ts";
import { planMessage, tallyHits } from "#src/domain/messages/tracking/plan.ts";

const ACCEPTED = new Date("2026-03-02T10:00:30Z");
const SEND = "0190b0a0-1234-7abc-8def-0123456789ab";

const EMPTY = {
  opens: 0,
  clicks: 0,
  machineOpens: 0,
  machineClicks: 0,
  firstOpenedAt: null as Date | null,
  firstClickedAt: null as Date | null,
};

/** A message's row and its hits, as a database that does what the plans say. */
function createMessage() {
  let counts = { ...EMPTY };
  let hits: StoredHit[] = [];
  return {
    counts: () => counts,
    /** Its hits are kept no more. */
    forget: () => (hits = []),
    verdicts: () =>
      Object.fromEntries(
        hits.map(({ id, classification, reasons }) => [id, { classification, reasons }]),
      ),
    record(batch: Hit[]) {
      const stored: TrackedMessage = {
        id: SEND,
        acceptedAt: ACCEPTED,
        isUnknown: false,
        version: "1",
        ...counts,
        hits,
      };
      const { change, droppedCount } = planMessage(stored, batch);
      if (change === null) return droppedCount;
      const { added, rejudged, id: _id, version: _version, ...rest } = change;
      counts = rest;
      const renewed = new Map(rejudged.map((verdict) => [verdict.id, verdict]));
      hits = [...hits.map((hit) => ({ ...hit, ...renewed.get(hit.id) })), ...added];
      return droppedCount;
    },
  };
}

const AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  "Mozilla/5.0",
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  "curl/8.5.0",
  null,
];
const hitArbitrary: fc.Arbitrary<Hit> = fc.record({
  id: fc.uuid(),
  sendId: fc.constant(SEND),
  kind: fc.constantFrom("open" as const, "click" as const),
  // Close together, so that every rule has its turn, and across a minute's end.
  at: fc.integer({ min: -2_000, max: 40_000 }).map((ms) => new Date(ACCEPTED.getTime() + ms)),
  linkIndex: fc.integer({ min: 0, max: 4 }),
  url: fc.constant(null),
  userAgent: fc.constantFrom(...AGENTS),
  prefetch: fc.boolean(),
  asn: fc.constantFrom(null, 3320, 16509),
});

/** A sequence, and the same with repetitions, in another order, cut into batches. */
const arrival = fc
  .uniqueArray(hitArbitrary, { selector: ({ id }) => id, minLength: 1, maxLength: 40 })
  .chain((hits) =>
    fc.record({
      hits: fc.constant(hits),
      arriving: fc
        .tuple(
          fc.shuffledSubarray(hits, { minLength: hits.length }),
          fc.array(fc.constantFrom(...hits), { maxLength: 20 }),
        )
        .chain(([all, again]) =>
          fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }),
        ),
      sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 60, maxLength: 60 }),
    }),
  );

test("whatever the order, the repetitions and the batches, hits count as if they had come at once", () => {
  fc.assert(
    fc.property(arrival, ({ hits, arriving, sizes }) => {
      const verdicts = classifyHits(ACCEPTED, hits);
      const judged = hits.map((hit, index) => ({ ...hit, ...verdicts[index]! }));
      const message = createMessage();
      let from = 0;
      for (const size of sizes) {
        message.record(arriving.slice(from, from + size));
        from += size;
      }
      expect(message.counts()).toEqual(tallyHits(judged));
      expect(message.verdicts()).toEqual(
        Object.fromEntries(hits.map(({ id }, index) => [id, verdicts[index]])),
      );
    }),
    { numRuns: 1_000 },
  );
});

const person = (afterMs: number, more: Partial<Hit> = {}): Hit => ({
  id: `0190b0a0-1234-7abc-8def-${String(afterMs).padStart(12, "0")}`,
  sendId: SEND,
  kind: "click",
  at: new Date(ACCEPTED.getTime() + afterMs),
  linkIndex: 0,
  url: "https://example.com/",
  userAgent: AGENTS[0]!,
  prefetch: false,
  asn: null,
  ...more,
});

test("the third link of a burst takes the first two out of the people's counts, and the first click with them", () => {
  const message = createMessage();
  message.record([person(60_000)]);
  message.record([person(60_100, { linkIndex: 1 })]);
  expect(message.counts()).toMatchObject({
    clicks: 2,
    machineClicks: 0,
    firstClickedAt: new Date(ACCEPTED.getTime() + 60_000),
  });
  message.record([person(60_200, { linkIndex: 2 })]);
  expect(message.counts()).toMatchObject({ clicks: 0, machineClicks: 3, firstClickedAt: null });
  message.record([person(90_000)]);
  expect(message.counts()).toMatchObject({
    clicks: 1,
    machineClicks: 3,
    firstClickedAt: new Date(ACCEPTED.getTime() + 90_000),
  });
});

test("hits that are kept no more stay counted, and so does the first of them", () => {
  const LATER_MS = 91 * 86_400_000;
  fc.assert(
    fc.property(arrival, arrival, ({ hits: early }, { hits }) => {
      const late = hits.map((hit) => ({ ...hit, at: new Date(hit.at.getTime() + LATER_MS) }));
      const [message, whole] = [createMessage(), createMessage()];
      for (const hit of early) message.record([hit]);
      message.forget();
      for (const hit of late) message.record([hit]);
      whole.record([...early, ...late]);
      expect(message.counts()).toEqual(whole.counts());
    }),
    { numRuns: 500 },
  );
});

test("a hit that comes twice in one batch is added once", () => {
  const hit = person(60_000);
  const message = {
    id: SEND,
    acceptedAt: ACCEPTED,
    isUnknown: false,
    version: "1",
    ...EMPTY,
    hits: [],
  };
  expect(planMessage(message, [hit, hit]).change!.added).toHaveLength(1);
});

test("a replay plans nothing", () => {
  const hits = [person(60_000), person(60_100, { linkIndex: 1 }), person(60_200, { linkIndex: 2 })];
  const stored = {
    id: SEND,
    acceptedAt: ACCEPTED,
    isUnknown: false,
    version: "1",
    ...EMPTY,
    hits: planMessage(
      { id: SEND, acceptedAt: ACCEPTED, isUnknown: false, version: "1", ...EMPTY, hits: [] },
      hits,
    ).change!.added,
  };
  expect(planMessage(stored, hits)).toEqual({ change: null, droppedCount: 0 });
});

test("a link counts once a minute, and a machine's hit does not hide a person's", () => {
  const message = createMessage();
  message.record([person(1_000), person(10_000), person(11_000), person(29_000), person(31_000)]);
  expect(message.counts()).toMatchObject({ clicks: 2, machineClicks: 1 });
});

test("of one message no more than a thousand hits are kept; what is too much is told", () => {
  const message = createMessage();
  const many = Array.from({ length: MAX_HITS_PER_MESSAGE + 5 }, (_, index) =>
    person(60_000 + index * 60_000),
  );
  expect(message.record(many)).toBe(5);
  expect(message.record([person(50_000)])).toBe(1);
  expect(message.counts().clicks).toBe(MAX_HITS_PER_MESSAGE);
});
