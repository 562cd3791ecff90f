import { beforeEach, describe, expect, test } from "vitest";
import {
  beginDelivery,
  claimDeliveries,
  type DeliveryEnd,
  endDelivery,
} from "#db/workspace/notice-deliveries.ts";
import { dueTopics, takeTopics } from "#db/base/fragments/outbox.ts";
import type { Deps } from "#src/deps.ts";
import { deliverOutbox } from "#src/domain/workspace/notifications/deliver-outbox.ts";
import { NOTICE_KINDS } from "#src/domain/workspace/notifications/audience.ts";
import { planTopic } from "#src/domain/workspace/notifications/open-notices.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import type { Tenant } from "../../../support/api.ts";
import { bounceMail, postMail } from "../../../support/incoming.ts";
import {
  deliveriesOf,
  forgetNotices,
  owe,
  readOutbox,
  wantsAll,
} from "../../../support/notices.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

const PREFERENCES = "/api/v1/notifications/preferences";

useSending();
const query = queryOf(() => sending.api.sql);
let address: string;
beforeEach(async () => {
  sending.api.neon.faults.clear();
  await forgetNotices(sending.api);
  address = await wantsAll(tenant);
});

const inbox = () => sending.mailbox.messages({ to: address });
const read = () => readOutbox(sending);
const states = async () => (await deliveriesOf(sending.api, tenant)).map(({ state }) => state);
/** A notice that its relay has put off for a minute. */
async function owePutOff(): Promise<void> {
  await owe(sending.api, tenant);
  sending.mailbox.faults.order("greeting_421", 1);
  await read();
}
const outboxStatus = async () =>
  JSON.parse(await (await sending.api.request("/api/v1/status")).text()).components.outbox;

/** Another workspace that the tenant's person works in. */
async function joinAnother(): Promise<Tenant> {
  const other = await sending.api.tenant();
  await query`insert into workspace_members (workspace_id, user_id, role, joined_at)
    select ${other.workspaceId}, ${tenant.userId}, role, joined_at from workspace_members
    where workspace_id = ${tenant.workspaceId}`;
  return other;
}

test("an address that a key gave counts in the key's workspace; one that a login gave, in all of its maker's", async () => {
  const other = await joinAnother();
  const [{ email: own }] = await query`select email from users where id = ${tenant.userId}`;
  const toldOf = async (of: Tenant) => {
    await owe(sending.api, of);
    sending.mailbox.clear();
    await read();
    return (await sending.mailbox.messages()).map(({ to }) => to[0]).toSorted();
  };
  const [{ email: owner }] = await query`select email from users where id = ${other.userId}`;
  expect(await toldOf(tenant)).toEqual([address]);
  expect(await toldOf(other)).toEqual([own, owner].toSorted());
  const asUser = (of: string) =>
    tenant.callAsUser("GET", PREFERENCES, undefined, { "overture-workspace": of });
  expect((await asUser(tenant.workspaceId)).body.personal_email).toBe(address);
  expect((await asUser(other.workspaceId)).body.personal_email).toBeNull();
  const wish = { personal_email: address, notify_on_reply: true };
  expect((await tenant.callAsUser("PUT", PREFERENCES, wish)).status).toBe(200);
  expect(await toldOf(other)).toEqual([address, owner].toSorted());
  // The same key again changes nothing of that.
  await tenant.call("PUT", PREFERENCES, wish);
  expect(await toldOf(other)).toEqual([address, owner].toSorted());
});

describe("a key of another workspace", () => {
  /** By a key of the same person there. */
  async function asks() {
    const other = await joinAnother();
    const there = { "overture-workspace": other.workspaceId };
    const { body: made } = await tenant.callAsUser(
      "POST",
      "/api/v1/api-keys",
      { name: "B" },
      there,
    );
    return async (method: string, wish?: object) => {
      const response = await sending.api.request(PREFERENCES, {
        method,
        headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
        ...(wish !== undefined && { body: JSON.stringify(wish) }),
      });
      // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
      return { status: response.status, body: (await response.json()) as any };
    };
  }
  const shown = async () => (await tenant.call("GET", PREFERENCES)).body;

  test("that puts back what it was shown takes nobody's address away", async () => {
    const whatsapp = { whatsapp_enabled: true, whatsapp_number: "+491701234567" };
    await wantsAll(tenant, whatsapp);
    const ask = await asks();
    const { body: read } = await ask("GET");
    expect(read).toMatchObject({ personal_email: null, whatsapp_number: null });
    expect((await ask("PUT", { ...read, notify_on_bounce: false })).status).toBe(200);
    const now = { personal_email: address, ...whatsapp, notify_on_bounce: false };
    expect(await shown()).toMatchObject(now);
  });

  test("replaces no address that counts elsewhere, and is told what does", async () => {
    const ask = await asks();
    const wish = { personal_email: "b@x.example" };
    const refused = [await ask("PUT", wish), await ask("PUT", { personal_email: address })];
    expect(refused).toMatchObject(
      refused.map(() => ({ status: 403, body: { detail: "JWT_REQUIRED" } })),
    );
    expect((await shown()).personal_email).toBe(address);
    const byLogin = { personal_email: "ops@x.example" };
    expect((await tenant.callAsUser("PUT", PREFERENCES, byLogin)).status).toBe(200);
    expect((await ask("PUT", wish)).status).toBe(403);
    expect((await ask("GET")).body).toMatchObject(byLogin);
    // Where nothing stands that counts elsewhere, the key's is taken, and is the key's workspace's.
    await tenant.callAsUser("PUT", PREFERENCES, {});
    expect((await ask("PUT", wish)).body).toMatchObject(wish);
    expect((await shown()).personal_email).toBeNull();
  });
});

describe("however many read at once", () => {
  test("each notice is told once", async () => {
    const campaigns = await Promise.all(Array.from({ length: 40 }, () => owe(sending.api, tenant)));
    await Promise.all([1, 2, 3, 4].map(read));
    const mails = await inbox();
    expect(mails).toHaveLength(campaigns.length);
    for (const id of campaigns)
      expect(mails.filter(({ text }) => text.includes(id))).toHaveLength(1);
    await read();
    expect(await inbox()).toHaveLength(campaigns.length);
    expect((await read()).nextAt).toBeNull();
  });

  test("of two that saw the same topic one makes a notice", async () => {
    await owe(sending.api, tenant);
    const { db, clock, ids } = sending.api.deps;
    const now = clock.now();
    const recentSince = new Date(0);
    const due = await dueTopics(db, { kinds: NOTICE_KINDS, recentSince, now, limit: 10 });
    const channels = { email: true, whatsapp: false };
    const takes = [1, 2].map(() =>
      takeTopics(
        db,
        due.map((topic) => planTopic(topic, channels, ids.uuid())),
        { recentSince, openUntil: new Date(now.getTime() + 300_000), now },
      ),
    );
    expect((await Promise.all(takes)).toSorted()).toEqual([0, 1]);
    expect(await states()).toEqual(["waiting"]);
  });

  test("what is owed while they read is told in the same window or the next, and never twice", async () => {
    const campaignId = await owe(sending.api, tenant);
    await Promise.all([
      read(),
      ...Array.from({ length: 20 }, () => owe(sending.api, tenant, campaignId)),
      read(),
    ]);
    sending.api.advance(301);
    await read();
    const rows =
      await query`select count(*)::int as told, count(distinct notice_id)::int as notices from outbox where topic = ${campaignId} and notice_id is not null`;
    expect(rows[0].told).toBe(21);
    expect(await inbox()).toHaveLength(rows[0].notices);
    expect(rows[0].notices).toBeLessThanOrEqual(2);
  });
});

describe("a relay", () => {
  test.each(["greeting_421", "rcpt_deferred", "data_deferred", "auth_refused"])(
    "with %s is tried again, by the same Message-ID, and the notice arrives once",
    async (fault) => {
      await owe(sending.api, tenant);
      sending.mailbox.faults.order(fault, 1);
      const { nextAt } = await read();
      expect(await states()).toEqual(["waiting"]);
      expect(nextAt!.getTime() - Date.now()).toBeGreaterThan(55_000);
      sending.api.advance(61);
      await read();
      expect(await states()).toEqual(["sent"]);
      expect(await inbox()).toHaveLength(1);
    },
  );

  test("that refuses for good is not asked again, and the status page says so", async () => {
    await owe(sending.api, tenant);
    sending.mailbox.faults.order("rcpt_refused", 1);
    await read();
    const [delivery] = await deliveriesOf(sending.api, tenant);
    expect(delivery).toMatchObject({ state: "dead", attempts: 1 });
    expect(delivery!.error).toContain("5.1.1");
    expect(await outboxStatus()).toMatchObject({
      status: "degraded",
      detail: expect.stringContaining("1 given up"),
    });
  });

  test.each([
    ["close_after_dot", 1],
    ["close_before_dot", 0],
  ])("with %s leaves it unknown: it is never repeated, and counted", async (fault, arrived) => {
    await owe(sending.api, tenant);
    sending.mailbox.faults.order(fault, 1);
    await read();
    expect(await states()).toEqual(["unknown"]);
    sending.api.advance(86_400);
    await read();
    expect(await inbox()).toHaveLength(arrived);
    expect((await outboxStatus()).detail).toContain("1 of unknown fate, never repeated");
  });

  test("that is gone for a day has the notice given up after six attempts, and kept", async () => {
    await owe(sending.api, tenant);
    for (let attempts = 1; attempts <= 6; attempts++) {
      sending.mailbox.faults.order("greeting_421", 5);
      const { nextAt } = await read();
      sending.mailbox.faults.clear();
      if (nextAt === null) break;
      if (attempts === 4)
        expect((await outboxStatus()).detail).toMatch(/1 wait longer than 15 min/);
      sending.api.advance((nextAt.getTime() - Date.now()) / 1000 + 1);
    }
    const [delivery] = await deliveriesOf(sending.api, tenant);
    expect(delivery).toMatchObject({ state: "dead", attempts: 6 });
    expect(delivery!.error).toContain("421");
    expect(await inbox()).toEqual([]);
  });

  test("that is slow holds up no other reader's notices", async () => {
    await owe(sending.api, tenant);
    sending.mailbox.faults.order("slow", 1);
    const slow = read();
    await owe(sending.api, tenant);
    await Promise.all([slow, read()]);
    await read();
    expect(await states()).toEqual(["sent", "sent"]);
    expect(await inbox()).toHaveLength(2);
  });
});

/** What a worker does first, and then it is gone. */
async function claimAndDie(): Promise<string[]> {
  const { clock, db, ids } = sending.api.deps;
  const now = clock.now();
  const claimedUntil = new Date(now.getTime() + 120_000);
  const workerToken = ids.uuid();
  const claimed = await claimDeliveries(db, { now, workerToken, claimedUntil, limit: 5 });
  return claimed.map(() => workerToken);
}

describe("a worker that dies", () => {
  test("and wakes again begins nothing that another has claimed meanwhile", async () => {
    await owePutOff();
    sending.api.advance(61);
    const [late] = await claimAndDie();
    sending.api.advance(121);
    const [next] = await claimAndDie();
    const rows = await query`select id from notice_deliveries`;
    const now = sending.api.deps.clock.now();
    const begin = (workerToken: string) =>
      beginDelivery(sending.api.deps.db, { id: rows[0].id, now, workerToken }, now);
    expect(await begin(late!)).toBe(false);
    expect(await begin(next!)).toBe(true);
    expect(await begin(next!)).toBe(false);
  });

  test("after its claim leaves the notice to the next one, two minutes later", async () => {
    await owePutOff();
    sending.api.advance(61);
    expect(await claimAndDie()).toHaveLength(1);
    expect((await read()).delivered).toBe(0);
    expect(await inbox()).toEqual([]);
    sending.api.advance(121);
    await read();
    expect(await inbox()).toHaveLength(1);
  });

  test("each time over the same notice has it given up", async () => {
    await owePutOff();
    for (let deaths = 0; deaths < 5; deaths++) {
      sending.api.advance(121);
      await claimAndDie();
    }
    sending.api.advance(121);
    await read();
    expect(await states()).toEqual(["dead"]);
  });

  test("while it hands over leaves it unknown", async () => {
    await owePutOff();
    const { deps } = sending.api;
    await query`update notice_deliveries set state = 'transmitting', lease_until = ${new Date(deps.clock.now().getTime() + 660_000)} where state = 'waiting'`;
    expect((await read()).nextAt).not.toBeNull();
    sending.api.advance(661);
    await read();
    expect(await states()).toEqual(["unknown"]);
    expect(await inbox()).toEqual([]);
  });

  test("and wakes after its lease with the relay's answer: an acceptance is believed, and nothing else", async () => {
    await owePutOff();
    sending.api.advance(61);
    const [workerToken] = (await claimAndDie()) as [string];
    const { db, clock } = sending.api.deps;
    const [{ id }] = (await query`select id from notice_deliveries`) as [{ id: string }];
    const order = () => ({ id, workerToken, now: clock.now() });
    expect(await beginDelivery(db, order(), new Date(clock.now().getTime() + 660_000))).toBe(true);
    sending.api.advance(661);
    await read();
    const answer = async (end: DeliveryEnd) => {
      await endDelivery(db, order(), end);
      return states();
    };
    const error = "451 later";
    expect(await answer({ kind: "again", dueAt: clock.now(), error })).toEqual(["unknown"]);
    expect(await answer({ kind: "dead", error })).toEqual(["unknown"]);
    expect(await answer({ kind: "sent" })).toEqual(["sent"]);
    expect(await deliveriesOf(sending.api, tenant)).toMatchObject([{ error: null }]);
  });
});

/** The service's database, that loses its answer to the `lost`-th call, or refuses it. */
function faultyDb(fault: "reply_lost" | "refuse", lost: number): Deps["db"] {
  const { deps, neon } = sending.api;
  let calls = 0;
  return new Proxy(deps.db, {
    get(db, name: "execute" | "update") {
      if (name !== "execute" && name !== "update") return Reflect.get(db, name);
      return (...args: never[]) => {
        if (calls++ === lost) neon.faults.order(fault, 1);
        return (db[name] as (...all: never[]) => unknown)(...args);
      };
    },
  });
}

test.each(["reply_lost", "refuse"] as const)(
  "whichever call meets a database with %s, nothing is told twice",
  async (fault) => {
    for (let round = 0; round < 12; round++) {
      await forgetNotices(sending.api);
      sending.mailbox.clear();
      await owe(sending.api, tenant);
      const deps = { ...sending.api.deps, db: faultyDb(fault, round) };
      const ended = await deliverOutbox(deps).then(
        () => true,
        () => false,
      );
      // Nine calls make a notice and look for more; the tenth asks when the next one is due. One whose
      // text cannot be read is tried again by itself.
      expect(ended, `round ${round}`).toBe(round > 9 || round === 4);
      sending.api.neon.faults.clear();
      for (let again = 0; again < 3; again++) {
        sending.api.advance(700);
        await read();
      }
      const mails = await inbox();
      const known = await states();
      expect(mails.length, `round ${round}, ${known.join()}`).toBeLessThanOrEqual(1);
      expect(known.length === 1 && ["sent", "unknown"].includes(known[0]!)).toBe(true);
      if (known[0] === "sent") expect(mails).toHaveLength(1);
    }
  },
);

describe("nobody to tell", () => {
  test("no address: marked once, never tried", async () => {
    await query`update users set email = null where id = ${tenant.userId}`;
    await wantsAll(tenant, { personal_email: null });
    await owe(sending.api, tenant);
    await read();
    const [delivery] = await deliveriesOf(sending.api, tenant);
    expect(delivery).toMatchObject({
      state: "undeliverable",
      error: "Its user has no address for it.",
    });
    expect((await outboxStatus()).detail).toContain("1 had nobody to go to");
  });

  test("the user's own address where none was given", async () => {
    await query`update users set email = ${address} where id = ${tenant.userId}`;
    await wantsAll(tenant, { personal_email: null });
    await owe(sending.api, tenant);
    await read();
    expect(await inbox()).toHaveLength(1);
  });

  test("what waited for three days is let go", async () => {
    await owe(sending.api, tenant);
    sending.api.advance(3 * 86_400 + 1);
    expect(await read()).toMatchObject({ taken: 1, delivered: 0, nextAt: null });
    expect(await states()).toEqual([]);
  });

  test("a deployment without a relay marks them and keeps nothing to tell later", async () => {
    const { settings } = sending.api.deps;
    const { systemMail } = settings;
    settings.systemMail = null;
    try {
      await owe(sending.api, tenant);
      await read();
      expect(await outboxStatus()).toMatchObject({ status: "not_configured" });
    } finally {
      settings.systemMail = systemMail;
    }
    expect(await states()).toEqual(["undeliverable"]);
    await read();
    expect(await inbox()).toEqual([]);
  });

  test("WhatsApp where this deployment has none is marked, and email goes all the same", async () => {
    await wantsAll(tenant, { whatsapp_enabled: true, whatsapp_number: "+491701234567" });
    await owe(sending.api, tenant);
    await read();
    expect(await deliveriesOf(sending.api, tenant)).toMatchObject([
      { channel: "email", state: "sent" },
      { channel: "whatsapp", state: "undeliverable" },
    ]);
  });
});

test("who changes their mind while it waits is told by what they want now", async () => {
  await owePutOff();
  const other = `new-${address}`;
  await wantsAll(tenant, { personal_email: other });
  sending.api.advance(61);
  await read();
  expect(await inbox()).toEqual([]);
  expect(await sending.mailbox.messages({ to: other })).toHaveLength(1);
});

test("a bounce of a notice is about nothing of ours, and owes nothing", async () => {
  await owe(sending.api, tenant);
  await read();
  const [mail] = await inbox();
  const originalMessageId = String(mail!.headers["message-id"]).slice(1, -1);
  const to = "notices@overture.test";
  const report = bounceMail({
    to,
    recipient: address,
    status: "5.1.1",
    diagnostic: "550 no such user",
    originalMessageId,
  });
  const { body } = await postMail(sending.api, report, to);
  expect(body).toMatchObject({ class: "bounce", matched_by: null });
  expect(await read()).toMatchObject({ taken: 0, nextAt: null });
});

describe("the reader is asked for", () => {
  const asked = () =>
    sending.api.qstash.log.entries().filter(({ summary }) => summary.includes("deliver-outbox"))
      .length;

  test("by a message that was lost: the full check finds what nobody came for", async () => {
    await owe(sending.api, tenant);
    const before = asked();
    await fullCheck(sending.api.deps);
    expect(asked()).toBe(before);
    sending.api.advance(61);
    await fullCheck(sending.api.deps);
    expect(asked()).toBe(before + 1);
  });

  test("never while nothing is owed", async () => {
    await read();
    const before = asked();
    sending.api.advance(3600);
    await fullCheck(sending.api.deps);
    await read();
    expect(asked()).toBe(before);
  });
});
