/** The real Worker, killed while it reads the inbox of a sender: between fetching a mail, its effects and the note of how far it got. */
import { beforeAll, expect, test } from "vitest";
import { rawMail } from "../support/incoming.ts";
import { aimAtMissed, type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { patience } from "../support/patience.ts";
import { launchCampaign } from "../support/service.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";
import { inFull } from "../support/full.ts";

/** At most; each is of a reply, a bounce and an absence, and so of three leads. */
const READINGS = inFull(300, 4);
/** Left for the points that a count may miss. */
const SPARE = inFull(12, 5);
const SENDER = "sender@kill.zz";
const PRIVATE = "Zwetschgendatschi";
/** Behind the day of the second step. */
const BACK_ON = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const BUTTONS = {
  reply: { text: "Call me on Monday." },
  "out-of-office": { until: BACK_ON },
  bounce: { status: "5.1.1", text: "User unknown" },
};
type Button = keyof typeof BUTTONS;

let service: SharedService;
let points: KillPoints;
let campaign: string;

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "queue"]));
  const { smtp, imap, boxes } = service.stack.mailbox;
  const { host, username, password, security } = smtp;
  const { id } = (await service.api("POST", "/api/v1/mailer/aliases", {
    email: SENDER,
    display_name: "Ann",
    daily_limit: 10_000,
    transport: { kind: "smtp", host, port: smtp.port, security, username, password },
    inbox: { kind: "imap", host, port: await points.tcp("imap", imap.port), password },
  })) as { id: string };
  boxes.open(SENDER);
  campaign = await launchCampaign(service, {
    aliases: [id],
    emails: Array.from({ length: READINGS + SPARE }, (_, reading) =>
      Object.keys(BUTTONS).map((button) => addressOf(button, reading)),
    ).flat(),
    steps: [
      { step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Step 1" }] },
      { step: 2, delay_days: 10, variants: [{ type: "INLINE", body: "Step 2" }] },
    ],
  });
  // One message a minute; and then the hour in which an inbox is read more often is over.
  await service.advance((READINGS + SPARE) * 3 * 60 + 3_900);
}, patience(400_000));

const addressOf = (button: string, reading: number) => `${button}-${reading}@inbox.zz`;
const rowsOf = async (query: string, values: unknown[] = []) =>
  (await service.sql.query(query, values)).rows;

async function press(button: Button, reading: number): Promise<void> {
  const at = `/api/messages?to=${addressOf(button, reading)}`;
  const [message] = (await service.mailbox("GET", at)) as { id: string }[];
  await service.mailbox("POST", `/api/messages/${message!.id}/${button}`, BUTTONS[button]);
}

const lying = () => service.stack.mailbox.boxes.folder(SENDER, "INBOX")!.messages;
const privateMail = () =>
  rawMail({
    from: "Aunt <aunt@family.zz>",
    to: SENDER,
    subject: `${PRIVATE} on Sunday`,
    body: `There will be ${PRIVATE}.\r\n`,
  });

async function isRead(): Promise<boolean> {
  const [inbox] = await rowsOf("select last_uid::int, backlog_before, leased_until from inboxes");
  const { last_uid: lastUid, backlog_before: left, leased_until: leasedUntil } = inbox;
  return lastUid >= lying().at(-1)!.uid && left === null && leasedUntil === null;
}

const isOfInbox = (name: string) => name.startsWith("imap");

/** Counts from the first word to the inbox on; what the schedule does besides is not meant. */
function armReading(target: number, isMeant: (name: string) => boolean): void {
  let hasBegun = false;
  points.arm(target, (name) => (hasBegun ||= isOfInbox(name)) && isMeant(name));
}

let readings = 0;

/** Three answers among private mail, and the rounds until they are read; the points that were passed, up to the one that killed. */
async function oneReading(
  target: number,
  isMeant: (name: string) => boolean = () => true,
): Promise<string[]> {
  const { boxes } = service.stack.mailbox;
  for (const button of Object.keys(BUTTONS) as Button[]) {
    boxes.put(SENDER, privateMail());
    await press(button, readings);
  }
  readings++;
  armReading(target, isMeant);
  await service.advance(310).catch(() => {});
  const passed = points.passed();
  await service.untilUp();
  points.arm(0);
  for (let rounds = 0; rounds < 6 && !(await isRead()); rounds++) await service.advance(300);
  expect(await isRead(), `it is read after a kill at ${passed.at(-1)}`).toBe(true);
  return passed;
}

/** Behind the last word to the inbox the look is recorded; what comes later is the schedule's again. */
const RECORDED_WITHIN = 6;
const lengthOf = (list: string[]): number =>
  Math.min(list.length, list.findLastIndex(isOfInbox) + 1 + RECORDED_WITHIN);

test(
  "the Worker killed point by point of a reading: every answer takes effect, none twice, and of private mail nothing is kept",
  async () => {
    // Where a tick or a notice runs along, a reading passes points of its own: not each reaches the longer one's end.
    const lengths = [lengthOf(await oneReading(0)), lengthOf(await oneReading(0))];
    const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
    const killedAt: string[] = [];
    const strike = async (target: number, isMeant?: (name: string) => boolean) => {
      const passed = await oneReading(target, isMeant);
      if (passed.length === target) killedAt.push(passed.at(-1)!);
    };
    const targets = targetsAmong(most, 2);
    expect(READINGS - readings, `readings for ${targets.length} points`).toBeGreaterThanOrEqual(
      targets.length,
    );
    for (const target of targets) await strike(target);
    const struck = killedAt.length;
    const missed = await aimAtMissed(["imap", "database"], killedAt, strike);
    console.log(`${least} to ${most} points of a reading, killed at ${killedAt.length}`);
    expect(missed, "never killed at").toEqual([]);
    expect(struck).toBeGreaterThan(((targets.length * least) / most) * 0.7);
    await service.advance(900);

    const answers = await rowsOf(
      "select l.email_key collate \"C\" as lead, m.class, c.unread from conversation_messages m join conversations c on c.id = m.conversation_id join campaign_leads l on l.id = c.campaign_lead_id where m.direction = 'in' order by 1, 2",
    );
    expect(answers, "each answer once in its conversation").toEqual([
      ...each("out-of-office").map((lead) => ({ lead, class: "out_of_office", unread: 0 })),
      ...each("reply").map((lead) => ({ lead, class: "reply", unread: 1 })),
    ]);
    const leads = await rowsOf(
      'select email_key collate "C" as lead, status, next_action_at > $2 as waits from campaign_leads where email_key = any($1) order by 1',
      [[...each("bounce"), ...each("out-of-office"), ...each("reply")], BACK_ON],
    );
    expect(leads, "each lead has its outcome").toEqual([
      ...each("bounce").map((lead) => ({ lead, status: "bounced", waits: null })),
      ...each("out-of-office").map((lead) => ({ lead, status: "active", waits: true })),
      ...each("reply").map((lead) => ({ lead, status: "replied", waits: null })),
    ]);
    const { rows: counted } = (await service.api("GET", `/api/v1/campaigns/${campaign}/stats`)) as {
      rows: object[];
    };
    expect(counted).toMatchObject([{ replied: readings, bounced: readings, complained: 0 }]);
    expect(
      await rowsOf('select value collate "C" as value, reason from suppressions order by 1'),
      "each suppression once",
    ).toEqual(each("bounce").map((value) => ({ value, reason: "hard_bounce" })));
    const owed = await rowsOf(
      "select o.kind, s.email_key collate \"C\" as lead from outbox o join sends s on s.id = (o.payload ->> 'send_id')::uuid order by 1, 2",
    );
    expect(owed, "one notice of each").toEqual([
      ...each("bounce").map((lead) => ({ kind: "lead_hard_bounce", lead })),
      ...each("reply").map((lead) => ({ kind: "lead_reply", lead })),
    ]);

    expect(await rowsOf("select count(*)::int as n from inbound_mails")).toEqual([
      { n: readings * 3 },
    ]);
    expect(await tablesWith(BUTTONS.reply.text)).toContain("conversation_messages");
    expect(await tablesWith(PRIVATE), "nothing is kept of private mail").toEqual([]);
  },
  patience(900_000),
);

/** Whom the readings so far were about, in the database's order. */
const each = (button: Button) =>
  Array.from({ length: readings }, (_, reading) => addressOf(button, reading)).toSorted();

/** The tables of the service in which these words stand, in letters or in bytes. */
async function tablesWith(words: string): Promise<string[]> {
  const tables = await rowsOf(
    "select format('%I.%I', schemaname, tablename) as at, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const found: string[] = [];
  for (const { at, name } of tables) {
    const [{ has }] = await rowsOf(
      `select exists (select 1 from ${at} t where t::text like any($1)) as has`,
      [[`%${words}%`, `%${Buffer.from(words).toString("hex")}%`]],
    );
    if (has) found.push(name);
  }
  return found;
}
