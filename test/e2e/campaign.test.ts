import { beforeAll, expect, test } from "vitest";
import { patience } from "../support/patience.ts";
import { eventually, launchCampaign, statusOf } from "../support/service.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

let service: SharedService;

interface Message {
  id: string;
  to: string[];
  subject: string;
  html: string;
  headers: Record<string, string>;
}

beforeAll(async () => {
  service = await sharedService();
});

const messagesTo = async (email: string) =>
  (await service.mailbox("GET", `/api/messages?to=${encodeURIComponent(email)}`)) as Message[];
const ledgerOf = async (id: string) =>
  (await service.sql.query("select * from sends where campaign_id = $1 order by step, id", [id]))
    .rows;

const first = {
  step: 1,
  track_clicks: true,
  variants: [
    {
      type: "INLINE",
      subject: "Hello {{ first_name }}",
      body: '<p>See <a href="https://example.com/a?b=1&amp;c=2">this</a></p>',
    },
  ],
};
const followUp = (step: number) => ({
  step,
  delay_days: 1,
  track_clicks: true,
  variants: [{ type: "INLINE", body: `<p>Step ${step}</p>` }],
});

test("from the API to the inbox: the second step joins the thread, a click shows within 2 s, unsubscribing stops the third", async () => {
  const id = await launchCampaign(service, {
    aliases: 1,
    emails: ["ann@inbox.zz", "bob@inbox.zz"],
    steps: [first, followUp(2), followUp(3)],
  });
  await service.advance(300);
  const [one] = await messagesTo("ann@inbox.zz");
  expect(one!.subject).toBe("Hello Lead 1");

  const link = /href="([^"]*\/c\/[^"]*)"/.exec(one!.html)![1]!;
  await service.mailbox("POST", `/api/messages/${one!.id}/open`);
  await service.mailbox("POST", `/api/messages/${one!.id}/click`, { url: link });
  const clickedAt = performance.now();
  const stats = await eventually("the click shows in click-stats", async () => {
    const found = (await service.api("GET", `/api/v1/campaigns/${id}/click-stats`)) as Record<
      string,
      number
    >;
    return found["clicked_count"] === 1 && found;
  });
  expect(performance.now() - clickedAt).toBeLessThan(patience(2_000));
  expect(stats).toMatchObject({
    total_clicks: 1,
    clicked_count: 1,
    opened_count: 1,
    total_sent: 2,
    click_rate: 50,
  });

  await service.advance(86_400 + 300);
  const [, two] = await messagesTo("ann@inbox.zz");
  expect(two!.subject).toBe(one!.subject);
  expect([two!.headers["in-reply-to"], two!.headers["references"]]).toEqual([
    one!.headers["message-id"],
    one!.headers["message-id"],
  ]);

  await service.mailbox("POST", `/api/messages/${two!.id}/unsubscribe`);
  await service.advance(86_400 + 300);
  expect(await messagesTo("ann@inbox.zz")).toHaveLength(2);
  expect(await messagesTo("bob@inbox.zz")).toHaveLength(3);
  expect(await statusOf(service, id)).toBe("completed");
  expect((await ledgerOf(id)).map(({ state }) => state)).toEqual(Array(5).fill("accepted"));
});

test("a Worker killed in the middle of a tick: claimed sends go out, those being handed over are unknown, nobody gets a step twice", async () => {
  const emails = Array.from({ length: 8 }, (_, index) => `kill${index}@inbox.zz`);
  const before = service.stack.mailbox.wireLog().length;
  const wire = () => service.stack.mailbox.wireLog().slice(before);
  const id = await launchCampaign(service, { aliases: 8, emails, steps: [first] });
  // Five messages are stored and their replies never come: none ends and gives its place to a sixth before the kill.
  service.stack.mailbox.faults.order("hang_after_dot", 5);
  const moving = service.advance(60).catch(() => {});
  await eventually("five messages have reached the relay", () => wire().length >= 5);
  await service.worker().kill("SIGKILL");
  await moving;

  const states = (await ledgerOf(id)).map(({ state }) => state);
  expect(states.filter((state) => state === "transmitting")).toHaveLength(5);
  expect(states.filter((state) => state === "claimed")).toHaveLength(3);

  await service.untilUp();
  await service.advance(15 * 60);
  const after = await ledgerOf(id);
  const unknown = after.filter(({ state }) => state === "unknown");
  expect(unknown).toHaveLength(5);
  expect(unknown[0].reason).toMatch(/worker stopped/i);
  expect(after.filter(({ state }) => state === "accepted")).toHaveLength(3);
  // The ledger's accepted and unknown sends are what the wire saw, each once.
  const sent = wire().map(({ envelope }) => envelope.to.join());
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent).toHaveLength(8);

  await service.advance(86_400);
  expect((await ledgerOf(id)).filter(({ state }) => state === "assumed_sent")).toHaveLength(5);
  expect(await statusOf(service, id)).toBe("completed");
  expect(wire()).toHaveLength(8);
  const counts = (
    await service.sql.query(
      "select count(*)::int as ledger from sends where campaign_id = $1 and state in ('accepted', 'assumed_sent')",
      [id],
    )
  ).rows[0];
  expect(counts.ledger).toBe(8);
});
