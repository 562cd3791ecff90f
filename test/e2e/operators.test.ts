/** Three operators of the stack's farm, one of which spams, one files into categories and one defers, and the built Worker. */
import { beforeAll, expect, test } from "vitest";
import { patience } from "../support/patience.ts";
import { type Publishable, zoneFor } from "../support/publish.ts";
import { advanceUntil, draftCampaign, launch } from "../support/service.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

const DOMAIN = "operators.zz";
const SEEDS = { spams: "seed@spams.zz", files: "seed@tabs.zz", defers: "seed@guests.zz" };
const MINUTE = 60;

interface Mail {
  alias_id: string;
  seed_email: string;
  status: string;
  place: string | null;
  category: string | null;
  note: string | null;
}
interface OperatorRow {
  operator: string;
  ledger: { messages: number; accepted: number; deferred: number } | null;
  rate: { per_hour: number } | null;
}
interface Planned {
  at: string;
  campaign_lead_id: string;
  email: string;
}
interface Sent {
  lead: string;
  operator: string;
  attempts: number;
  slotAt: number;
  begunAt: number;
}

let service: SharedService;
let domainId: string;
let senders: string[];
let seeds: string[];

beforeAll(async () => {
  service = await sharedService();
  const domain = (await created("/mailer/domains", { domain: DOMAIN })) as Publishable & {
    id: string;
  };
  service.stack.dns.zones.put(DOMAIN, zoneFor(domain));
  await post(`/mailer/domains/${domain.id}/verify`);
  domainId = domain.id;
  const { smtp, imap, boxes } = service.stack.mailbox;
  const { host, username, password, security } = smtp;
  const transport = { kind: "smtp", host, port: smtp.port, security, username, password };
  const alias = async (email: string, more: object) => {
    const body = { email, display_name: "Ann", daily_limit: 500, transport, ...more };
    return (await created("/mailer/aliases", body)).id;
  };
  senders = [];
  for (const name of ["ann", "ben"])
    senders.push(await alias(`${name}@${DOMAIN}`, { domain_id: domainId }));
  seeds = [];
  for (const email of Object.values(SEEDS)) {
    boxes.open(email);
    seeds.push(await alias(email, { inbox: { kind: "imap", host, port: imap.port, password } }));
  }
}, patience(120_000));

const post = (path: string, body?: unknown) => service.api("POST", `/api/v1${path}`, body);
const created = async (path: string, body: unknown) => (await post(path, body)) as { id: string };
const read = <T>(path: string) => service.api("GET", `/api/v1${path}`) as Promise<T>;

async function operators(): Promise<Record<string, OperatorRow>> {
  const { operators: rows } = await read<{ operators: OperatorRow[] }>(
    `/mailer/domains/${domainId}/operators`,
  );
  return Object.fromEntries(rows.map((row) => [row.operator, row]));
}
const slowOnes = async () =>
  Object.values(await operators())
    .filter(({ rate }) => rate !== null)
    .map(({ operator, rate }) => ({ operator, rate: rate!.per_hour }));

/** Leads of all three by turns; of the one that defers also at a domain whose MX alone says so. */
const operatorOf = (email: string) => email.split("@")[1]!.replace("guests.zz", "defers.zz");
const LEADS = Array.from({ length: 36 }, (_, index) => {
  const defers = index % 2 === 0 ? "defers.zz" : "guests.zz";
  return `lead${index}@${["spams.zz", "tabs.zz", defers][index % 3]}`;
});

async function ledgerOf(campaignId: string): Promise<Sent[]> {
  const { rows } = await service.sql.query(
    "select campaign_lead_id, email_key, attempts, slot_at, transmitting_at from sends where campaign_id = $1 and state = 'accepted' order by transmitting_at",
    [campaignId],
  );
  return rows.map((row) => ({
    lead: row.campaign_lead_id,
    operator: operatorOf(row.email_key),
    attempts: row.attempts,
    slotAt: row.slot_at.getTime(),
    begunAt: row.transmitting_at.getTime(),
  }));
}
const gapsOf = (sent: Sent[]) =>
  sent.slice(1).map(({ begunAt }, index) => begunAt - sent[index]!.begunAt);

let campaign: string;

test(
  "a placement test tells them apart: spam, a category, and what is put off by policy",
  async () => {
    campaign = await draftCampaign(service, {
      aliases: [senders[0]!],
      emails: LEADS,
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Hello Ada" }] }],
    });
    const { id } = await created("/mailer/placement-tests", {
      ...{ alias_ids: senders, seed_alias_ids: seeds, campaign_id: campaign, step: 1 },
    });
    const at = async (email: string) => {
      const { results } = await read<{ results: Mail[] }>(`/mailer/placement-tests/${id}`);
      return results
        .filter(({ seed_email: seed }) => seed === email)
        .map(({ status, place, category, note }) => ({ status, place, category, note }))
        .toSorted((one, other) => one.status.localeCompare(other.status));
    };
    await service.advance(2 * MINUTE);
    const found = { status: "found", place: "inbox", category: null, note: null };
    const [spam, tab] = [
      { ...found, place: "spam" },
      { ...found, category: "promotions" },
    ];
    expect(await at(SEEDS.spams)).toEqual([spam, spam]);
    expect(await at(SEEDS.files)).toEqual([tab, tab]);
    expect(await at(SEEDS.defers)).toEqual([
      found,
      {
        ...{ status: "waiting", place: null, category: null },
        note: expect.stringContaining("451 4.7.1 Mail of your domain is put off by policy"),
      },
    ]);
    await service.advance(10 * MINUTE);
    expect((await at(SEEDS.defers)).map(({ status }) => status)).toEqual(["found", "found"]);
  },
  patience(120_000),
);

test(
  "a campaign to all three slows down at the one that defers and nowhere else, and the forecast says so to the second",
  async () => {
    // Who takes the guest's mail is looked up for the tests that went there.
    const quarters = { seconds: 15 * MINUTE, moves: 20 };
    await advanceUntil(service, quarters, "all three operators are known", async () => {
      await service.stack.heartbeat.runNow();
      return (
        Object.keys(await operators())
          .toSorted()
          .join() === "defers.zz,spams.zz,tabs.zz"
      );
    });
    await launch(service, campaign);
    // At ten an hour and less nothing of it comes too soon any more; until then each cut takes the forecast back.
    const minutes = { seconds: MINUTE, moves: 120 };
    await advanceUntil(service, minutes, "one is written to ten times an hour at most", async () =>
      (await slowOnes()).some(({ rate }) => rate <= 10),
    );
    expect((await slowOnes()).map(({ operator }) => operator)).toEqual(["defers.zz"]);
    const { reasons } = await read<{ reasons: { code: string; message: string }[] }>(
      `/campaigns/${campaign}/sending-status`,
    );
    expect(reasons.filter(({ code }) => code === "operator_slowed")).toMatchObject([
      { message: expect.stringMatching(/operators\.zz writes at most .* an hour to defers\.zz/) },
    ]);
    const { sends: plan } = await read<{ sends: Planned[] }>(
      `/campaigns/${campaign}/forecast?days=2&limit=1000`,
    );
    await service.advance(3 * 60 * MINUTE);

    const ledger = await ledgerOf(campaign);
    expect(ledger).toHaveLength(LEADS.length);
    const slowed = ledger.filter(({ operator }) => operator === "defers.zz");
    const others = ledger.filter(({ operator }) => operator !== "defers.zz");
    expect(others.map(({ attempts }) => attempts)).toEqual(others.map(() => 1));
    const after = ledger.slice(-plan.length);
    expect(after.map(({ lead }) => lead)).toEqual(plan.map((each) => each.campaign_lead_id));
    const paced = plan.filter(({ email }) => operatorOf(email) === "defers.zz").length;
    expect(paced).toBeGreaterThanOrEqual(4);
    expect(Math.max(...gapsOf(others))).toBeLessThan(Math.min(...gapsOf(slowed.slice(-paced))));
    expect(lateBy(after, plan).filter((late) => Math.abs(late) >= 1_000)).toEqual([]);
  },
  patience(300_000),
);

/**
 * How much later than planned each was due, in milliseconds. A pair's gap runs from begin to begin, so that its next is
 * due later by what this machine took to begin the one before.
 */
function lateBy(ledger: Sent[], plan: Planned[]): number[] {
  let handedOn = 0;
  return ledger.map(({ operator, slotAt, begunAt }, index) => {
    const plannedAt = Date.parse(plan[index]!.at);
    if (operator !== "defers.zz") return slotAt - plannedAt;
    const late = slotAt - plannedAt - handedOn;
    handedOn = begunAt - plannedAt;
    return late;
  });
}
