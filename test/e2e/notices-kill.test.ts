import { beforeAll, expect, test } from "vitest";
import { signInbound } from "#src/domain/replies/inbound/signature.ts";
import { rawMail } from "../support/incoming.ts";
import { aimAtMissed, type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { patience } from "../support/patience.ts";
import { launchCampaign } from "../support/service.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";
import { inFull } from "../support/full.ts";

const ME = "me@home.zz";
const NUMBER = "+4915112345670";
const LEADS = inFull(120, 16);

let service: SharedService;
let points: KillPoints;
let sends: { message_id: string; email_key: string }[];

beforeAll(async () => {
  ({ service, points } = await killableService(
    ["database", "queue", "whatsapp"],
    async (env, of) => {
      const relay = new URL(env["SYSTEM_MAIL_URL"]!);
      relay.port = String(await of.tcp("relay", Number(relay.port)));
      return { SYSTEM_MAIL_URL: relay.href };
    },
  ));
  await service.api("PUT", "/api/v1/notifications/preferences", {
    personal_email: ME,
    whatsapp_enabled: true,
    whatsapp_number: NUMBER,
  });
  const id = await launchCampaign(service, {
    aliases: 4,
    emails: Array.from({ length: LEADS }, (_, index) => `lead${index}@inbox.zz`),
    steps: [
      { step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Step 1" }] },
      { step: 2, delay_days: 90, variants: [{ type: "INLINE", body: "Step 2" }] },
    ],
  });
  await service.advance(3_600);
  const { rows } = await service.sql.query(
    "select message_id, email_key from sends where campaign_id = $1 and state = 'accepted' order by email_key",
    [id],
  );
  sends = rows;
});

/** As a relay does: the same mail again until it is taken, and once more. `recover` mends what was killed. */
async function deliverReply(text: string, recover: () => Promise<void>): Promise<void> {
  const { message_id: messageId, email_key: from } = sends.pop()!;
  const to = "sender@sender.zz";
  const raw = new TextEncoder().encode(
    rawMail({ from, to, headers: [`In-Reply-To: <${messageId}>`], body: text }),
  );
  const secret = service.stack.workerEnv(service.baseUrl)["INBOUND_SECRET"]!;
  for (let taken = 0; taken < 2;) {
    const signature = await signInbound(secret, { at: new Date(), to, raw });
    const reply = await fetch(`${service.baseUrl}/api/v1/mailer/inbound`, {
      method: "POST",
      headers: {
        "content-type": "message/rfc822",
        "overture-signature": signature,
        "x-envelope-to": to,
        "x-envelope-from": from,
      },
      body: raw,
    }).catch(() => null);
    if (reply?.ok) taken++;
    else if (reply === null || reply.status >= 500) await recover();
    else throw new Error(`${reply.status} ${await reply.text()}`);
  }
}

/** A reply, and the minutes in which it is told; the points that were passed, up to the one that killed. */
async function oneReply(
  text: string,
  target: number,
  isMeant?: (name: string) => boolean,
): Promise<string[]> {
  points.arm(target, isMeant);
  let killed: string[] | null = null;
  const recover = async () => {
    if (points.struck()) killed = points.passed();
    await service.untilUp();
    if (points.struck()) points.arm(0);
  };
  await deliverReply(text, recover);
  await service.advance(30).catch(() => {});
  const passed = killed ?? points.passed();
  await recover();
  points.arm(0);
  // Past the window, so that the next reply is told by itself.
  await service.advance(330);
  return killed ?? passed;
}

test(
  "the Worker killed between a reply and its notices, point by point: each is told once, or its fate is known to be unknown",
  async () => {
    // The shorter one: where the quarter-hourly check runs along, it passes many points of its own.
    const lists = [await oneReply("Reply 0.", 0), await oneReply("Reply 1.", 0)];
    const list = lists.toSorted((one, other) => one.length - other.length)[0]!;
    for (const part of ["relay", "whatsapp", "queue", "database"])
      expect(
        list.some((name) => name.startsWith(part)),
        `it passes ${part}`,
      ).toBe(true);
    const killedAt: string[] = [];
    let replies = lists.length;
    const strike = async (target: number, isMeant?: (name: string) => boolean) => {
      const passed = await oneReply(`Reply ${replies++}.`, target, isMeant);
      if (passed.length === target) killedAt.push(passed.at(-1)!);
    };
    const targets = targetsAmong(list.length, 2);
    for (const target of targets) await strike(target);
    const struck = killedAt.length;
    const missed = await aimAtMissed(["relay", "whatsapp", "database"], killedAt, strike);
    console.log(`${list.length} points of a notice, killed at ${killedAt.length}`);
    expect(struck).toBeGreaterThan(targets.length * 0.7);
    expect(missed, "never killed at").toEqual([]);
    await service.advance(7_200);

    const { rows: owed } = await service.sql.query(
      "select count(*)::int as n, count(notice_id)::int as told from outbox where kind = 'lead_reply'",
    );
    expect(owed[0]).toEqual({ n: replies, told: replies });
    const mails = await service.stack.mailbox.messages({ to: ME });
    const said = {
      email: mails.map(({ text }) => text),
      whatsapp: service.stack.messaging.messages({ to: NUMBER }).map(({ text }) => text),
    };
    for (const channel of ["email", "whatsapp"] as const) {
      const { rows } = await service.sql.query(
        "select state, count(*)::int as n from notice_deliveries where channel = $1 group by state",
        [channel],
      );
      const of = (state: string): number => rows.find((row) => row.state === state)?.n ?? 0;
      const all = rows.reduce((sum, row) => sum + row.n, 0);
      expect(of("sent") + of("unknown"), `by ${channel}`).toBe(all);
      console.log(
        `${channel}: ${of("sent")} sent, ${of("unknown")} unknown, ${said[channel].length} arrived`,
      );
      let untold = 0;
      for (let number = 0; number < replies; number++) {
        const times = said[channel].filter((text) => text.includes(`Reply ${number}.`)).length;
        expect(times, `reply ${number} by ${channel}`).toBeLessThanOrEqual(1);
        if (times === 0) untold++;
      }
      expect(untold, `by ${channel}`).toBeLessThanOrEqual(of("unknown"));
      expect(said[channel].length).toBeGreaterThanOrEqual(of("sent"));
    }
  },
  patience(600_000),
);
