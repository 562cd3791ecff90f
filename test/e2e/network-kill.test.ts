import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKillPoints, type KillPoints } from "../support/kill-points.ts";
import { eventually, startTestService, statusOf, type TestService } from "../support/service.ts";

let service: TestService;
let points: KillPoints;
let sql: pg.Pool;

beforeAll(async () => {
  points = createKillPoints(() => service.worker().kill("SIGKILL"));
  service = await startTestService({
    mostRestarts: 1_000,
    workerEnv: async (env) => ({
      NEON_LOCAL: new URL(await points.http("database", `http://${env["NEON_LOCAL"]}`)).host,
      UNIPILE_API_URL: await points.http("network", env["UNIPILE_API_URL"]!),
    }),
  });
  sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
}, 60_000);
afterAll(async () => {
  await sql?.end();
  await points?.close();
  await service?.close();
});

const post = async (path: string, body?: unknown) =>
  (await service.api("POST", path, body)) as Record<string, string>;

interface Place {
  call: string;
  side: string;
  /** Of these points in a tick with four accounts, the how many-th. */
  target: number;
}

const placesOf = (call: string, most: number): Place[] =>
  ["before", "after"].flatMap((side) =>
    Array.from({ length: most }, (_, index) => ({ call, side, target: index + 1 })),
  );

/** Who is asked for comes first: later, everybody is known. */
const PLACES = [
  ...placesOf("network GET", 3),
  ...placesOf("network POST", 4),
  ...placesOf("database POST", 10),
];

/** An account with a campaign of its own: people it knows, and people who accept within minutes. */
async function launch(no: number): Promise<string> {
  const { account } = (await service.api("POST", "/api/v1/connected-accounts/connect", {
    provider: "socialnet",
    username: `ok+kill${no}@example.zz`,
    password: "correct horse",
  })) as { account: { id: string } };
  const accountId = account.id;
  await service.api("PATCH", `/api/v1/connected-accounts/${accountId}`, {
    warmup_days: 0,
    daily_connection_limit: 100,
    daily_message_limit: 500,
  });
  const dataset = await post("/api/v1/datasets", { name: "People" });
  const slugs = Array.from(
    { length: 16 },
    (_, n) => `${(n + no) % 2 ? "quick" : "friend"}-kill-${no}-${n}`,
  );
  const rows = slugs.map((slug) => ({ profile_url: `https://www.linkedin.com/in/${slug}` }));
  await post(`/api/v1/datasets/${dataset["id"]}/import`, { rows });
  const { campaign_id: id } = await post("/api/v1/campaigns/", {
    name: `Network ${no}`,
    type: "socialnet",
    dataset_id: dataset["id"],
    connected_account_id: accountId,
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    min_interval_seconds: 60,
    steps: [
      { step: 1, delay_days: 0, action_type: "connection_request" },
      { step: 2, delay_days: 0, action_type: "message", message_template: "Hello" },
    ],
  });
  await post(`/api/v1/campaigns/${id}/launch`);
  await eventually("the launch ends", async () => (await statusOf(service, id!)) === "active");
  return id!;
}

const isBack = () =>
  eventually(
    "the Worker is back",
    async () => (await fetch(`${service.baseUrl}/health`).catch(() => null))?.ok,
  );

/** One period of the clock. True where the Worker was killed at the place. */
async function oneTick({ call, side, target }: Place): Promise<boolean> {
  points.arm(target, (name) => name.startsWith(call) && name.endsWith(side));
  await service.advance(60).catch(() => {});
  if (points.struck()) await isBack();
  return points.struck();
}

test("the Worker killed point by point of a tick on the network: nobody is invited or written to twice", async () => {
  const ids: string[] = [];
  for (let no = 0; no < 4; no++) ids.push(await launch(no));
  const missed: Place[] = [];
  for (const place of PLACES) {
    let isKilled = false;
    // A tick whose lanes still wait for their gap is short; the next one is not.
    for (let tries = 0; tries < 3 && !isKilled; tries++) isKilled = await oneTick(place);
    if (!isKilled) missed.push(place);
  }
  points.arm(0);
  console.log(`killed at ${PLACES.length - missed.length} of ${PLACES.length} points`);
  expect(missed.length).toBeLessThan(PLACES.length / 4);
  expect(missed.filter(({ target }) => target === 1)).toEqual([]);

  const open = async () =>
    (
      await sql.query(
        "select id, campaign_id, hold_reason from campaign_leads where campaign_id = any($1) and status in ('pending', 'active')",
        [ids],
      )
    ).rows;
  for (let days = 0; days < 8 && (await open()).length > 0; days++) {
    await service.advance(86_400);
    for (const { id, campaign_id, hold_reason } of await open())
      if (hold_reason === "suspect")
        await service.api("POST", `/api/v1/campaigns/${campaign_id}/leads/${id}/release`);
  }
  expect(await open()).toEqual([]);

  const acts = service.stack.network
    .acts()
    .filter(({ kind }) => kind === "invite" || kind === "message");
  const once = acts.map(({ account, kind, person }) => `${account} ${kind} ${person}`);
  expect(once.length).toBeGreaterThan(64);
  expect(new Set(once).size, "nothing twice").toBe(once.length);
  const { rows: failed } = await sql.query(
    "select status, stop_reason from campaign_leads where campaign_id = any($1) and status <> 'completed'",
    [ids],
  );
  expect(failed).toEqual([]);
}, 400_000);
