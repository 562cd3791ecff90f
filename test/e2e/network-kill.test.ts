import { beforeAll, expect, test } from "vitest";
import type { KillPoints } from "../support/kill-points.ts";
import { patience } from "../support/patience.ts";
import { eventually, statusOf } from "../support/service.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";
import { inFull } from "../support/full.ts";

const ACCOUNTS = inFull(4, 1);
const PEOPLE = inFull(16, 5);

let service: SharedService;
let points: KillPoints;

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "network"]));
});

const post = async (path: string, body?: unknown) =>
  (await service.api("POST", path, body)) as Record<string, string>;

interface Place {
  call: string;
  side: string;
  /** Of these points in a tick, the how many-th. */
  target: number;
}

const placesOf = (call: string, most: number): Place[] =>
  ["before", "after"].flatMap((side) =>
    Array.from({ length: most }, (_, index) => ({ call, side, target: index + 1 })),
  );

/** Who is asked for comes first: later, everybody is known. */
const PLACES = [
  ...placesOf("network GET", inFull(3, 1)),
  ...placesOf("network POST", inFull(4, 1)),
  ...placesOf("database POST", inFull(10, 2)),
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
    { length: PEOPLE },
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

/** One period of the clock. True where the Worker was killed at the place. */
async function oneTick({ call, side, target }: Place): Promise<boolean> {
  points.arm(target, (name) => name.startsWith(call) && name.endsWith(side));
  await service.advance(60).catch(() => {});
  await service.untilUp();
  return points.struck();
}

test(
  "the Worker killed point by point of a tick on the network: nobody is invited or written to twice",
  async () => {
    const ids: string[] = [];
    for (let no = 0; no < ACCOUNTS; no++) ids.push(await launch(no));
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
        await service.sql.query(
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

    // The stack outlives the files before this one, and so does what their members did.
    const { rows } = await service.sql.query<{ account: string }>(
      "select provider_account_id as account from connected_accounts",
    );
    const ours = new Set(rows.map(({ account }) => account));
    const acts = service.stack.network
      .acts()
      .filter(
        ({ account, kind }) => ours.has(account) && (kind === "invite" || kind === "message"),
      );
    expect(acts.length).toBeGreaterThan(ACCOUNTS * PEOPLE);
    const alike = Map.groupBy(acts, ({ account, kind, person }) => [account, kind, person].join());
    expect(
      [...alike.values()].filter(({ length }) => length > 1),
      "nothing twice",
    ).toEqual([]);
    const { rows: failed } = await service.sql.query(
      "select status, stop_reason from campaign_leads where campaign_id = any($1) and status <> 'completed'",
      [ids],
    );
    expect(failed).toEqual([]);
  },
  patience(400_000),
);
