/** Opens and clicks with the batching queue between redirect and database. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endOldMessages } from "#src/domain/campaigns/end-messages.ts";
import { keepSums } from "#src/domain/campaigns/keep-sums.ts";
import { dropWhatEnded } from "#src/domain/jobs/retention.ts";
import { createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";
import { eraseDeletedWorkspaces } from "#src/domain/workspace/erase-workspaces.ts";
import { type HitQueueSetting, startHitQueue } from "../../../support/hit-queue.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { statements } from "../../../support/statements.ts";

const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36";
const DAY = 86_400;

let queue: HitQueueSetting;
let campaignId: string;
let sends: { id: string; email_key: string }[];
let wranglers: HitQueueSetting["settings"];

useSending();
const query = queryOf(() => sending.api.sql);
beforeAll(async () => {
  queue = await startHitQueue(sending.api);
  wranglers = { ...queue.settings };
});
afterAll(() => queue.queues.close());
beforeEach(() => sent(2));
afterEach(() => {
  sending.api.neon.faults.clear();
  queue.queues.faults.clear();
  queue.queues.clear();
  Object.assign(queue.settings, wranglers);
});

/** A campaign of so many messages, accepted a minute ago. */
async function sent(count: number) {
  ({ campaignId } = await sending.campaign(tenant, {
    leads: count,
    aliases: count,
    domain: `${randomUUID()}.zz`,
  }));
  await sending.tick();
  sends = (await sending.sendsOf(campaignId)) as typeof sends;
  sending.api.advance(60);
  queue.batches.length = 0;
}

const stats = async () =>
  (await tenant.call("GET", `/api/v1/campaigns/${campaignId}/click-stats`)).body;
const eventsOf = (sendId: string) =>
  query`select kind, url, user_agent, asn from email_events where send_id = ${sendId} order by at`;

async function click(linkIndex = 0, sendId = sends[0]!.id): Promise<number> {
  const { settings } = sending.api.deps;
  const url = `https://example.com/${linkIndex}`;
  const token = { kind: "click", sendId, linkIndex, url } as const;
  const path = `/c/${await createTrackTokens(settings.trackingSecrets).sign(token)}`;
  const init = { headers: { "user-agent": CHROME } };
  return (await queue.app.fetch(new Request(`http://overture.test${path}`, init))).status;
}

const hit = (more: Record<string, unknown> = {}): Record<string, unknown> & { id: string } => ({
  id: randomUUID(),
  sendId: sends[0]!.id,
  kind: "click",
  at: sending.api.deps.clock.now().toISOString(),
  linkIndex: 0,
  url: "https://example.com/0",
  userAgent: CHROME,
  prefetch: false,
  asn: null,
  ...more,
});
const message = (...hits: Record<string, unknown>[]) => JSON.stringify({ hits, version: 1 });

describe("a click", () => {
  test("is answered without the database, and is there when its batch was delivered", async () => {
    const asked = await statements(sending.api);
    expect(await click()).toBe(302);
    await sending.api.settled();
    expect(asked()).toBe(0);
    expect(queue.queues.waiting()).toBe(1);
    await queue.after(queue.settings.maxBatchTimeoutSeconds);
    expect(await eventsOf(sends[0]!.id)).toMatchObject([{ url: "https://example.com/0" }]);
    expect(await stats()).toMatchObject({ total_clicks: 1 });
    expect(queue.queues.waiting()).toBe(0);
  });

  test("is written at once where the queue takes nothing, and where a deployment has none", async () => {
    queue.queues.faults.order("unavailable", 1);
    await click();
    await sending.api.settled();
    expect(queue.queues.waiting()).toBe(0);
    expect(await stats()).toMatchObject({ total_clicks: 1 });
    expect(sending.api.deps.hitBatches).toBeNull();
  });

  test("that an isolate sends while another is on its way goes with it in one message", async () => {
    expect(await Promise.all(Array.from({ length: 50 }, (_, index) => click(index)))).toEqual(
      Array(50).fill(302),
    );
    await sending.api.settled();
    expect(queue.queues.waiting()).toBeLessThanOrEqual(8);
    await queue.after(queue.settings.maxBatchTimeoutSeconds);
    expect(await eventsOf(sends[0]!.id)).toHaveLength(50);
  });
});

describe("a batch", () => {
  test("of a hundred messages is delivered when it is full, and takes two statements", async () => {
    const at = sending.api.deps.clock.now().getTime();
    const bodies = Array.from({ length: queue.settings.maxBatchSize }, (_, index) =>
      message(hit({ at: new Date(at + index * 61_000).toISOString() })),
    );
    queue.settings.maxBatchTimeoutSeconds = DAY;
    const asked = await statements(sending.api);
    await Promise.all(bodies.map((body) => queue.post(body)));
    await queue.after(0);
    expect(queue.batches).toEqual([queue.settings.maxBatchSize]);
    expect(asked()).toBe(2);
    expect(await stats()).toMatchObject({ total_clicks: queue.settings.maxBatchSize });
  });

  test("of many hits a message is written a thousand at a time", async () => {
    const at = sending.api.deps.clock.now().getTime();
    const bodies = Array.from({ length: 6 }, (_, of) =>
      message(
        ...Array.from({ length: 200 }, (__, index) =>
          hit({
            at: new Date(at + index * 61_000).toISOString(),
            sendId: sends[of % 2]!.id,
            linkIndex: of,
          }),
        ),
      ),
    );
    const asked = await statements(sending.api);
    for (const body of bodies) await queue.post(body);
    await queue.after(1);
    for (const { id } of sends) expect(await eventsOf(id)).toHaveLength(600);
    expect(queue.queues.waiting()).toBe(0);
    expect(asked()).toBe(4);
  });

  test("that is delivered again counts once, whole, in part, and within itself", async () => {
    const [one, two, other] = [hit(), hit({ linkIndex: 1 }), hit({ sendId: sends[1]!.id })];
    queue.queues.faults.order("duplicate", 1);
    for (const body of [message(one, two, one), message(two), message(one, other)])
      await queue.post(body);
    await queue.after(1);
    const asked = await statements(sending.api);
    await queue.post(message(other, two));
    await queue.after(1);
    // Read, and found to be there.
    expect(asked()).toBe(1);
    expect(queue.batches).toEqual([3, 3, 1]);
    expect(await stats()).toMatchObject({ total_clicks: 3, clicked_count: 2 });
    expect(await eventsOf(sends[0]!.id)).toHaveLength(2);
  });

  test.each(["refuse", "server_error"])(
    "comes again until the database is back (%s), and later each time",
    async (fault) => {
      sending.api.neon.faults.order(fault, 1_000);
      await queue.post(message(hit()));
      await queue.after(1);
      for (const seconds of [5, 10, 20]) {
        const before = queue.batches.length;
        await queue.after(seconds);
        expect(queue.batches).toHaveLength(before);
        await queue.after(1);
        expect(queue.batches).toHaveLength(before + 1);
      }
      sending.api.neon.faults.clear();
      await queue.after(41);
      expect(await stats()).toMatchObject({ total_clicks: 1 });
      expect(queue.queues.waiting()).toBe(0);
    },
  );

  test.each(["reply_lost", "repeated"])(
    "counts once although the database does not say the truth (%s)",
    async (fault) => {
      sending.api.neon.faults.order(fault, 2);
      await queue.post(message(hit(), hit({ linkIndex: 1 })));
      await queue.after(1);
      for (let retries = 0; retries < 3; retries++) await queue.after(60);
      expect(queue.queues.waiting()).toBe(0);
      expect(await stats()).toMatchObject({ total_clicks: 2 });
      expect(await eventsOf(sends[0]!.id)).toHaveLength(2);
    },
  );
});

describe("a message that cannot be taken", () => {
  const HOSTILE: [title: string, body: () => string][] = [
    ["null", () => "null"],
    ["a text", () => '"hits"'],
    ["an array", () => "[[[[]]]]"],
    ["nothing", () => "{}"],
    ["another version", () => JSON.stringify({ hits: [hit()], version: 2 })],
    ["hits that are none", () => JSON.stringify({ hits: { length: 1 }, version: 1 })],
    ["too many", () => message(...Array.from({ length: 1_001 }, () => ({})))],
    ["an id that is none", () => message(hit({ id: "' or true --" }))],
    ["another's kind", () => message(hit({ kind: "unsubscribe" }))],
    ["NUL", () => message(hit({ userAgent: "a\0b" }))],
    ["half a pair", () => message(hit({ url: "https://x.zz/\ud800" }))],
    ["a link beyond int4", () => message(hit({ linkIndex: 2 ** 31 }))],
    ["a network below zero", () => message(hit({ asn: -1 }))],
    ["no time", () => message(hit({ at: "yesterday" }))],
    // The schema lets it through, and Postgres knows no year 0.
    ["a time that Postgres refuses", () => message(hit({ at: "0000-01-01T00:00:00Z" }))],
  ];

  test.each(HOSTILE)("(%s) holds up no other, and ends among the dead letters", async (_, body) => {
    queue.settings.maxRetries = 1;
    const [one, two] = [hit({ linkIndex: 1 }), hit({ linkIndex: 2, sendId: sends[1]!.id })];
    const poison = body();
    for (const each of [message(one), poison, message(two)]) await queue.post(each);
    await queue.after(1);
    expect(await stats()).toMatchObject({ total_clicks: 2, clicked_count: 2 });
    expect(queue.queues.waiting()).toBe(1);
    expect(queue.queues.deadLetters()).toEqual([]);
    await queue.after(60);
    expect(queue.queues.waiting()).toBe(0);
    expect(queue.queues.deadLetters()).toEqual([JSON.parse(poison)]);
    expect(await stats()).toMatchObject({ total_clicks: 2 });
  });

  test("is told apart among a hundred by a few statements", async () => {
    const poison = message(hit({ at: "0000-01-01T00:00:00Z" }));
    const good = Array.from({ length: 99 }, (_, index) => message(hit({ linkIndex: index })));
    queue.settings.maxBatchTimeoutSeconds = DAY;
    const asked = await statements(sending.api);
    await Promise.all([...good, poison].map((body) => queue.post(body)));
    await queue.after(0);
    expect(await eventsOf(sends[0]!.id)).toHaveLength(99);
    expect(queue.queues.waiting()).toBe(1);
    expect(asked()).toBeLessThanOrEqual(30);
  });
});

describe("between a click and its batch", () => {
  test("the person is erased: the hit counts, and says nothing of the person", async () => {
    await click();
    await sending.api.settled();
    const email = sends[0]!.email_key;
    const reply = await tenant.call("POST", "/api/v1/leads/erase", { email });
    expect(reply.status).toBeLessThan(300);
    await queue.after(1);
    expect(await eventsOf(sends[0]!.id)).toEqual([
      { kind: "click", url: null, user_agent: null, asn: null },
    ]);
  });

  test("the workspace is deleted, and erased: nothing is left, and nothing fails", async () => {
    await click();
    await tenant.callAsUser("DELETE", "/api/v1/workspace");
    await sending.api.settled();
    sending.api.neon.faults.order("refuse", 1_000);
    await queue.after(1);
    sending.api.neon.faults.clear();
    await query`update workspaces set deleted_at = deleted_at - interval '31 days' where id = ${tenant.workspaceId}`;
    for (let rounds = 0; rounds < 5; rounds++) await eraseDeletedWorkspaces(sending.api.deps);
    await queue.after(60);
    expect(queue.queues.waiting()).toBe(0);
    expect(queue.queues.deadLetters()).toEqual([]);
    expect(await eventsOf(sends[0]!.id)).toEqual([]);
  });

  test("the campaign is paused and deleted: its hit is kept as one of a campaign that runs", async () => {
    await click();
    await sending.api.settled();
    await tenant.call("POST", `/api/v1/campaigns/${campaignId}/pause`);
    await tenant.call("DELETE", `/api/v1/campaigns/${campaignId}`);
    await queue.after(1);
    expect(await eventsOf(sends[0]!.id)).toHaveLength(1);
    expect(queue.queues.waiting()).toBe(0);
  });

  test("its message ended, as those of old campaigns do: the hit is of nothing any more", async () => {
    await click();
    await sending.api.settled();
    const at = new Date(sending.api.deps.clock.now().getTime() - 731 * DAY * 1000);
    await keepSums(sending.api.deps);
    await query`update campaigns set status = 'completed', updated_at = ${at} where id = ${campaignId}`;
    await endOldMessages(sending.api.deps);
    expect(await sending.sendsOf(campaignId)).toEqual([]);
    await queue.after(1);
    expect(queue.queues.waiting()).toBe(0);
    expect(await eventsOf(sends[0]!.id)).toEqual([]);
  });

  test("ninety days go by: it ends with the others of its day", async () => {
    await click();
    await sending.api.settled();
    sending.api.neon.faults.order("refuse", 1_000);
    await queue.after(1);
    sending.api.neon.faults.clear();
    await queue.after(91 * DAY);
    expect(await stats()).toMatchObject({ total_clicks: 1 });
    await dropWhatEnded(sending.api.deps);
    expect(await eventsOf(sends[0]!.id)).toEqual([]);
    expect(await stats()).toMatchObject({ total_clicks: 1 });
  });
});
