import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually, launchCampaign } from "../support/service.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

/** Clicks on the Worker in workerd, through its own binding of the queue of opens and clicks. */
let service: SharedService;
let campaignId: string;
let link: string;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  const to = `ann-${Math.random().toString(36).slice(2)}@inbox.zz`;
  campaignId = await launchCampaign(service, {
    aliases: 1,
    emails: [to],
    steps: [
      {
        step: 1,
        track_clicks: true,
        variants: [
          {
            type: "INLINE",
            subject: "Hello",
            body: '<p>See <a href="https://example.com/a">this</a></p>',
          },
        ],
      },
    ],
  });
  await service.advance(300);
  const [mail] = (await service.mailbox("GET", `/api/messages?to=${to}`)) as { html: string }[];
  link = /href="([^"]*\/c\/[^"]*)"/.exec(mail!.html)![1]!;
});

afterEach(() => {
  for (const part of service.stack.parts) part.faults.clear();
});

const click = async () =>
  (await fetch(link, { redirect: "manual", headers: { "user-agent": "Firefox/140.0" } })).status;
const events = async () =>
  (
    await service.sql.query("select kind, url, at from email_events where campaign_id = $1", [
      campaignId,
    ])
  ).rows;
const queued = () =>
  eventually("the queue has the click", () => service.stack.queues.waiting() === 1);

test("a click while the database is gone is answered, waits in the queue, and is written once when it is back", async () => {
  const { neon, queues } = service.stack;
  neon.faults.order("refuse", 100_000);
  expect(await click()).toBe(302);
  const clickedAt = Date.now();
  await queued();
  neon.faults.clear();
  await service.stack.clock.advance(0);
  neon.faults.order("refuse", 100_000);
  await service.advance(2);
  expect(queues.log.entries().at(-1)?.summary).toBe("delivered 1: 1 to be retried");
  neon.faults.clear();
  queues.faults.order("duplicate", 1);
  await service.advance(10);
  const [event, ...others] = await events();
  expect(event).toMatchObject({ kind: "click", url: "https://example.com/a" });
  expect(Math.abs(event.at.getTime() - clickedAt)).toBeLessThan(60_000);
  expect(others).toEqual([]);
  expect(queues.waiting()).toBe(0);
  expect(await service.api("GET", `/api/v1/campaigns/${campaignId}/click-stats`)).toMatchObject({
    total_clicks: 1,
    clicked_count: 1,
  });
});

test("the stack's clock passes over no click that waits: a move of a day ends with it written, at its own time", async () => {
  const ROUND_MS = 300_000;
  // For a minute nothing else lets the clock stop.
  await service.stack.clock.moveTo(new Date(Math.ceil(Date.now() / ROUND_MS) * ROUND_MS + 2_000));
  const clickedAt = Date.now();
  await click();
  await queued();
  await service.advance(86_400);
  const [event] = await events();
  expect(event.at.getTime() - clickedAt).toBeLessThan(60_000);
  // The queue acted when it would have, and not a day later.
  const delivered = service.stack.queues.log.entries().at(-1)!;
  expect(Date.parse(delivered.at) - clickedAt).toBeLessThan(30_000);
  expect(service.stack.queues.waiting()).toBe(0);
});

test("a Worker that is killed with a click in the queue loses none: the queue waits for the next one", async () => {
  service.stack.queues.pause();
  await click();
  await queued();
  await service.worker().kill("SIGKILL");
  await service.untilUp();
  await service.advance(15);
  expect(await events()).toHaveLength(1);
});
