import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { callbacks } from "#functions/index.ts";
import { createApp } from "#src/app.ts";
import type { Hit } from "#src/domain/messages/tracking/hit.ts";
import { recordHits } from "#src/domain/messages/tracking/record.ts";
import { createTrackTokens, type TrackToken } from "#src/domain/messages/tracking/track-token.ts";
import { dropWhatEnded } from "#src/domain/jobs/retention.ts";
import { untilWaiting } from "../../../support/locks.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { statements } from "../../../support/statements.ts";

let campaignId: string;
let sendIds: string[];

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

useSending();
const query = queryOf(() => sending.api.sql);
beforeEach(async () => {
  await sent(1);
});

/** A campaign of so many messages, accepted a minute ago. */
async function sent(count: number) {
  ({ campaignId } = await sending.campaign(tenant, {
    leads: count,
    aliases: count,
    domain: `${randomUUID()}.zz`,
  }));
  await sending.tick();
  const sends = await sending.sendsOf(campaignId);
  expect(sends.map(({ state }) => state)).toEqual(Array(count).fill("accepted"));
  sendIds = sends.map(({ id }) => id as string);
  sending.api.advance(60);
}

const stats = async () =>
  (await tenant.call("GET", `/api/v1/campaigns/${campaignId}/click-stats`)).body;
const eventsOf = async (sendId: string) =>
  await query`select kind, link_index, url, classification, reasons, user_agent, asn from email_events where send_id = ${sendId} order by at, link_index, kind`;
const rowOf = async (sendId: string) => (await query`select * from sends where id = ${sendId}`)[0];

const hit = (more: Partial<Hit> = {}): Hit => ({
  id: randomUUID(),
  sendId: sendIds[0]!,
  kind: "click",
  at: sending.api.deps.clock.now(),
  linkIndex: 0,
  url: "https://example.com/1",
  userAgent: CHROME,
  prefetch: false,
  asn: null,
  ...more,
});

async function address(token: TrackToken): Promise<string> {
  const text = await createTrackTokens(sending.api.deps.settings.trackingSecrets).sign(token);
  return `/${token.kind === "open" ? "o" : "c"}/${text}`;
}
const link = (linkIndex: number) =>
  address({
    kind: "click",
    sendId: sendIds[0]!,
    linkIndex,
    url: `https://example.com/${linkIndex}`,
  });
async function request(path: string, headers: Record<string, string> = {}, method = "GET") {
  const init = {
    method,
    headers: { "user-agent": CHROME, ...headers },
    redirect: "manual",
  } as const;
  const reply = await sending.api.request(path, init);
  await sending.api.settled();
  return reply.status;
}

describe("what a request becomes", () => {
  test("HEAD is answered and nowhere noted", async () => {
    expect(await request(await link(0), {}, "HEAD")).toBe(302);
    const open = await address({ kind: "open", sendId: sendIds[0]! });
    expect(await request(open, {}, "HEAD")).toBe(200);
    expect(await eventsOf(sendIds[0]!)).toEqual([]);
  });

  test.each([
    { purpose: "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { "x-moz": "prefetch" },
  ])("%o makes it a machine's", async (headers) => {
    await request(await link(0), headers);
    expect(await eventsOf(sendIds[0]!)).toMatchObject([
      { classification: "bot", reasons: ["prefetch"] },
    ]);
    expect(await stats()).toMatchObject({ total_clicks: 0, machine_clicks: 1 });
  });

  test("the network it came from is noted where the platform tells", async () => {
    const { deps } = sending.api;
    const app = createApp({ now: () => new Date(), makeDeps: () => deps });
    const path = await address({ kind: "open", sendId: sendIds[0]! });
    const from = Object.assign(
      new Request(`http://overture.test${path}.gif`, { headers: { "user-agent": CHROME } }),
      { cf: { asn: 16509 } },
    );
    expect((await app.fetch(from)).status).toBe(200);
    await sending.api.settled();
    expect(await eventsOf(sendIds[0]!)).toMatchObject([
      { asn: "16509", classification: "suspect", reasons: ["datacentre_network"] },
    ]);
    expect(await stats()).toMatchObject({ total_opens: 0, machine_opens: 1 });
  });

  test("a user agent is kept to 500 characters, whatever it holds; the URL is the token's", async () => {
    await request(`${await link(0)}?url=https://elsewhere.example/`, {
      "user-agent": `${"x".repeat(499)}\u00e9\u00e9${"y".repeat(5_000)}`,
    });
    const { deps } = sending.api;
    await recordHits(deps, [hit({ userAgent: "nothing" })]);
    const [event] = await eventsOf(sendIds[0]!);
    expect(event.user_agent).toHaveLength(500);
    expect(event.url).toBe("https://example.com/0");
  });

  test("of a message that is not ours is not noted", async () => {
    await recordHits(sending.api.deps, [hit({ sendId: randomUUID() }), hit()]);
    expect(await stats()).toMatchObject({ total_clicks: 1 });
  });
});

describe("a burst", () => {
  test("of three links takes the first two clicks back out of the counts", async () => {
    for (const index of [0, 1]) await request(await link(index));
    expect(await stats()).toMatchObject({ total_clicks: 2, clicked_count: 1, machine_clicks: 0 });
    await request(await link(2));
    expect(await stats()).toMatchObject({
      total_clicks: 0,
      clicked_count: 0,
      click_rate: 0,
      machine_clicks: 3,
    });
    const events = await eventsOf(sendIds[0]!);
    expect(events.map(({ classification }) => classification)).toEqual(["bot", "bot", "bot"]);
    expect(events[0].reasons).toEqual(["three_links_in_2_seconds"]);
    expect((await rowOf(sendIds[0]!)).first_clicked_at).toBeNull();
    sending.api.advance(60);
    await request(await link(1));
    expect(await stats()).toMatchObject({ total_clicks: 1, clicked_count: 1, machine_clicks: 3 });
  });

  test("counts the same however it is cut, ordered and repeated, by writers at once", async () => {
    await sent(2);
    const at = sending.api.deps.clock.now().getTime();
    const hits = [0, 300, 900, 1_500, 5_000, 5_400, 8_000].map((ms, index) =>
      hit({ at: new Date(at + ms), linkIndex: index % 4 }),
    );
    const opens = [0, 200, 61_000].map((ms) =>
      hit({
        kind: "open",
        url: null,
        at: new Date(at + ms),
        ...(ms === 200 ? { prefetch: true, userAgent: "Other/1.0" } : {}),
      }),
    );
    const all = [...hits, ...opens];
    await recordHits(sending.api.deps, all);
    const columns = (row: Record<string, unknown>) =>
      [
        "opens",
        "clicks",
        "machine_opens",
        "machine_clicks",
        "first_opened_at",
        "first_clicked_at",
      ].map((name) => row[name]);
    const [counts, events] = [columns(await rowOf(sendIds[0]!)), await eventsOf(sendIds[0]!)];
    expect(counts.slice(0, 4)).toEqual([2, 3, 1, 4]);

    const again = all.map((each) => ({ ...each, id: randomUUID(), sendId: sendIds[1]! }));
    const writers = [0, 1, 2, 3].map((writer) =>
      recordHits(sending.api.deps, again.filter((_, index) => index % 4 !== writer).toReversed()),
    );
    await Promise.all(writers);
    await recordHits(sending.api.deps, again);
    expect(columns(await rowOf(sendIds[1]!))).toEqual(counts);
    expect(await eventsOf(sendIds[1]!)).toEqual(events);
  });
});

test("hits end after 90 days, and what was counted of them does not", async () => {
  await recordHits(sending.api.deps, [hit(), hit({ kind: "open", url: null })]);
  const [figures, { first_clicked_at: firstClickedAt }] = [await stats(), await rowOf(sendIds[0]!)];
  expect(figures).toMatchObject({ total_clicks: 1, total_opens: 1 });
  sending.api.advance(91 * 86_400);
  await dropWhatEnded(sending.api.deps);
  expect(await eventsOf(sendIds[0]!)).toEqual([]);
  expect(await stats()).toEqual(figures);
  await recordHits(sending.api.deps, [hit()]);
  expect(await stats()).toEqual({ ...figures, total_clicks: 2 });
  expect(await rowOf(sendIds[0]!)).toMatchObject({ clicks: 2, first_clicked_at: firstClickedAt });
});

describe("writing", () => {
  test("of a thousand hits takes two statements, and their repetition one that changes nothing", async () => {
    await sent(4);
    const at = sending.api.deps.clock.now().getTime();
    const hits = Array.from({ length: 1_000 }, (_, index) =>
      hit({ sendId: sendIds[index % 4]!, at: new Date(at + index * 15_000), linkIndex: 0 }),
    );
    const asked = await statements(sending.api);
    await recordHits(sending.api.deps, hits);
    expect(asked()).toBe(2);
    const counted = await stats();
    expect(counted).toMatchObject({ total_clicks: 1_000, clicked_count: 4 });
    const askedAgain = await statements(sending.api);
    await recordHits(sending.api.deps, hits);
    expect(askedAgain()).toBe(1);
    expect(await stats()).toEqual(counted);
  });

  test("by two that wait for the same row counts both", async () => {
    const { sql, deps } = sending.api;
    const holder = await sql.connect();
    await holder.query("begin");
    await holder.query("select 1 from sends where id = $1 for update", [sendIds[0]]);
    const work = [0, 1].map((linkIndex) => recordHits(deps, [hit({ linkIndex })]));
    await untilWaiting(sql, 2);
    await holder.query("rollback");
    holder.release();
    await Promise.all(work);
    expect(await stats()).toMatchObject({ total_clicks: 2 });
    expect(await eventsOf(sendIds[0]!)).toHaveLength(2);
  });

  test("by eight at once, of different hits of the same messages, loses none", async () => {
    await sent(3);
    const at = sending.api.deps.clock.now().getTime();
    const batches = Array.from({ length: 8 }, (_, writer) =>
      [...sendIds, ...sendIds.toReversed()].map((sendId, index) =>
        hit({ sendId, at: new Date(at + (writer * 6 + index) * 60_000) }),
      ),
    );
    await Promise.all(batches.map((batch) => recordHits(sending.api.deps, batch)));
    expect(await stats()).toMatchObject({ total_clicks: 48, clicked_count: 3 });
  });

  test("goes on without Redis", async () => {
    sending.api.redis.faults.order("unavailable", 100);
    for (const index of [0, 1]) await request(await link(index));
    sending.api.redis.faults.clear();
    expect(await stats()).toMatchObject({ total_clicks: 2 });
  });

  test("that fails for long leaves the hits to the queue, whose call brings them in once", async () => {
    const { api } = sending;
    const path = await link(0);
    await query`alter table email_events rename to events_away`;
    const reply = await api.request(path, {
      headers: { "user-agent": CHROME },
      redirect: "manual",
    });
    expect(reply.status).toBe(302);
    await passTimeUntil(api.settled());
    await query`alter table events_away rename to email_events`;
    const message = lastQueued("record-hits");
    expect(message).toMatchObject({ hits: [{ sendId: sendIds[0], kind: "click" }], version: 1 });
    const run = callbacks.find(({ name }) => name === "record-hits")!;
    for (let times = 0; times < 2; times++) await run.run(api.deps, run.payload.parse(message));
    expect(await stats()).toMatchObject({ total_clicks: 1 });
    expect(await eventsOf(sendIds[0]!)).toMatchObject([{ url: "https://example.com/0" }]);
  });

  test("of many requests at once is done together, and a click shows when its request has settled", async () => {
    const paths = await Promise.all(Array.from({ length: 40 }, (_, index) => link(index)));
    const asked = await statements(sending.api);
    const agent = { "user-agent": CHROME };
    const replies = await Promise.all(
      paths.map((path) => sending.api.request(path, { headers: agent, redirect: "manual" })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([302]));
    await sending.api.settled();
    expect(asked()).toBeLessThanOrEqual(8);
    expect(await eventsOf(sendIds[0]!)).toHaveLength(40);
  });
});

/** Lets the clock run ahead, a tenth of a second a turn, until the work ends. */
async function passTimeUntil(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => (isDone = true);
  work.then(end, end);
  for (let turns = 0; turns < 100_000 && !isDone; turns++) {
    if (turns % 50 === 0) sending.api.advance(0.1);
    await setImmediate();
  }
  await work;
}

/** The newest message for a callback that waits in the queue. */
const lastQueued = (callback: string): unknown => {
  const queued = sending.api.qstash.waiting();
  return JSON.parse(queued.findLast(({ url }) => url.endsWith(`/functions/${callback}`))!.body);
};
