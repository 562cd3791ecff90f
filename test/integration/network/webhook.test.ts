import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountRow } from "#db/network/accounts.ts";
import { registerNetworkWebhooks } from "#src/domain/network/register-webhooks.ts";
import { createUnipile } from "#src/providers/network/unipile.ts";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import { inFull } from "../../support/full.ts";
import {
  listenForNetwork,
  signIn,
  startTestNetwork,
  WEBHOOK_SECRET,
} from "../../support/network-listener.ts";
import { insertAccount, putOnNetwork } from "../../support/network-talk.ts";
import { patience } from "../../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

const PATH = "/api/v1/socialnet/webhook";

let network: Awaited<ReturnType<typeof startTestNetwork>>;
let listener: Awaited<ReturnType<typeof listenForNetwork>>;
let api: TestApi;
let tenant: Tenant;
let account: AccountRow;
let turn = 0;
const log: Record<string, unknown>[] = [];

beforeAll(async () => {
  network = await startTestNetwork();
  listener = await listenForNetwork(() => api);
  api = await startApi({ ...network.env, PUBLIC_BASE_URL: listener.url });
  const { info } = api.deps.log;
  api.deps.log = {
    ...api.deps.log,
    info(event, fields) {
      log.push({ event, ...fields });
      info(event, fields);
    },
  };
});
afterAll(async () => {
  await network.idle();
  await api.close();
  await listener.close();
  await network.close();
});
beforeEach(async () => {
  network.faults.clear();
  log.length = 0;
  tenant = await api.tenant();
  const providerAccountId = await signIn(network, `ok+${++turn}@example.zz`);
  account = await insertAccount(api, tenant, { providerAccountId });
});

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  api.request(PATH, {
    method: "POST",
    headers: { "unipile-auth": WEBHOOK_SECRET, ...headers },
    body: body as BodyInit,
  });
const message = (more: object = {}) => ({
  event: "message_received",
  account_id: account.providerAccountId,
  account_info: { user_id: "the-owner" },
  chat_id: "chat-1",
  message_id: randomUUID(),
  timestamp: api.deps.clock.now().toISOString(),
  message: "Hello",
  sender: {
    attendee_provider_id: "person-ada",
    attendee_name: "Ada Lovelace",
    attendee_profile_url: "https://www.linkedin.com/in/ada-lovelace",
  },
  ...more,
});
const tell = async (event: object) => (await post(JSON.stringify(event))).status;
/** As the network does: what was not answered with 200 comes again. */
async function insist(event: object): Promise<void> {
  for (let tries = 0; tries < 6; tries++) if ((await tell(event)) === 200) return;
  throw new Error("It was never taken.");
}
const messages = async () =>
  (
    await api.sql.query(
      "select text, dedup_key from conversation_messages where workspace_id = $1 order by sent_at, id",
      [tenant.workspaceId],
    )
  ).rows;
const ignored = () => log.filter(({ event }) => event === "network_event_ignored");

/** A campaign whose one lead is this person. */
async function campaignWith(slug: string) {
  const now = api.deps.clock.now();
  const rows = await insertActiveCampaign(api.sql, tenant, { leads: 1, now });
  await putOnNetwork(api.sql, rows.campaignLeadIds[0]!, { slug });
  return {
    ...rows,
    status: async () =>
      (await api.sql.query("select status from campaign_leads where id = $1", rows.campaignLeadIds))
        .rows[0].status,
  };
}

const MANY = inFull(300, 90);

describe("who calls", () => {
  test("proves it by the secret; without it, or with another, nothing is read", async () => {
    const body = JSON.stringify(message());
    const near = [WEBHOOK_SECRET.slice(1), `${WEBHOOK_SECRET}x`, WEBHOOK_SECRET.toUpperCase()];
    for (const auth of ["", "wrong", ...near, `${WEBHOOK_SECRET}, ${WEBHOOK_SECRET}`])
      expect((await post(body, { "unipile-auth": auth })).status).toBe(401);
    for (const headers of [{}, { authorization: WEBHOOK_SECRET }])
      expect((await api.request(PATH, { method: "POST", body, headers })).status).toBe(401);
    expect(await messages()).toEqual([]);
    expect(await tell(message())).toBe(200);
    expect(await messages()).toHaveLength(1);
  });

  test("says no content type, or any, and is never limited", async () => {
    for (const type of [
      undefined,
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded",
    ]) {
      const bytes = new TextEncoder().encode(JSON.stringify(message()));
      const reply = await post(bytes, type === undefined ? {} : { "content-type": type });
      expect([reply.status, reply.headers.get("ratelimit")]).toEqual([200, null]);
    }
    expect(await messages()).toHaveLength(4);
  });
});

describe("an event", () => {
  test.each([
    ["of an account that is nobody's", () => JSON.stringify(message({ account_id: "unknown" }))],
    [
      "of the session of an account that is nobody's",
      () =>
        JSON.stringify({
          AccountStatus: { account_id: "unknown", account_type: "LINKEDIN", message: "ERROR" },
        }),
    ],
    ["that is no JSON", () => "{not json"],
    ["of another kind", () => JSON.stringify({ event: "message_reaction", account_id: "x" })],
    [
      "of a message with an id beyond reason",
      () => JSON.stringify(message({ message_id: "x".repeat(5_000) })),
    ],
    ["in a chat with such an id", () => JSON.stringify(message({ chat_id: "é".repeat(300) }))],
    ["that is no UTF-8", () => new Uint8Array([0xff, 0xfe, 0x7b])],
  ])("%s is taken and changes nothing", async (_name, bodyOf) => {
    const reply = await post(bodyOf());
    expect([reply.status, await reply.json()]).toEqual([200, { taken: 0 }]);
    expect(await messages()).toEqual([]);
  });

  test("of a message from nobody that can be named is kept by its chat", async () => {
    expect(await tell(message({ sender: { attendee_provider_id: "\u0000\n" } }))).toBe(200);
    expect(await tell(message({ sender: null }))).toBe(200);
    const { body } = await tenant.call("GET", "/api/v1/conversations");
    expect(body.items).toHaveLength(1);
  });

  test("that is passed over is in the log", async () => {
    await tell(message({ account_id: "unknown" }));
    await post("{not json");
    expect(ignored()).toMatchObject([
      { why: "unknown_account" },
      { why: expect.stringMatching(/JSON/) },
    ]);
  });

  test("over 4 MiB is 413", async () => {
    expect((await post("x".repeat(4 * 1024 * 1024 + 1))).status).toBe(413);
  });

  test("that failed here is asked for again, and then taken once", async () => {
    const event = message();
    await api.sql.query("alter table conversation_messages rename to elsewhere");
    expect(await tell(event)).toBe(500);
    await api.sql.query("alter table elsewhere rename to conversation_messages");
    expect(await tell(event)).toBe(200);
    expect(await tell(event)).toBe(200);
    expect(await messages()).toHaveLength(1);
  });

  test(`${MANY} at once, told until they are taken and some of them again, are as many messages`, async () => {
    const events = Array.from({ length: MANY }, (_, n) =>
      message({
        sender: {
          attendee_provider_id: `person-${n % 50}`,
          attendee_profile_url: `https://www.linkedin.com/in/somebody-${n % 50}`,
        },
        message: `Hello ${n}`,
      }),
    );
    await Promise.all(events.map(insist));
    await Promise.all(events.slice(0, MANY / 3).map(insist));
    expect(await messages()).toHaveLength(MANY);
  });

  test("that somebody is connected ends a lead's wait for it, whichever comes first and however often", async () => {
    const rows = await campaignWith("grace-hopper");
    await api.sql.query(
      "update campaign_leads set status = 'active', alias_id = $2, hold_reason = 'awaiting_acceptance', next_action_at = null where id = $1",
      [rows.campaignLeadIds[0], account.id],
    );
    const connected = {
      event: "new_relation",
      account_id: account.providerAccountId,
      user_provider_id: "person-grace",
      user_public_identifier: "grace-hopper",
    };
    expect([await tell(connected), await tell(connected)]).toEqual([200, 200]);
    const { rows: leads } = await api.sql.query(
      "select hold_reason, connected_at from campaign_leads where id = $1",
      rows.campaignLeadIds,
    );
    expect(leads).toEqual([{ hold_reason: null, connected_at: expect.any(Date) }]);
  });
});

describe("the network itself", () => {
  test("is asked to call us, once a day, and at once where our address is another", async () => {
    const asked = () => network.log.entries().filter(({ summary }) => summary.includes("webhooks"));
    network.log.clear();
    network.faults.order("unavailable", 1);
    const lines: string[] = [];
    api.onLog((line) => lines.push(line));
    await registerNetworkWebhooks(api.deps);
    expect(lines.join()).toContain("network_webhooks_not_registered");
    const failed = asked().length;
    await registerNetworkWebhooks(api.deps);
    const first = asked().length;
    expect(first).toBeGreaterThan(failed);
    await registerNetworkWebhooks(api.deps);
    expect(asked()).toHaveLength(first);
    api.advance(86_401);
    await registerNetworkWebhooks(api.deps);
    expect(asked().length).toBeGreaterThan(first);
    const moved = { ...api.deps.settings, publicBaseUrl: "https://elsewhere.example" };
    const before = asked().length;
    await registerNetworkWebhooks({ ...api.deps, settings: moved });
    expect(asked().length).toBeGreaterThan(before);
  });

  test("is asked again at once under another secret, and under the one before", async () => {
    const secrets = async () => {
      const reply = await fetch(`${network.url}/api/v1/webhooks`, {
        headers: { "x-api-key": network.env["UNIPILE_API_KEY"]! },
      });
      const { items } = (await reply.json()) as { items: { headers: { value: string }[] }[] };
      return new Set(items.map(({ headers }) => headers[0]!.value));
    };
    const under = (webhookSecret: string) =>
      registerNetworkWebhooks({
        ...api.deps,
        network: createUnipile({
          fetch,
          baseUrl: network.url,
          apiKey: network.env["UNIPILE_API_KEY"]!,
          webhookSecret,
          log: api.deps.log,
          now: () => api.deps.clock.now(),
          noteTrouble: async () => {},
        }),
      });
    const another = "another-secret-of-these-tests";
    for (const secret of [WEBHOOK_SECRET, another, WEBHOOK_SECRET]) {
      await under(secret);
      expect((await secrets()).has(secret)).toBe(true);
    }
    expect((await secrets()).has(another)).toBe(false);
  });

  test("tells that a session ended, and is asked whether it did", async () => {
    await registerNetworkWebhooks(api.deps);
    const status = async () =>
      (await api.sql.query("select status from connected_accounts where id = $1", [account.id]))
        .rows[0].status;
    // Not believed: the provider says that all is well.
    const event = {
      account_id: account.providerAccountId,
      account_type: "LINKEDIN",
      message: "CREDENTIALS",
    };
    expect(await tell({ AccountStatus: event })).toBe(200);
    await api.settled();
    expect(await status()).toBe("connected");
    network.control.setStatus(account.providerAccountId, "CREDENTIALS");
    await network.idle();
    await api.settled();
    expect(await status()).toBe("disconnected");
  });

  test.each(["", "webhook_twice"])(
    "tells of an answer, which stops the campaign and comes once %s",
    async (fault) => {
      await registerNetworkWebhooks(api.deps);
      const slug = `friend-${fault === "" ? "once" : "twice"}-lind`;
      const { status } = await campaignWith(slug);
      if (fault !== "") network.faults.order(fault, 1);
      network.control.reply(account.providerAccountId, slug, "Please stop writing to me.");
      await network.idle();
      expect(await status()).toBe("unsubscribed");
      expect(await messages()).toMatchObject([{ text: "Please stop writing to me." }]);
    },
  );
});
