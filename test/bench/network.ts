import type { TestService } from "../support/service.ts";
import { median, percentile, range } from "./report.ts";

const TURNS = 10;
/** What we may take: so much of the provider's own time, and so many milliseconds. */
const TARGET = { share: 2, over: 20 };

/** How one case is asked of us, and what of it is the provider's, asked directly at the same distance. */
interface Case {
  name: string;
  ours(turn: number): Promise<unknown>;
  theirs(turn: number): Promise<unknown>;
}

/**
 * What a message and a list of chats take on the built Worker, as single requests in turns with one call of the
 * provider's API for the same, which is as far away. `provider` is where the Worker finds it.
 */
export async function benchNetwork(
  service: TestService,
  { provider, apiKey }: { provider: string; apiKey: string },
  rounds: number,
): Promise<void> {
  const cases = await casesOf(service, provider, apiKey);
  const found = new Map(
    cases.map(({ name }) => [name, { ours: [] as number[], theirs: [] as number[] }]),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const { name, ours, theirs } of cases) {
      const ms = { ours: [] as number[], theirs: [] as number[] };
      // The quota of a minute is smaller than a round.
      await service.advance(61);
      // Which chat is whose.
      service.stack.redis.faults.order("forget", 1);
      for (let turn = 0; turn < TURNS; turn++) {
        const place = round * TURNS + turn;
        const both = [
          async () => ms.ours.push(await timed(() => ours(place))),
          async () => ms.theirs.push(await timed(() => theirs(place))),
        ];
        for (const ask of turn % 2 === 0 ? both : both.toReversed()) await ask();
      }
      // The first round warms up.
      if (round === 0) continue;
      found.get(name)!.ours.push(percentile(ms.ours, 0.5));
      found.get(name)!.theirs.push(percentile(ms.theirs, 0.5));
    }
  }
  console.log(
    `\nThe network, bare workerd, in turns with the provider itself, ${rounds} rounds of ${TURNS}: p50, median (min-max)`,
  );
  for (const [name, { ours, theirs }] of found) {
    const allowed = theirs.map((ms) => TARGET.share * ms + TARGET.over);
    const spared = median(ours.map((ms, round) => allowed[round]! - ms));
    const trips = await roundTrips(
      service,
      cases.find((each) => each.name === name)!,
    );
    console.log(
      `  ${name.padEnd(24)} ${range(ours, 1)} ms, the provider ${range(theirs, 1)} ms, target ${TARGET.share} x that + ${TARGET.over} ms: ${spared >= 0 ? "met" : "MISSED"} by ${Math.abs(spared).toFixed(1)} ms; ${trips}`,
    );
  }
}

/** What one call costs in round trips to the database, by which figures of a loaded machine can be judged. */
async function roundTrips({ stack: { neon, redis } }: TestService, { ours }: Case) {
  redis.faults.order("forget", 1);
  await ours(0);
  neon.log.clear();
  await ours(0);
  return `${neon.log.entries().length} round trips to the database`;
}

async function casesOf(service: TestService, provider: string, apiKey: string): Promise<Case[]> {
  const account = (
    (await service.api("POST", "/api/v1/connected-accounts/connect", {
      username: "ok@bench.zz",
      password: "correct horse",
    })) as { account: { provider_account_id: string } }
  ).account.provider_account_id;
  const slug = "friend-silent-of-the-bench";
  const upstream = (path: string, init: RequestInit = {}) =>
    read(fetch(`${provider}/api/v1/${path}`, { ...init, headers: { "x-api-key": apiKey } }));
  const say = async (target: object, turn: number) => {
    const body = { ...target, text: `Hello for the ${turn}th time` };
    const { success } = (await service.api("POST", "/api/v1/socialnet/message", body)) as {
      success: boolean;
    };
    if (!success) throw new Error("It was refused.");
  };
  const { provider_id } = await upstream(`users/${slug}?account_id=${account}`);
  const start = (turn: number) => {
    const body = new FormData();
    const fields = { account_id: account, attendees_ids: provider_id!, text: `Hello ${turn}` };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return upstream("chats", { method: "POST", body });
  };
  const { chat_id } = await start(0);
  return [
    { name: "message to a person", ours: (turn) => say({ provider_id }, turn), theirs: start },
    { name: "message in a chat", ours: (turn) => say({ chat_id }, turn), theirs: start },
    {
      name: "message by identifier",
      ours: (turn) => say({ identifier: slug }, turn),
      theirs: start,
    },
    {
      name: "chats",
      ours: () => service.api("GET", "/api/v1/socialnet/chats"),
      theirs: () => upstream(`chats?account_id=${account}&limit=20`),
    },
  ];
}

async function read(answer: Promise<Response>): Promise<Record<string, string>> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`The provider answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, string>;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
