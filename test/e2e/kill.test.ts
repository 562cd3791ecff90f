import { beforeAll, expect, test } from "vitest";
import { aimAtMissed, type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { patience } from "../support/patience.ts";
import { launchCampaign, statusOf } from "../support/service.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";
import { inFull } from "../support/full.ts";

/** Enough that the last kill still strikes a tick which sends: each takes up to three ticks of two senders. */
const LEADS = inFull(250, 20);

let service: SharedService;
let points: KillPoints;
let relayPort: number;

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "redis", "queue"]));
  relayPort = await points.tcp("relay", service.stack.mailbox.smtp.port);
});

const step = (number: number, delayDays: number) => ({
  step: number,
  delay_days: delayDays,
  variants: [
    { type: "INLINE", ...(number === 1 ? { subject: "Hello" } : {}), body: `Step ${number}` },
  ],
});

/** One period of the clock, in which the schedule fires; the points that were passed. */
async function oneTick(target: number, isMeant?: (name: string) => boolean): Promise<string[]> {
  points.arm(target, isMeant);
  await service.advance(60).catch(() => {});
  const passed = points.passed();
  await service.untilUp();
  return passed;
}

/** Leads that are held until somebody has looked at them. */
async function suspectsOf(campaignId: string): Promise<string[]> {
  const { rows } = await service.sql.query(
    "select id from campaign_leads where campaign_id = $1 and hold_reason = 'suspect'",
    [campaignId],
  );
  return rows.map(({ id }) => id);
}

test(
  "the Worker killed point by point of a tick: no step reaches anybody twice, and everything ends",
  async () => {
    const emails = Array.from({ length: LEADS }, (_, index) => `kill${index}@inbox.zz`);
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
    // The relay has a message, and the Worker never hears of it.
    const wireLog = service.stack.mailbox.wireLog;
    for (let unheard = 0; unheard < 2; unheard++) {
      const before = wireLog().length;
      await strike(1, (name) => name === "relay is answered, after" && wireLog().length > before);
    }
    expect(killedAt).toEqual(Array(2).fill("relay is answered, after"));
    const targets = targetsAmong(list.length, 4);
    for (const target of targets) await strike(target);
    const struck = killedAt.length - 2;
    const missed = await aimAtMissed(["database", "redis", "relay"], killedAt, strike);
    points.arm(0);
    console.log(`${list.length} points of a tick, killed at ${killedAt.length}`);
    // A tick that inherits work passes a few points less than the listed one.
    expect(struck).toBeGreaterThan(targets.length * 0.7);
    expect(missed, "never killed at").toEqual([]);

    // Leases end, what is left is sent, what is unknown counts as sent a day later.
    // A lead over which, by itself, two of all these workers died is held as a suspect; it is innocent.
    const suspects = new Set<string>();
    for (let days = 0; days < 12 && (await statusOf(service, id)) !== "completed"; days++) {
      await service.advance(86_400);
      for (const lead of await suspectsOf(id)) {
        suspects.add(lead);
        await service.api("POST", `/api/v1/campaigns/${id}/leads/${lead}/release`);
      }
    }
    console.log(`${suspects.size} leads held as suspects, and released`);
    const { rows: open } = await service.sql.query(
      "select status, hold_reason, hold_until from campaign_leads where campaign_id = $1 and status in ('pending', 'active')",
      [id],
    );
    expect({ status: await statusOf(service, id), open }).toEqual({
      status: "completed",
      open: [],
    });

    const wire = service.stack.mailbox.wireLog().map((entry) => entry.message_id);
    expect(new Set(wire).size, "each (lead, step) has one Message-ID").toBe(wire.length);
    const { rows: ledger } = await service.sql.query(
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
  },
  patience(600_000),
);
