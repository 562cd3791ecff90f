import { describe, expect, test } from "vitest";
import { answerCheckpoint } from "#src/domain/network/checkpoint.ts";
import { dropAbandonedAccounts } from "#src/domain/network/sync-due.ts";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import type { Tenant } from "../../support/api.ts";
import { letTimeStandStill } from "../../support/still-time.ts";
import {
  ACCOUNTS,
  answer,
  connect,
  connected,
  list,
  read,
  reconnect,
  sessions,
  setting,
  tenant,
  useAccounts,
  user,
} from "./accounts-setting.ts";

useAccounts();

/** A login that met a challenge. */
async function challenged(kind: string, by: Tenant = tenant) {
  const { body } = await connect(by, user(kind));
  expect(body).toMatchObject({ success: false, checkpoint_required: true });
  return body as {
    account: { id: string };
    checkpoint_type: string;
    checkpoint_token: string;
  };
}

const outcome = async (token: string, code: string, by: Tenant = tenant) => {
  const { status, body } = await answer(by, token, code);
  return [status, status === 200 ? body.success : body.detail];
};

const WRONG = [400, "CHECKPOINT_CODE_INVALID"];
const OVER = [409, "CHECKPOINT_EXPIRED"];
const UNKNOWN = [404, "Checkpoint not found."];

describe("a challenge", () => {
  test.each([
    ["otp", "otp", "123456"],
    ["2fa", "two_factor", "123456"],
    ["captcha", "captcha", "solved"],
  ])("%s: the account waits, and its code connects it", async (kind, type, code) => {
    const begun = await challenged(kind);
    expect(begun.checkpoint_type).toBe(type);
    expect(begun.checkpoint_token).toMatch(/^[\w-]{43}$/);
    expect(begun.account).toMatchObject({
      status: "disconnected",
      checkpoint_pending: true,
      provider_account_id: "",
      is_default: true,
    });
    const { status, body } = await answer(tenant, begun.checkpoint_token, code);
    expect([status, Object.keys(body).toSorted()]).toEqual([200, ["account", "success"]]);
    expect(body).toMatchObject({
      success: true,
      account: { id: begun.account.id, status: "connected", checkpoint_pending: false },
    });
    expect(body.account.provider_account_id).toBe(sessions(setting).at(-1));
    expect(await list(tenant)).toEqual([body.account]);
  });

  test.each(["123 456", " 123-456", "123\u2009456\u00a0", "1\u201323456"])(
    "is met by its code as people type it: %j",
    async (code) => {
      const begun = await challenged("otp");
      expect(await outcome(begun.checkpoint_token, code)).toEqual([200, true]);
    },
  );

  test("that another follows answers with a token of its own, which ends the one before", async () => {
    const begun = await challenged("twice");
    const { status, body } = await answer(tenant, begun.checkpoint_token, "123456");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: false,
      checkpoint_required: true,
      checkpoint_type: "two_factor",
      account: { id: begun.account.id, checkpoint_pending: true },
    });
    expect(body.checkpoint_token).not.toBe(begun.checkpoint_token);
    expect(await outcome(begun.checkpoint_token, "123456")).toEqual(OVER);
    expect(await outcome(body.checkpoint_token, "123456")).toEqual([200, true]);
  });

  test("by telephone: a number, then a code", async () => {
    const begun = await challenged("phone");
    expect(begun.checkpoint_type).toBe("phone_register");
    expect(await outcome(begun.checkpoint_token, "0612345678")).toEqual(WRONG);
    const { body } = await answer(tenant, begun.checkpoint_token, "(+33)0612345678");
    expect(body.success).toBe(false);
    expect(await outcome(body.checkpoint_token, "123456")).toEqual([200, true]);
  });

  test("in the app: an empty code asks, costs no try, and keeps its token", async () => {
    const begun = await challenged("inapp");
    expect(begun.checkpoint_type).toBe("in_app_validation");
    const asked = [];
    for (let time = 0; time < 4; time++) {
      const { status, body } = await answer(tenant, begun.checkpoint_token, "");
      expect(status).toBe(200);
      asked.push(body);
      if (body.success) break;
      expect(body).toMatchObject({
        checkpoint_type: "in_app_validation",
        checkpoint_token: begun.checkpoint_token,
      });
    }
    expect(asked.at(-1)).toMatchObject({ success: true, account: { status: "connected" } });
    expect(asked.length).toBeGreaterThan(1);
    const { rows } = await setting.api.sql.query(
      "select tries from account_checkpoints where account_id = $1",
      [begun.account.id],
    );
    expect(rows).toEqual([{ tries: 0 }]);
  });

  test("that was met in the app without asking is noticed by the next look at the account", async () => {
    const begun = await challenged("inapp");
    const session = sessions(setting).at(-1)!;
    setting.network.control.approve(session);
    await syncAccount(setting.api.deps, session);
    expect(await read(tenant, begun.account.id)).toMatchObject({
      status: "connected",
      checkpoint_pending: false,
      provider_account_id: session,
    });
    expect(await outcome(begun.checkpoint_token, "")).toEqual(OVER);
  });
});

describe("what is refused", () => {
  test("a wrong code, and an empty one where a code is asked for", async () => {
    const { checkpoint_token: token } = await challenged("otp");
    expect(await outcome(token, "000000")).toEqual(WRONG);
    expect(await outcome(token, "")).toEqual(WRONG);
    expect(await outcome(token, "   ")).toEqual(WRONG);
    expect(await outcome(token, " 123456 ")).toEqual([200, true]);
  });

  test("a sixth try, even with the right code", async () => {
    const { account, checkpoint_token: token } = await challenged("otp");
    for (let time = 0; time < 5; time++) expect(await outcome(token, "000000")).toEqual(WRONG);
    expect(await outcome(token, "123456")).toEqual(OVER);
    expect(await read(tenant, account.id)).toMatchObject({
      status: "disconnected",
      checkpoint_pending: false,
    });
  });

  test("of twenty tries at once more than five", async () => {
    const { checkpoint_token: token } = await challenged("otp");
    setting.network.log.clear();
    const principal = {
      ...tenant,
      plan: "paid" as const,
      role: "owner" as const,
      via: "key" as const,
      actor: "key:of a test",
      scopes: null,
      confirm: "human" as const,
    };
    // Behind the quota, which would let ten through.
    const attempt = () =>
      answerCheckpoint(setting.api.deps, principal, { token, code: "000000" }).catch(
        (error: { code: string }) => error.code,
      );
    const outcomes = await Promise.all(Array.from({ length: 20 }, attempt));
    expect(outcomes.filter((code) => code === "CHECKPOINT_CODE_INVALID")).toHaveLength(5);
    expect(outcomes.filter((code) => code === "CHECKPOINT_EXPIRED")).toHaveLength(15);
    const asked = setting.network.log
      .entries()
      .filter(({ summary }) => summary.includes("accounts/checkpoint"));
    expect(asked).toHaveLength(5);
  });

  test("a token that is five minutes old", async () => {
    letTimeStandStill();
    const { account, checkpoint_token: token } = await challenged("otp");
    setting.api.advance(299);
    expect(await outcome(token, "000000")).toEqual(WRONG);
    setting.api.advance(1);
    expect(await read(tenant, account.id)).toMatchObject({ checkpoint_pending: false });
    expect(await outcome(token, "123456")).toEqual(OVER);
  });

  test("a second answer to a checkpoint that was met", async () => {
    const { checkpoint_token: token } = await challenged("otp");
    expect(await outcome(token, "123456")).toEqual([200, true]);
    expect(await outcome(token, "123456")).toEqual(OVER);
  });

  test("tokens that nobody gave out, or gave to somebody else: 404", async () => {
    const { checkpoint_token: token } = await challenged("otp");
    expect(await outcome("nonsense", "123456")).toEqual(UNKNOWN);
    const stranger = await setting.api.tenant();
    expect(await outcome(token, "123456", stranger)).toEqual(UNKNOWN);
    expect(await outcome(token, "123456")).toEqual([200, true]);
  });
});

describe("the provider", () => {
  test.each(["unavailable", "rate_limited", "key_refused"])(
    "%s: 502, and nobody looked, so that it was no try",
    async (fault) => {
      const { checkpoint_token: token } = await challenged("otp");
      for (let time = 0; time < 6; time++) {
        setting.network.faults.order(fault, 1);
        expect(await outcome(token, "123456")).toEqual([502, "UPSTREAM_ERROR"]);
      }
      expect(await outcome(token, "123456")).toEqual([200, true]);
    },
  );

  test("that connects and loses its answer: the account is connected", async () => {
    const { checkpoint_token: token } = await challenged("otp");
    setting.network.faults.order("lost_answer", 1);
    expect(await outcome(token, "123456")).toEqual([200, true]);
  });

  test("that lies: 502, and the code is good for the next try", async () => {
    const { checkpoint_token: token } = await challenged("otp");
    setting.network.faults.order("lying", 1);
    expect(await outcome(token, "123456")).toEqual([502, "UPSTREAM_ERROR"]);
    expect(await outcome(token, "123456")).toEqual([200, true]);
  });
});

describe("whose it is", () => {
  test("somebody who is connected already: the same record, and the one that waited is gone", async () => {
    const kept = await connectedBy("otp");
    const again = await challenged("otp");
    expect(again.account.id).not.toBe(kept);
    const { body } = await answer(tenant, again.checkpoint_token, "123456");
    expect(body.account).toMatchObject({ id: kept, status: "connected", is_default: true });
    expect((await list(tenant)).map(({ id }) => id)).toEqual([kept]);
    const lanes = await setting.api.sql.query(
      "select id, open from sender_lanes where workspace_id = $1",
      [tenant.workspaceId],
    );
    expect(lanes.rows).toEqual([{ id: kept, open: true }]);
  });

  test("a campaign that named the record that is gone names the one that there is", async () => {
    const kept = await connectedBy("otp");
    const again = await challenged("otp");
    const { rows } = await setting.api.sql.query(
      `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
       values (gen_random_uuid(), $1, $2, now(), now(), 'D', 'api', 'ready', 0, '[]', '{}') returning id`,
      [tenant.workspaceId, tenant.userId],
    );
    const campaign = await tenant.call("POST", "/api/v1/campaigns/", {
      name: "C",
      dataset_id: rows[0].id,
      type: "socialnet",
      connected_account_id: again.account.id,
      steps: [{ step: 1 }],
    });
    expect(campaign.status).toBe(201);
    await answer(tenant, again.checkpoint_token, "123456");
    const path = `/api/v1/campaigns/${campaign.body.campaign_id}`;
    expect((await tenant.call("GET", path)).body.connected_account_id).toBe(kept);
  });

  test("a reconnect that meets a challenge belongs to its account", async () => {
    const id = await connectedBy("otp");
    await setting.api.sql.query(
      "update connected_accounts set status = 'disconnected' where id = $1",
      [id],
    );
    const { status, body } = await reconnect(tenant, id, user("otp"));
    expect([status, body.account.id, body.account.checkpoint_pending]).toEqual([200, id, true]);
    const met = await answer(tenant, body.checkpoint_token, "123456");
    expect(met.body).toMatchObject({ success: true, account: { id, status: "connected" } });
    expect(await list(tenant)).toHaveLength(1);
  });

  async function connectedBy(kind: string): Promise<string> {
    const { account, checkpoint_token } = await challenged(kind);
    await answer(tenant, checkpoint_token, "123456");
    return account.id;
  }
});

test("an account that nobody connected within a day is dropped, and what was begun for it ended", async () => {
  const kept = await connected(tenant, user("ok"));
  const { account } = await challenged("otp");
  setting.api.advance(86_000);
  await dropAbandonedAccounts(setting.api.deps);
  expect((await tenant.call("GET", `${ACCOUNTS}/${account.id}`)).status).toBe(200);
  setting.api.advance(1_000);
  await dropAbandonedAccounts(setting.api.deps);
  expect((await list(tenant)).map(({ id }) => id)).toEqual([kept.id]);
});
