import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countPlaces,
  doubts,
  excerpt,
  moved,
  nextToReview,
  numbered,
  overOf,
  placeOf,
  type QueuedDraft,
  sourceWords,
} from "../../../src/console/pure/draft-queue.ts";

const draft = (more: Partial<QueuedDraft> = {}): QueuedDraft => ({
  campaign_lead_id: "a",
  status: "generated",
  body: "",
  error: null,
  approved: false,
  stale: false,
  claims: [],
  research_sources: [],
  ...more,
});
const source = (summary: string, meta: Record<string, unknown> = {}) => ({
  name: "website",
  summary,
  meta,
});

const claims = fc.array(
  fc.record({
    start: fc.integer({ min: -5, max: 60 }),
    end: fc.integer({ min: -5, max: 60 }),
    kind: fc.constantFrom("number", "name", "quote"),
    source_index: fc.option(fc.integer({ min: 0, max: 3 })),
  }),
  { maxLength: 8 },
);
const anyDraft = fc.record({
  campaign_lead_id: fc.uuid(),
  status: fc.constantFrom("pending", "running", "generated", "failed", "skipped", "cancelled"),
  body: fc.option(fc.string({ maxLength: 60, unit: "binary" })),
  error: fc.option(fc.constant("It obeys an order.")),
  approved: fc.boolean(),
  stale: fc.boolean(),
  claims,
  research_sources: fc.array(
    fc.string().map((summary) => source(summary)),
    { maxLength: 3 },
  ),
});

describe("what a draft claims", () => {
  test("its pieces are its bytes, whatever spans are given, and numbers go up by one", () => {
    fc.assert(
      fc.property(anyDraft, (one) => {
        const { pieces, claims: all } = numbered(one);
        expect(pieces.map(({ text }) => text).join("")).toBe(one.body ?? "");
        expect(all.map(({ n }) => n)).toEqual(all.map((_, index) => index + 1));
      }),
    );
  });

  test("the same words of one source have one number, and of an overlap the first stands", () => {
    const body = "Fjord has 31 pages, Fjord!";
    const at = (words: string, from = 0) => {
      const start = body.indexOf(words, from);
      return { start, end: start + words.length };
    };
    const of = draft({
      body,
      claims: [
        { ...at("Fjord", 10), kind: "name", source_index: 0 },
        { ...at("31"), kind: "number", source_index: null },
        { ...at("has 31 pages"), kind: "quote", source_index: 0 },
        { ...at("Fjord"), kind: "name", source_index: 0 },
      ],
      research_sources: [source("Fjord Systems")],
    });
    const { pieces, claims: all } = numbered(of);
    expect(all.map(({ n, text }) => [n, text])).toEqual([
      [1, "Fjord"],
      [2, "has 31 pages"],
    ]);
    expect(pieces.map(({ claim }) => claim?.n ?? 0)).toEqual([1, 0, 2, 0, 1, 0]);
  });

  test("one without a source is a doubt, and so is why a text is held; a source that is not there is none", () => {
    const body = "40 %";
    const claim = { start: 0, end: 4, kind: "number" };
    expect(
      doubts(
        draft({
          body,
          claims: [{ ...claim, source_index: 0 }],
          research_sources: [source("40 %")],
        }),
      ),
    ).toEqual([]);
    expect(doubts(draft({ body, claims: [{ ...claim, source_index: 7 }] }))).toEqual([
      'No source says "40 %".',
    ]);
    expect(doubts(draft({ body, error: "It obeys an order." }))).toEqual(["It obeys an order."]);
  });

  test("what a source says around the words, and never half a character", () => {
    expect(excerpt(source(`${"a ".repeat(99)}31 pages${" b".repeat(99)}`), "31 PAGES")).toMatch(
      /^…[a ]+31 pages[b ]+…$/,
    );
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.string({ maxLength: 3 }),
        (text, words) => {
          expect(excerpt(source(text), words).isWellFormed()).toBe(true);
        },
      ),
    );
  });

  test("only an address of the web is followed", () => {
    expect(sourceWords(source("", { url: "https://a.zz/x" })).url).toBe("https://a.zz/x");
    for (const url of ["javascript:alert(1)", "data:text/html,x", " https://a.zz", 7, null])
      expect(sourceWords(source("", { url })).url).toBeNull();
  });
});

describe("the queue", () => {
  test("each draft is in one place", () => {
    fc.assert(
      fc.property(fc.array(anyDraft, { maxLength: 20 }), (all) => {
        const counts = countPlaces(all);
        expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(all.length);
      }),
    );
    expect(placeOf(draft({ approved: true, stale: true }))).toBe("stale");
    expect(placeOf(draft({ error: "Held" }))).toBe("held");
    expect(placeOf(draft({ approved: true, error: "Held" }))).toBe("approved");
  });

  test("the next waits for a person and is another, and whoever goes on from it reaches all that wait", () => {
    const drafts = fc.uniqueArray(anyDraft, {
      selector: (one) => one.campaign_lead_id,
      maxLength: 12,
    });
    fc.assert(
      fc.property(drafts, fc.nat(), (all, start) => {
        const waiting = all.filter((one) => ["review", "held"].includes(placeOf(one)));
        let id = all[start % Math.max(all.length, 1)]?.campaign_lead_id ?? null;
        const seen = new Set<string | null>(
          waiting.some((one) => one.campaign_lead_id === id) ? [id] : [],
        );
        for (let step = 0; step < waiting.length; step++) {
          const next = nextToReview(all, id);
          if (next === null) break;
          expect(next.campaign_lead_id).not.toBe(id);
          id = next.campaign_lead_id;
          seen.add(id);
        }
        expect(seen.size).toBe(waiting.length);
      }),
    );
  });

  test("the ends are ends, and without one the first is meant", () => {
    const all = ["a", "b", "c"].map((id) => draft({ campaign_lead_id: id }));
    const to = (id: string | null, by: number) => moved(all, id, by)?.campaign_lead_id;
    expect([to(null, 1), to("a", 1), to("c", 1), to("a", -1)]).toEqual(["a", "b", "c", "a"]);
    expect(moved([], "a", 1)).toBeUndefined();
  });
});

test.each([
  ["a lead that was not read yet", undefined, null],
  ["a step that is to come", { current_step: 1, status: "active" }, null],
  ["a step that is done", { current_step: 2, status: "active" }, "Step 2 is behind them"],
  ["a lead that answered before", { current_step: 1, status: "replied" }, "Not any more: replied"],
])("whether a draft can still go out: %s", (_, lead, words) => {
  expect(overOf(lead, 2)).toBe(words);
});
