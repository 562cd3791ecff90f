import { describe, expect, test } from "vitest";
import { nextCountAt } from "#src/domain/network/posts/count-times.ts";
import { factsOf } from "#src/domain/network/posts/facts.ts";
import {
  afterLookUp,
  afterPublishing,
  type OpenPost,
  whileNotConnected,
} from "#src/domain/network/posts/outcome.ts";
import type { NetworkFailure, PublishedPost } from "#src/providers/network/index.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const post = (change: Partial<OpenPost> = {}): OpenPost => ({
  scheduledAt: null,
  createdAt: NOW,
  retryCount: 0,
  ...change,
});
const failure = (failed: object): { ok: false; failure: NetworkFailure } => ({
  ok: false,
  failure: { code: "c", detail: "Words of the provider", ...failed } as NetworkFailure,
});
const published = (change: Partial<PublishedPost> = {}): PublishedPost => ({
  id: "7",
  socialId: "urn:7",
  shareUrl: null,
  text: "Hello",
  publishedAt: NOW,
  isRepost: false,
  author: { id: null, name: null },
  attachments: [],
  impressions: null,
  reactions: null,
  comments: null,
  reposts: null,
  ...change,
});
const after = (failed: object, of = post()) =>
  afterPublishing(failure(failed), of, NOW, NOW) as {
    kind: string;
    dueAt: Date;
    retryCount: number;
    begunAt: Date | null;
    error: string;
  };
const waited = ({ dueAt }: { dueAt: Date }) => (dueAt.getTime() - NOW.getTime()) / MINUTE;

describe("what a failure of the network means for a post", () => {
  test("down: tried again after 5 and 30 minutes and 2 hours, then it has failed and says why", () => {
    const ends = [0, 1, 2, 3].map((retryCount) => after({ kind: "down" }, post({ retryCount })));
    expect(ends.slice(0, 3).map((end) => [end.kind, end.retryCount, waited(end)])).toEqual([
      ["waits", 1, 5],
      ["waits", 2, 30],
      ["waits", 3, 120],
    ]);
    expect(ends[3]).toEqual({ kind: "failed", error: "Words of the provider." });
  });

  test("a limit is waited for and counts as no try, as long as it says", () => {
    const limit = { kind: "limited", scope: "calls" };
    const worn = post({ retryCount: 3 });
    expect(after({ ...limit, retryAfterSeconds: 120 }, worn)).toMatchObject({
      kind: "waits",
      retryCount: 3,
      begunAt: null,
    });
    expect(waited(after({ ...limit, retryAfterSeconds: 120 }, worn))).toBe(2);
    expect(waited(after({ kind: "limited", scope: "action" }))).toBe(180);
    const old = post({ createdAt: ago(7 * DAY) });
    expect(after(limit, old).kind).toBe("failed");
  });

  test.each(["account", "configuration"])("%s: waits up to a day", (kind) => {
    expect(waited(after({ kind }, post({ createdAt: ago(DAY - 1) })))).toBe(15);
    expect(after({ kind }, post({ createdAt: ago(DAY) })).kind).toBe("failed");
  });

  test.each(["request", "person", "refused_login"])("%s: fails at once", (kind) => {
    expect(after({ kind, reason: "not_found" })).toEqual({
      kind: "failed",
      error: "Words of the provider.",
    });
  });

  test("unknown: stays begun, so that it is looked up and not said again", () => {
    expect(after({ kind: "unknown" })).toMatchObject({
      kind: "waits",
      begunAt: NOW,
      retryCount: 0,
    });
  });
});

describe("an answer that was lost", () => {
  const look = (found: PublishedPost | null, minutes: number, of = post()) =>
    afterLookUp({ ok: true, value: found }, of, ago(minutes * MINUTE), NOW);

  test("is found: the post is published when the network says it was", () => {
    const at = ago(MINUTE);
    expect(look(published({ publishedAt: at }), 2)).toMatchObject({ kind: "published", at });
  });

  test("is looked for until the network has settled, and only then is it said again", () => {
    expect(look(null, 9)).toMatchObject({ kind: "waits", begunAt: ago(9 * MINUTE), retryCount: 0 });
    expect(look(null, 10)).toMatchObject({ kind: "waits", begunAt: null, retryCount: 1 });
    expect(look(null, 10, post({ retryCount: 3 })).kind).toBe("failed");
  });

  test("cannot be looked up: nothing is said again, and after a day it has failed without being known", () => {
    const ask = (hours: number) =>
      afterLookUp(failure({ kind: "down" }), post(), ago(hours * HOUR), NOW);
    expect(ask(23)).toMatchObject({ kind: "waits", begunAt: ago(23 * HOUR), retryCount: 0 });
    expect(ask(24)).toMatchObject({ kind: "failed", error: expect.stringContaining("not known") });
  });
});

test("an account that is not connected is waited for a day, from when it was wanted or lost", () => {
  const lost = (of: OpenPost, hours: number) =>
    whileNotConnected(of, { status: "disconnected", statusSince: ago(hours * HOUR) }, NOW)?.kind;
  expect(lost(post(), 400)).toBe("waits");
  expect(lost(post({ createdAt: ago(DAY) }), 400)).toBe("failed");
  expect(lost(post({ createdAt: ago(9 * DAY) }), 23)).toBe("waits");
  expect(lost(post({ createdAt: ago(9 * DAY), scheduledAt: ago(HOUR) }), 400)).toBe("waits");
  expect(whileNotConnected(post(), { status: "connected", statusSince: NOW }, NOW)).toBeNull();
});

test("posts are counted hourly for 7 days and daily to day 30: 191 times", () => {
  const ages: number[] = [];
  for (let at = nextCountAt(NOW, NOW); at !== null; at = nextCountAt(NOW, at))
    ages.push((at.getTime() - NOW.getTime()) / DAY);
  expect(ages.filter((age) => age <= 7)).toHaveLength(168);
  expect([ages.length, ages.at(-1)]).toEqual([191, 30]);
});

test("what the network leaves out is not among the facts, and a count is what a column takes", () => {
  const facts = factsOf(published({ reactions: 2 ** 40, comments: 0 }), NOW);
  expect(facts).toEqual({
    providerPostId: "7",
    socialId: "urn:7",
    reactions: 2 ** 31 - 1,
    comments: 0,
    isRepost: false,
    metricsUpdatedAt: NOW,
  });
});
