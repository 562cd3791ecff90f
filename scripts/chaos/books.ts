import { PURSE } from "./buyer.ts";
import type { Load } from "./load.ts";
import type { Chaos } from "./run.ts";

/** Something that is to be true at the end, and where it is not. */
export interface Claim {
  what: string;
  /** Over how many it was looked at. */
  of: number;
  broken: string[];
}

/** What was asked, what the database says, and what mailbox, network and chain saw, held against each other. */
export async function checkBooks(chaos: Chaos, load: Load): Promise<Claim[]> {
  return [
    ...(await checkMessages(chaos)),
    ...(await checkCampaigns(chaos, load)),
    ...(await checkLetters(chaos, load)),
    await checkTemplates(chaos, load),
    ...(await checkCredits(chaos, load)),
    ...(await checkNetwork(chaos)),
    ...(await checkPurchases(chaos, load)),
  ];
}

async function checkMessages({ service, query }: Chaos): Promise<Claim[]> {
  const wire = service.stack.mailbox.wireLog().flatMap(({ message_id: id }) => id ?? []);
  const ledger = await query<{ id: string; state: string; step: string }>(
    `select '<' || message_id || '>' as id, state, campaign_lead_id || ' step ' || step as step
       from sends where message_id is not null and budget = ''
     union all select '<' || message_id || '>', state, id::text from emails`,
  );
  const known = new Set(ledger.map(({ id }) => id));
  const ours = wire.filter((id) => known.has(id));
  const onWire = new Set(ours);
  const accepted = ledger.filter(({ state }) => state === "accepted" || state === "sent");
  return [
    {
      what: "no message reached the relay twice",
      of: ours.length,
      broken: repeated(ours),
    },
    {
      what: "what the ledger calls accepted is what the relay took",
      of: accepted.length,
      broken: accepted.filter(({ id }) => !onWire.has(id)).map(({ id }) => id),
    },
    {
      what: "of each lead and step there is one message at most that may have arrived",
      of: ledger.length,
      broken: repeated(
        ledger.filter(({ state }) => MAY_HAVE_ARRIVED.has(state)).map(({ step }) => step),
      ),
    },
    {
      what: "nothing is left half done: no message is being written, handed over or in doubt",
      of: ledger.length,
      broken: ledger
        .filter(({ state }) => UNDER_WAY.has(state))
        .map(({ id, state }) => `${id} ${state}`),
    },
  ];
}

const MAY_HAVE_ARRIVED = new Set(["accepted", "assumed_sent", "unknown", "sent"]);
const UNDER_WAY = new Set(["claimed", "transmitting", "retry_wait", "queued", "scheduled"]);

async function checkCampaigns({ query }: Chaos, { campaigns }: Load): Promise<Claim[]> {
  const open = await query<{ id: string; status: string }>(
    "select id, status from campaigns where status not in ('completed', 'draft')",
  );
  const leads = await query<{ id: string; status: string }>(
    "select id, status from campaign_leads",
  );
  return [
    {
      what: "each campaign that was launched ends",
      of: campaigns.length,
      broken: open.map(({ id, status }) => `${id} ${status}`),
    },
    {
      what: "no lead is forgotten",
      of: leads.length,
      broken: leads
        .filter(({ status }) => status === "pending" || status === "active")
        .map(({ id, status }) => `${id} ${status}`),
    },
  ];
}

async function checkLetters({ query, service }: Chaos, { letters }: Load): Promise<Claim[]> {
  const rows = await query<{ to_email: string; state: string }>(
    "select to_email, state from emails",
  );
  const count = countOf(rows.map(({ to_email: to }) => to));
  const arrived = countOf(service.stack.mailbox.wireLog().flatMap(({ envelope }) => envelope.to));
  const done = letters.filter(({ status }) => status === "done");
  return [
    {
      what: "a single email that was taken is there once",
      of: done.length,
      broken: done.filter(({ name }) => count.get(name) !== 1).map(({ name }) => name),
    },
    {
      what: "one that was refused is not there",
      of: letters.length - done.length,
      broken: letters
        .filter(({ name, status }) => status === "refused" && count.has(name))
        .map(({ name }) => name),
    },
    {
      what: "and reaches its person once at most",
      of: letters.length,
      broken: letters.filter(({ name }) => (arrived.get(name) ?? 0) > 1).map(({ name }) => name),
    },
  ];
}

async function checkTemplates({ query }: Chaos, { templates }: Load): Promise<Claim> {
  const count = countOf(
    (await query<{ name: string }>("select name from templates")).map(({ name }) => name),
  );
  return {
    what: "a record that a keyed request made is there once, one that was refused is not",
    of: templates.length,
    broken: templates
      .filter(({ name, status }) => (count.get(name) ?? 0) !== (status === "done" ? 1 : 0))
      .map(({ name, status }) => `${name} ${status}: ${count.get(name) ?? 0}`),
  };
}

async function checkCredits({ query }: Chaos, { verifications }: Load): Promise<Claim[]> {
  const balances = await query<{ id: string; sound: boolean; held: number }>(
    `select b.workspace_id as id, b.held,
            b.available = coalesce(sum(e.available_delta), 0) and b.held = coalesce(sum(e.held_delta), 0)
              and b.owed = coalesce(sum(e.owed_delta), 0) as sound
       from credit_balances b left join credit_entries e on e.workspace_id = b.workspace_id
      group by b.workspace_id, b.held, b.available, b.owed`,
  );
  const spent = await query<{ ref: string }>(
    "select ref_type || ' ' || ref_id as ref from credit_entries where kind = 'capture'",
  );
  const jobs = await query<{ id: string; status: string }>(
    "select id, status from verification_jobs",
  );
  return [
    {
      what: "each balance is the sum of its entries, and nothing is held any more",
      of: balances.length,
      broken: balances
        .filter(({ sound, held }) => !sound || held !== 0)
        .map(({ id, held }) => `${id}: ${held} held`),
    },
    {
      what: "nothing is charged twice",
      of: spent.length,
      broken: repeated(spent.map(({ ref }) => ref)),
    },
    {
      what: "a verification that was taken ends",
      of: verifications.length,
      broken: jobs
        .filter(({ status }) => status === "pending" || status === "running")
        .map(({ id, status }) => `${id} ${status}`),
    },
  ];
}

async function checkNetwork({ service }: Chaos): Promise<Claim[]> {
  const of = (kind: "invite" | "message") =>
    service.stack.network.acts(kind).map(({ account, person }) => `${account} to ${person}`);
  return (["invite", "message"] as const).map((kind) => ({
    what:
      kind === "invite"
        ? "nobody is asked to connect twice"
        : "nobody on the network is told the same twice",
    of: of(kind).length,
    broken: repeated(of(kind)),
  }));
}

async function checkPurchases({ service }: Chaos, { purchases }: Load): Promise<Claim[]> {
  if (service.stack.chain === null) return [];
  const { ledger } = await service.stack.chain.open();
  const paid = await Promise.all(
    purchases.map(async (each) => ({
      ...each,
      lost: PURSE - Number(await ledger.balanceOf(each.wallet)),
    })),
  );
  const prices = new Set(paid.filter(({ lost }) => lost > 0).map(({ lost }) => lost));
  return [
    {
      what: "no wallet pays without an answer",
      of: paid.length,
      broken: paid
        .filter(({ lost, status }) => lost > 0 && status !== "done")
        .map(({ name, lost, answered }) => `${name}: ${lost} for ${answered}`),
    },
    {
      what: "none is answered without paying, and each pays the same, once",
      of: paid.length,
      broken: [
        ...paid
          .filter(({ lost, status }) => lost === 0 && status === "done")
          .map(({ name }) => name),
        ...(prices.size > 1 ? [`prices: ${[...prices].join(", ")}`] : []),
      ],
    },
  ];
}

function countOf(all: readonly string[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const each of all) count.set(each, (count.get(each) ?? 0) + 1);
  return count;
}

const repeated = (all: readonly string[]): string[] =>
  [...countOf(all)].filter(([, count]) => count > 1).map(([each, count]) => `${each}: ${count}`);
