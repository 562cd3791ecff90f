import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aimAtMissed, createKillPoints, type KillPoints } from "../support/kill-points.ts";
import {
  eventually,
  launchCampaign,
  startTestService,
  statusOf,
  type TestService,
} from "../support/service.ts";

let service: TestService;
let points: KillPoints;
let sql: pg.Pool;
let relayPort: number;

beforeAll(async () => {
  points = createKillPoints(() => service.worker().kill("SIGKILL"));
  service = await startTestService({
    mostRestarts: 1_000,
    workerEnv: async (env) => ({
      NEON_LOCAL: new URL(await points.http("database", `http://${env["NEON_LOCAL"]}`)).host,
      UPSTASH_REDIS_REST_URL: await points.http("redis", env["UPSTASH_REDIS_REST_URL"]!),
      QSTASH_URL: await points.http("queue", env["QSTASH_URL"]!),
    }),
  });
  relayPort = await points.tcp("relay", service.stack.mailbox.smtp.port);
  sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
}, 60_000);
afterAll(async () => {
  await sql?.end();
  await points?.close();
  await service?.close();
});

const step = (number: number, delayDays: number) => ({
  step: number,
  delay_days: delayDays,
  variants: [
    { type: "INLINE", ...(number === 1 ? { subject: "Hello" } : {}), body: `Step ${number}` },
  ],
});

const isBack = () =>
  eventually(
    "the Worker is back",
    async () => (await fetch(`${service.baseUrl}/health`).catch(() => null))?.ok,
  );

/** One period of the clock, in which the schedule fires; the points that were passed. */
async function oneTick(target: number, isMeant?: (name: string) => boolean): Promise<string[]> {
  points.arm(target, isMeant);
  await service.advance(60).catch(() => {});
  const passed = points.passed();
  if (points.struck()) await isBack();
  return passed;
}

/** Leads that are held until somebody has looked at them. */
async function suspectsOf(campaignId: string): Promise<string[]> {
  const { rows } = await sql.query(
    "select id from campaign_leads where campaign_id = $1 and hold_reason = 'suspect'",
    [campaignId],
  );
  return rows.map(({ id }) => id);
}

test("the Worker killed point by point of a tick: no step reaches anybody twice, and everything ends", async () => {
  const emails = Array.from({ length: 150 }, (_, index) => `kill${index}@inbox.zz`);
  const id = await launchCampaign(service, {
    aliases: 2,
    emails,
    steps: [step(1, 0), step(2, 0)],
    smtp: { port: relayPort },
  });
  // The list: what a tick passes that nobody kills.
  const list = await oneTick(0);
  expect(list.filter((name) => name.startsWith("relay")).length).toBeGreaterThan(10);
  expect(list.filter((name) => name.startsWith("database")).length).toBeGreaterThan(12);

  const killedAt: string[] = [];
  const strike = async (target: number, isMeant?: (name: string) => boolean) => {
    // A tick whose lanes still wait for their gap is short; the next one is not.
    for (let tries = 0; tries < 3; tries++) {
      const passed = await oneTick(target, isMeant);
      if (!points.struck()) continue;
      killedAt.push(passed.at(-1)!);
      break;
    }
  };
  for (let target = 1; target <= list.length; target++) await strike(target);
  const struck = killedAt.length;
  const missed = await aimAtMissed(["database", "redis", "relay"], killedAt, strike);
  points.arm(0);
  console.log(`${list.length} points of a tick, killed at ${killedAt.length}`);
  // A tick that inherits work passes a few points less than the listed one.
  expect(struck).toBeGreaterThan(list.length * 0.75);
  expect(missed, "never killed at").toEqual([]);

  // Leases end, what is left is sent, what is unknown counts as sent a day later.
  // A lead over which, by itself, two of all these workers died is held as a suspect; it is innocent.
  const suspects = new Set<string>();
  for (let days = 0; days < 6 && (await statusOf(service, id)) !== "completed"; days++) {
    await service.advance(86_400);
    for (const lead of await suspectsOf(id)) {
      suspects.add(lead);
      await service.api("POST", `/api/v1/campaigns/${id}/leads/${lead}/release`);
    }
  }
  console.log(`${suspects.size} leads held as suspects, and released`);
  const { rows: open } = await sql.query(
    "select status, hold_reason, hold_until from campaign_leads where campaign_id = $1 and status in ('pending', 'active')",
    [id],
  );
  expect({ status: await statusOf(service, id), open }).toEqual({ status: "completed", open: [] });

  const wire = service.stack.mailbox.wireLog().map((entry) => entry.message_id);
  expect(new Set(wire).size, "each (lead, step) has one Message-ID").toBe(wire.length);
  const { rows: ledger } = await sql.query(
    "select state, reason, '<' || message_id || '>' as message_id from sends where campaign_id = $1",
    [id],
  );
  const of = (state: string) => ledger.filter((row) => row.state === state);
  const idsOf = (state: string) => of(state).map((row) => row.message_id);
  // Nobody is given up because a worker died.
  expect(of("accepted").length + of("assumed_sent").length).toBe(ledger.length);
  expect(new Set(ledger.map((row) => row.message_id)).size).toBeGreaterThan(emails.length);
  // Every acceptance was on the wire; what was on the wire is accepted or was never heard of again.
  expect(idsOf("accepted").filter((messageId) => !wire.includes(messageId))).toEqual([]);
  const known = new Set([...idsOf("accepted"), ...idsOf("assumed_sent")]);
  expect(wire.filter((messageId) => !known.has(messageId))).toEqual([]);
}, 240_000);
