import { describe, expect, test } from "vitest";
import { createPostgresStore } from "#db/engine/index.ts";
import type { Reply } from "../../support/api.ts";
import { insertDataset } from "../../support/campaigns.ts";
import {
  ACCOUNTS,
  connect,
  connected,
  list,
  read,
  sessions,
  setting,
  tenant,
  useAccounts,
  user,
} from "./accounts-setting.ts";

useAccounts();

const patch = (id: string, change: object): Promise<Reply> =>
  tenant.call("PATCH", `${ACCOUNTS}/${id}`, change);
const remove = (id: string): Promise<Reply> => tenant.call("DELETE", `${ACCOUNTS}/${id}`);
const defaults = async () =>
  (await list(tenant)).filter(({ is_default }) => is_default).map(({ id }) => id);

const laneOf = async (id: string) => {
  const { rows } = await setting.api.sql.query(
    "select open, day_cap, connection_cap from sender_lanes where id = $1",
    [id],
  );
  return rows[0];
};

/** A campaign of the network's that names the account. */
async function campaignOf(accountId: string, status = "draft"): Promise<string> {
  const { datasetId } = await insertDataset(setting.api.sql, tenant, []);
  const { status: made, body } = await tenant.call("POST", "/api/v1/campaigns/", {
    name: "C",
    dataset_id: datasetId,
    type: "socialnet",
    connected_account_id: accountId,
    steps: [{ step: 1 }],
  });
  expect(made).toBe(201);
  await setting.api.sql.query("update campaigns set status = $2 where id = $1", [
    body.campaign_id,
    status,
  ]);
  return body.campaign_id;
}

describe("limits", () => {
  test("change at once, for the lane's present day too", async () => {
    const { id } = await connected(tenant, user("ok"));
    const { status, body } = await patch(id, {
      daily_connection_limit: 10,
      daily_message_limit: 100,
      warmup_days: 0,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      daily_connection_limit: 10,
      daily_message_limit: 100,
      warmup_days: 0,
    });
    expect(await read(tenant, id)).toEqual(body);
    expect(await laneOf(id)).toEqual({ open: true, day_cap: 110, connection_cap: 10 });
  });

  test("what was asked for in the six dates before leaves the week what is left of it", async () => {
    const { id } = await connected(tenant, user("ok"));
    const campaignId = await campaignOf(id);
    const day = 86_400_000;
    const now = setting.api.deps.clock.now().getTime();
    // Four days ago, and eight, which is no part of the week any more.
    for (const [ago, count] of [
      [4, 93],
      [8, 50],
    ] as const)
      await setting.api.sql.query(
        `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, lane_id, step, state, config_version, slot_at, campaign_day, lane_day_until, budget,
           is_new, claimed_at, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
         select gen_random_uuid(), $1, $2, gen_random_uuid(), $3, 1, 'accepted', 1, $4::timestamptz, current_date, $4::timestamptz, 'connection',
           true, $4::timestamptz, 1, 1, 0, 0, 0, 0, $4::timestamptz
         from generate_series(1, $5::int)`,
        [tenant.workspaceId, campaignId, id, new Date(now - ago * day), count],
      );
    await patch(id, { warmup_days: 0 });
    expect(await laneOf(id)).toMatchObject({ day_cap: 57, connection_cap: 7 });
  });

  test.each([
    { daily_connection_limit: -1 },
    { daily_connection_limit: 101 },
    { daily_connection_limit: 1.5 },
    { daily_message_limit: 501 },
    { daily_message_limit: "many" },
    { warmup_days: 91 },
    { is_default: "yes" },
  ])("%o is 422, and nothing changes", async (change) => {
    const account = await connected(tenant, user("ok"));
    expect((await patch(account.id, change)).status).toBe(422);
    expect(await read(tenant, account.id)).toEqual(account);
  });

  test("what nobody may say is left out: status, session, person", async () => {
    const account = await connected(tenant, user("ok"));
    const { status, body } = await patch(account.id, {
      status: "error",
      provider_account_id: "theirs",
      person_id: "theirs",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "connected",
      provider_account_id: account.provider_account_id,
    });
  });

  test("go by the dates of the workspace's zone, and move with it", async () => {
    const { id } = await connected(tenant, user("ok"));
    const reply = await tenant.call("PATCH", "/api/v1/workspace", { timezone: "Asia/Tokyo" });
    expect(reply.status).toBe(200);
    const { rows } = await setting.api.sql.query(
      "select to_char(day_from at time zone 'Asia/Tokyo', 'HH24:MI') as from, used from sender_lanes where id = $1",
      [id],
    );
    expect(rows).toEqual([{ from: "00:00", used: 0 }]);
  });

  test("ten changes at once all take effect", async () => {
    const { id } = await connected(tenant, user("ok"));
    const changes = Array.from({ length: 10 }, (_, index) =>
      patch(id, { daily_message_limit: 10 + index }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => 200),
    );
  });
});

describe("the default", () => {
  test("is the first, until another is made it", async () => {
    const first = await connected(tenant, user("ok"));
    const second = await connected(tenant, user("premium"));
    expect(await defaults()).toEqual([first.id]);
    await patch(second.id, { is_default: true });
    expect(await defaults()).toEqual([second.id]);
    await patch(second.id, { is_default: false });
    expect(await defaults()).toEqual([second.id]);
  });

  test("is exactly one, whoever asks at once", async () => {
    const made = [];
    for (const kind of ["ok", "premium", "slow"]) made.push(await connected(tenant, user(kind)));
    for (let round = 0; round < 5; round++) {
      await Promise.all(made.map(({ id }) => patch(id, { is_default: true })));
      expect(await defaults()).toHaveLength(1);
    }
  });

  test("is exactly one when several connect at once", async () => {
    await Promise.all(["ok", "premium", "otp", "slow"].map((kind) => connect(tenant, user(kind))));
    expect(await list(tenant)).toHaveLength(4);
    expect(await defaults()).toHaveLength(1);
  });

  test("goes to the oldest of the others when it is deleted", async () => {
    const made = [];
    for (const kind of ["ok", "premium", "slow"]) made.push(await connected(tenant, user(kind)));
    expect((await remove(made[0].id)).status).toBe(200);
    expect(await defaults()).toEqual([made[1].id]);
  });
});

describe("deleting", () => {
  test("ends the session at the provider, and takes the lane along", async () => {
    const { id, provider_account_id: session } = await connected(tenant, user("ok"));
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([200, { success: true }]);
    expect(sessions(setting)).not.toContain(session);
    expect(await list(tenant)).toEqual([]);
    expect(await laneOf(id)).toBeUndefined();
    expect((await remove(id)).status).toBe(404);
  });

  test("an account whose challenge is open ends what was begun", async () => {
    const { body } = await connect(tenant, user("otp"));
    const session = sessions(setting).at(-1);
    expect((await remove(body.account.id)).status).toBe(200);
    expect(sessions(setting)).not.toContain(session);
    const { rows } = await setting.api.sql.query(
      "select count(*)::int as count from account_checkpoints where account_id = $1",
      [body.account.id],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  test.each(["scheduled", "launching", "active", "draining", "paused"])(
    "one that a %s campaign uses is refused, and stays connected",
    async (status) => {
      const account = await connected(tenant, user("ok"));
      const campaignId = await campaignOf(account.id, status);
      const reply = await remove(account.id);
      expect([reply.status, reply.body.detail, reply.body.campaign_ids]).toEqual([
        409,
        "IN_USE",
        [campaignId],
      ]);
      expect(await read(tenant, account.id)).toEqual(account);
      expect(sessions(setting)).toContain(account.provider_account_id);
    },
  );

  test.each(["draft", "completed", "failed"])(
    "one that a %s campaign names goes",
    async (status) => {
      const { id } = await connected(tenant, user("ok"));
      await campaignOf(id, status);
      expect((await remove(id)).status).toBe(200);
    },
  );

  test.each(["unavailable", "down", "lost_answer"])(
    "while the provider is %s is 502, and can be repeated",
    async (fault) => {
      const { id, provider_account_id: session } = await connected(tenant, user("ok"));
      setting.network.faults.order(fault, 1);
      const { status, body } = await remove(id);
      expect([status, body.detail]).toEqual([502, "UPSTREAM_ERROR"]);
      expect((await read(tenant, id)).id).toBe(id);
      expect((await remove(id)).status).toBe(200);
      expect(sessions(setting)).not.toContain(session);
    },
  );

  test("five at once: it goes once", async () => {
    const { id } = await connected(tenant, user("ok"));
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => remove(id)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(4);
  });

  test("a lane whose account is gone in another way is closed by the next tick, others stay open", async () => {
    const [gone, kept] = [
      await connected(tenant, user("ok")),
      await connected(tenant, user("premium")),
    ];
    const now = setting.api.deps.clock.now();
    await setting.api.sql.query("update sender_lanes set next_slot_at = $2 where id = any($1)", [
      [gone.id, kept.id],
      now,
    ]);
    await setting.api.sql.query("delete from connected_accounts where id = $1", [gone.id]);
    await createPostgresStore(setting.api.deps.db).dueRollovers(now, now);
    expect((await laneOf(gone.id)).open).toBe(false);
    expect((await laneOf(kept.id)).open).toBe(true);
  });
});
