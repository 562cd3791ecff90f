import { beforeEach, describe, expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import { enqueueDueSyncs } from "#src/domain/network/sync-due.ts";
import {
  ACCOUNTS,
  type AccountsSetting,
  connect,
  connected,
  queued,
  read,
  reconnect,
  sessions,
  setting,
  tenant,
  useAccounts,
  user,
} from "./accounts-setting.ts";

let account: { id: string; provider_account_id: string };
useAccounts();
beforeEach(async () => {
  account = await connected(tenant, user("ok"));
});

type SourceStatus = Parameters<AccountsSetting["network"]["control"]["setStatus"]>[1];
const says = (status: SourceStatus) =>
  setting.network.control.setStatus(account.provider_account_id, status);
const sync = () => syncAccount(setting.api.deps, account.provider_account_id);
const status = async () => (await read(tenant, account.id)).status;

async function rowOf(id = account.id) {
  const { rows } = await setting.api.sql.query(
    `select a.*, lane.open, (select count(*)::int from outbox o where o.kind = 'account_disconnected' and o.payload ->> 'account_id' = a.id::text) as told
     from connected_accounts a join sender_lanes lane on lane.id = a.id where a.id = $1`,
    [id],
  );
  return rows[0];
}

describe("what the provider says", () => {
  test.each<[SourceStatus, string, boolean]>([
    ["OK", "connected", true],
    ["CONNECTING", "connected", true],
    ["CREDENTIALS", "disconnected", false],
    ["PERMISSIONS", "disconnected", false],
  ])("%s: %s", async (said, expected, open) => {
    says(said);
    await sync();
    expect(await status()).toBe(expected);
    expect(await rowOf()).toMatchObject({ open, told: open ? 0 : 1 });
  });

  test.each<SourceStatus>(["ERROR", "STOPPED"])(
    "%s: error when it says so three times in a row, each on time",
    async (said) => {
      says(said);
      // Told ten times at once it is one fault.
      await Promise.all(Array.from({ length: 10 }, sync));
      expect(await rowOf()).toMatchObject({ status: "connected", failures: 1, open: true });
      setting.api.advance(301);
      await sync();
      expect(await rowOf()).toMatchObject({ status: "connected", failures: 2 });
      setting.api.advance(301);
      await sync();
      expect(await rowOf()).toMatchObject({ status: "error", failures: 3, open: false, told: 1 });
      // By then nobody hurries any more.
      const { next_sync_at: next } = await rowOf();
      const hours = (next.getTime() - setting.api.deps.clock.now().getTime()) / 3_600_000;
      expect(hours).toBeGreaterThan(0.9);
      says("OK");
      await sync();
      expect(await rowOf()).toMatchObject({ status: "connected", failures: 0, open: true });
    },
  );

  test("a fault that passes between two looks is forgotten", async () => {
    for (const said of ["ERROR", "ERROR", "OK", "ERROR", "ERROR"] as const) {
      says(said);
      await sync();
      setting.api.advance(301);
    }
    expect(await rowOf()).toMatchObject({ status: "connected", failures: 2 });
  });

  test("nothing, because the account is gone there: disconnected, and connecting it makes a new session", async () => {
    const before = account.provider_account_id;
    await setting.api.deps.network!.accounts.remove(before);
    await sync();
    expect(await rowOf()).toMatchObject({ status: "disconnected", provider_account_id: "" });
    // There is nobody to ask any more.
    setting.network.log.clear();
    await lookAtAccount(setting.api.deps, account.id);
    expect(setting.network.log.entries()).toEqual([]);
    expect((await rowOf()).next_sync_at).toBeNull();
    const { body } = await reconnect(tenant, account.id, user("ok"));
    expect(body).toMatchObject({ success: true, account: { id: account.id, status: "connected" } });
    expect(body.account.provider_account_id).not.toBe(before);
  });

  test.each(["down", "unavailable", "rate_limited", "lying", "key_refused"])(
    "%s: the account stays as it was, however often",
    async (fault) => {
      setting.network.faults.order(fault, 5);
      for (let time = 0; time < 4; time++) {
        await sync();
        setting.api.advance(1_000);
      }
      expect(await rowOf()).toMatchObject({
        status: "connected",
        failures: 0,
        open: true,
        told: 0,
      });
    },
  );

  test("another person's session: disconnected, never theirs", async () => {
    await setting.api.sql.query(
      "update connected_accounts set person_id = 'somebody-else' where id = $1",
      [account.id],
    );
    await sync();
    expect(await rowOf()).toMatchObject({ status: "disconnected", person_id: "somebody-else" });
  });

  test("of an account that nobody knows changes nothing", async () => {
    await expect(syncAccount(setting.api.deps, "nobody's")).resolves.toBeUndefined();
    await expect(syncAccount(setting.api.deps, "")).resolves.toBeUndefined();
  });

  test("a look that finds all as it was is no change of the account", async () => {
    const before = await read(tenant, account.id);
    setting.api.advance(10);
    await sync();
    expect(await read(tenant, account.id)).toEqual(before);
  });
});

describe("order", () => {
  test("however looks overlap with changes, the account ends as the provider says at the end", async () => {
    for (let round = 0; round < 8; round++) {
      const looks = [];
      for (const said of [
        "CREDENTIALS",
        "OK",
        "CREDENTIALS",
        round % 2 === 0 ? "OK" : "CREDENTIALS",
      ] as const) {
        says(said);
        looks.push(sync(), sync());
        await looks.at(-2);
      }
      await Promise.all(looks);
      expect(await status()).toBe(round % 2 === 0 ? "connected" : "disconnected");
      expect((await rowOf()).open).toBe(round % 2 === 0);
    }
  });

  test("it is told once each time it leaves", async () => {
    for (let time = 1; time <= 3; time++) {
      says("CREDENTIALS");
      await Promise.all([sync(), sync(), sync()]);
      expect((await rowOf()).told).toBe(time);
      says("OK");
      await sync();
    }
  });
});

describe("the regular look", () => {
  test("is due one to eight hours after the last, spread over the accounts", async () => {
    const now = setting.api.deps.clock.now().getTime();
    const due: number[] = [];
    for (const kind of ["ok", "premium", "slow"]) {
      const { id } = await connected(tenant, user(kind));
      await lookAtAccount(setting.api.deps, id);
      due.push((await rowOf(id)).next_sync_at.getTime());
    }
    const hours = due.map((at) => (at - now) / 3_600_000);
    expect(Math.min(...hours)).toBeGreaterThan(0.9);
    expect(Math.max(...hours)).toBeLessThan(8.1);
    expect(new Set(due).size).toBe(3);
  });

  test("is asked for once it is due, and again while nobody came", async () => {
    const asked = async () => {
      setting.api.qstash.log.clear();
      await enqueueDueSyncs(setting.api.deps);
      const batches = JSON.stringify(setting.api.qstash.log.entries());
      return batches.includes("batch") || queued(setting, "sync-network") > 0;
    };
    await setting.api.sql.query(
      "update connected_accounts set next_sync_at = null where id <> $1",
      [account.id],
    );
    expect(await asked()).toBe(false);
    setting.api.advance(9 * 3_600);
    expect(await asked()).toBe(true);
    expect(await asked()).toBe(true);
    await lookAtAccount(setting.api.deps, account.id);
    expect(await asked()).toBe(false);
  });

  test("of an account that is gone does nothing", async () => {
    expect((await tenant.call("DELETE", `${ACCOUNTS}/${account.id}`)).status).toBe(200);
    await expect(lookAtAccount(setting.api.deps, account.id)).resolves.toBeUndefined();
  });

  test("is part of the full check", async () => {
    setting.api.advance(9 * 3_600);
    setting.api.qstash.log.clear();
    await fullCheck(setting.api.deps);
    expect(JSON.stringify(setting.api.qstash.log.entries())).toContain("batch");
  });
});

describe("limited by the network", () => {
  test("it is shown as rate_limited, and returns by itself", async () => {
    const until = new Date(setting.api.deps.clock.now().getTime() + 3_600_000);
    await setting.api.sql.query(
      "update connected_accounts set rate_limited_until = $2 where id = $1",
      [account.id, until],
    );
    expect(await status()).toBe("rate_limited");
    await sync();
    expect(await status()).toBe("rate_limited");
    setting.api.advance(3_600);
    expect(await status()).toBe("connected");
  });
});

describe("connecting again", () => {
  const lost = async (said: SourceStatus = "CREDENTIALS") => {
    says(said);
    await sync();
    if (said !== "ERROR") return;
    for (let time = 0; time < 2; time++) {
      setting.api.advance(301);
      await sync();
    }
  };

  test.each<SourceStatus>(["CREDENTIALS", "ERROR"])(
    "from %s: connected, its lane open",
    async (said) => {
      await lost(said);
      const { status: code, body } = await reconnect(tenant, account.id, user("ok"));
      expect(code).toBe(200);
      expect(Object.keys(body).toSorted()).toEqual([
        "account",
        "checkpoint_required",
        "checkpoint_token",
        "checkpoint_type",
        "success",
      ]);
      expect(body).toMatchObject({
        success: true,
        account: { id: account.id, provider_account_id: account.provider_account_id },
      });
      expect(await rowOf()).toMatchObject({ status: "connected", open: true, last_error: null });
    },
  );

  test("what is connected is not connected again: 409", async () => {
    const { status: code, body } = await reconnect(tenant, account.id, user("ok"));
    expect([code, body.detail, body.status]).toEqual([
      409,
      "INVALID_STATE_TRANSITION",
      "connected",
    ]);
  });

  test("of several at once one does it", async () => {
    await lost();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => reconnect(tenant, account.id, user("ok"))),
    );
    expect(replies.map(({ status: code }) => code).toSorted()).toEqual([200, 409, 409, 409]);
    expect(await status()).toBe("connected");
  });

  test("refused: disconnected as before, and it can be tried again", async () => {
    await lost("ERROR");
    const { status: code, body } = await reconnect(tenant, account.id, user("ok"), "wrong");
    expect([code, body.detail]).toEqual([400, "ACCOUNT_CREDENTIALS_INVALID"]);
    expect(await status()).toBe("disconnected");
    expect((await reconnect(tenant, account.id, user("ok"))).body.success).toBe(true);
  });

  test("the provider down: as it was before", async () => {
    await lost("ERROR");
    setting.network.faults.order("unavailable", 1);
    const { status: code } = await reconnect(tenant, account.id, user("ok"));
    expect([code, await status()]).toEqual([502, "error"]);
  });

  test("an answer that is lost: it is connected, because the provider says so", async () => {
    await lost();
    setting.network.faults.order("lost_answer", 1);
    const { body } = await reconnect(tenant, account.id, user("ok"));
    expect(body).toMatchObject({ success: true, account: { status: "connected" } });
  });

  test("another person's credentials are refused, and their session is ended", async () => {
    await lost();
    await setting.api.sql.query(
      "update connected_accounts set person_id = 'somebody-else' where id = $1",
      [account.id],
    );
    setting.api.qstash.log.clear();
    const { status: code, body } = await reconnect(tenant, account.id, user("ok"));
    expect([code, body.detail]).toEqual([400, "ACCOUNT_CREDENTIALS_INVALID"]);
    expect(await rowOf()).toMatchObject({
      status: "disconnected",
      provider_account_id: "",
      person_id: "somebody-else",
      open: false,
    });
    expect(queued(setting, "end-network-session")).toBe(1);
  });

  test("whoever died at it does not keep it for good", async () => {
    await lost();
    await setting.api.sql.query(
      "update connected_accounts set status = 'reconnecting', updated_at = $2 where id = $1",
      [account.id, setting.api.deps.clock.now()],
    );
    expect((await reconnect(tenant, account.id, user("ok"))).status).toBe(409);
    await sync();
    expect(await status()).toBe("reconnecting");
    setting.api.advance(121);
    await sync();
    expect(await status()).toBe("disconnected");
  });

  test("the look at an account meanwhile does not end it", async () => {
    await lost();
    const again = reconnect(tenant, account.id, user("ok"));
    await Promise.all([sync(), sync(), sync(), again]);
    expect(await status()).toBe("connected");
  });
});

test("a person of whom nothing was known when it was connected is known by the next look", async () => {
  await setting.api.sql.query(
    "update connected_accounts set person_id = null, display_name = '' where id = $1",
    [account.id],
  );
  await sync();
  const row = await rowOf();
  expect(row.person_id).not.toBeNull();
  expect(row.display_name).not.toBe("");
});

test("and is merged with the record that they turn out to have", async () => {
  await setting.api.sql.query("update connected_accounts set person_id = null where id = $1", [
    account.id,
  ]);
  const { body } = await connect(tenant, user("ok"));
  expect(body.account.id).not.toBe(account.id);
  await sync();
  const { body: all } = await tenant.call("GET", ACCOUNTS);
  expect(all).toEqual([
    expect.objectContaining({
      id: body.account.id,
      status: "connected",
      is_default: true,
      provider_account_id: account.provider_account_id,
    }),
  ]);
  expect(sessions(setting)).toContain(account.provider_account_id);
});
