/** Single emails take places of their alias's and its domain's day; campaigns have what is left. */
import { describe, expect, test } from "vitest";
import { deliverEmail, deliveringEmail } from "#src/domain/messages/emails/deliver.ts";
import { meetAtRow } from "../../support/locks.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const HOUR = 3600;
const ALIASES = "/api/v1/mailer/aliases";
const EMAILS = "/api/v1/mailer/emails";

/** Tests begin at noon, so that no day ends in them unless they let it. */
function toNoon(): void {
  const { api } = sending;
  const sinceMidnight = (api.deps.clock.now().getTime() / 1000) % (24 * HOUR);
  api.advance((36 * HOUR - sinceMidnight) % (24 * HOUR));
}

async function campaign(leads: number, { cap = 5, aliases = 1 } = {}) {
  toNoon();
  return sending.campaign(tenant, { leads, aliases, aliasCap: cap });
}

/** Of no campaign with leads. */
const sender = async (): Promise<string> => (await campaign(0)).aliasIds[0]!;

let count = 0;
const post = async (aliasId: string, to = `person-${count++}@example.zz`): Promise<string> => {
  const wish = { alias_id: aliasId, to_email: to, subject: "A question", body: "Hello" };
  return (await tenant.call("POST", EMAILS, wish)).body.id;
};
const deliver = (id: string) => deliverEmail(sending.api.deps, id);
const single = async (aliasId: string) => deliver(await post(aliasId));
const singles = async (aliasId: string, many: number) => {
  for (let made = 0; made < many; made++) expect(await single(aliasId)).toBe("sent");
};
const today = async (aliasId: string) => {
  const { body } = await tenant.call("GET", `${ALIASES}/${aliasId}`);
  return { sent: body.sent_today, cap: body.cap_today };
};
const laneOf = async (id: string) => (await query`select * from sender_lanes where id = ${id}`)[0];
const accepted = async (campaignId: string) =>
  (await sending.sendsOf(campaignId)).filter(({ state }) => state === "accepted").length;
/** The engine, so far apart that no slot lies ahead of a run. */
async function ticks(runs: number): Promise<void> {
  for (let run = 0; run < runs; run++) {
    await sending.tick();
    sending.api.advance(150);
  }
}

describe("what counts", () => {
  test("what was sent, once, and it begins the sender's day", async () => {
    const id = await sender();
    expect((await laneOf(id)).day_until).toBeNull();
    const email = await post(id);
    expect((await Promise.all([deliver(email), deliver(email)])).toSorted()).toEqual([
      "sent",
      "taken",
    ]);
    expect(await today(id)).toEqual({ sent: 1, cap: 5 });
    await singles(id, 6);
    expect(await today(id)).toEqual({ sent: 7, cap: 5 });
  });

  test.each([
    ["rcpt_refused", "failed", 0],
    ["rcpt_deferred", "again", 0],
    ["auth_refused", "failed", 0],
    ["close_after_dot", "unknown", 1],
  ])("of %s, which is %s, %i", async (fault, end, used) => {
    const id = await sender();
    sending.mailbox.faults.order(fault, 1);
    expect(await single(id)).toBe(end);
    expect((await today(id)).sent).toBe(used);
  });

  test.each(["rcpt_deferred", "data_deferred"])("after %s and a second try, one", async (fault) => {
    const id = await sender();
    const email = await post(id);
    sending.mailbox.faults.order(fault, 1);
    expect(await deliver(email)).toBe("again");
    sending.api.advance(301);
    expect(await deliver(email)).toBe("sent");
    expect((await today(id)).sent).toBe(1);
  });

  test("what its recipient's server had, before it put it off and took it later, one", async () => {
    const id = await sender();
    const email = await post(id);
    const { deps } = sending.api;
    const reply = "451 4.2.0 Come back later";
    const later = async () =>
      ({ state: "deferred", scope: "recipient", stage: "final", code: 451, reply }) as const;
    const openMail = () => ({ ...deps.openMail(), send: later });
    expect(await deliverEmail({ ...deps, openMail }, email)).toBe("again");
    expect((await today(id)).sent).toBe(1);
    sending.api.advance(301);
    expect(await deliver(email)).toBe("sent");
    expect((await today(id)).sent).toBe(1);
  });

  test("what its worker left may have been sent", async () => {
    const id = await sender();
    const email = await post(id);
    const { deps } = sending.api;
    const openMail = () => ({ ...deps.openMail(), send: () => new Promise<never>(() => {}) });
    void deliverEmail({ ...deps, openMail }, email);
    await expect.poll(async () => (await laneOf(id)).used).toBe(1);
    sending.api.advance(HOUR);
    await deliveringEmail.requeueLost(deps);
    expect((await tenant.call("GET", `${EMAILS}/${email}`)).body.status).toBe("sent");
    expect((await today(id)).sent).toBe(1);
  });

  test("what cannot be written does not", async () => {
    const id = await sender();
    const email = await post(id);
    await query`update mail_aliases set reply_to = 'none' where id = ${id}`;
    expect(await deliver(email)).toBe("failed");
    expect((await today(id)).sent).toBe(0);
  });
});

describe("campaigns have what is left", () => {
  test("of the sender's day, and its next one is whole", async () => {
    const { aliasIds, campaignId } = await campaign(20);
    const id = aliasIds[0]!;
    await singles(id, 2);
    await ticks(10);
    expect(await accepted(campaignId)).toBe(3);
    await singles(id, 4);
    await ticks(3);
    expect(await accepted(campaignId)).toBe(3);
    expect(await today(id)).toEqual({ sent: 9, cap: 5 });
    toNoon();
    expect(await today(id)).toEqual({ sent: 0, cap: 5 });
    await singles(id, 1);
    expect(await today(id)).toEqual({ sent: 1, cap: 5 });
    await ticks(10);
    expect(await accepted(campaignId)).toBe(7);
    expect(await today(id)).toEqual({ sent: 5, cap: 5 });
  });

  test("of a domain's limit: what one sender takes too much comes off the others", async () => {
    const { aliasIds, campaignId } = await campaign(40, { cap: 10, aliases: 2 });
    const made = await tenant.call("POST", "/api/v1/mailer/domains", { domain: "sender.zz" });
    const domainId = made.body.id ?? made.body.domain_id;
    await query`update mail_domains set daily_limit = 10, status = 'verified' where id = ${domainId}`;
    await query`update mail_aliases set domain_id = ${domainId} where id = any(${aliasIds})`;
    const [first, second] = aliasIds as [string, string];
    await ticks(2);
    const before = await Promise.all([today(first), today(second)]);
    expect(before.map(({ cap }) => cap)).toEqual([5, 5]);
    const sent = await accepted(campaignId);
    const asked = 7 - before[0]!.sent;
    await singles(first, asked);
    expect(await today(first)).toMatchObject({ sent: 7 });
    expect((await today(second)).cap).toBe(3);
    await ticks(10);
    expect((await accepted(campaignId)) + asked).toBe(10);
    expect(sent).toBeLessThan(10);
    // A sender whose day begins later finds it in what was dealt.
    const rows =
      await query`select sum(dealt)::int as dealt from domain_shares where domain_id = ${domainId}`;
    expect(rows[0].dealt).toBe(10);
  });

  test("and a place that was given back lets a sender at its cap go on", async () => {
    const { aliasIds, campaignId } = await campaign(5, { cap: 2 });
    const id = aliasIds[0]!;
    await ticks(1);
    expect(await accepted(campaignId)).toBe(1);
    const { deps } = sending.api;
    const answer = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const openMail = () => {
      const transport = deps.openMail();
      return {
        ...transport,
        async send(...args: Parameters<typeof transport.send>) {
          began.resolve();
          await answer.promise;
          return transport.send(...args);
        },
      };
    };
    const email = await post(id);
    const delivery = deliverEmail({ ...deps, openMail }, email);
    await began.promise;
    await ticks(3);
    expect(await accepted(campaignId)).toBe(1);
    sending.mailbox.faults.order("rcpt_refused", 1);
    answer.resolve();
    expect(await delivery).toBe("failed");
    await ticks(2);
    expect(await accepted(campaignId)).toBe(2);
  });

  test("whatever runs beside whatever: the day is the ledgers', and no campaign begins above its cap", async () => {
    const cap = 12;
    const { aliasIds, campaignId } = await campaign(40, { cap });
    const id = aliasIds[0]!;
    for (let round = 0; round < 8; round++) {
      const emails = await Promise.all([1, 2, 3].map(() => post(id)));
      if (round % 2 === 1) sending.mailbox.faults.order("rcpt_deferred", 1);
      await Promise.all([sending.tick(), ...emails.map(deliver), ...emails.map(deliver)]);
      sending.api.advance(150);
    }
    const rows =
      await query`select (select count(*)::int from emails where alias_id = ${id} and counted_at is not null) as singles,
              (select count(*)::int from emails where alias_id = ${id} and state in ('sent', 'unknown')) as left,
              (select count(*)::int from sends where lane_id = ${id} and state = 'accepted') as sends`;
    const { singles: counted, left, sends } = rows[0];
    expect(counted).toBe(left);
    expect((await laneOf(id)).used).toBe(counted + sends);
    expect(sends).toBeLessThanOrEqual(cap);
    await ticks(5);
    expect(await accepted(campaignId)).toBe(sends);
  });

  test("two single emails that meet at a sender without a day begin it once, and both count", async () => {
    const id = await sender();
    const emails = [await post(id), await post(id)];
    const lock = "select 1 from sender_lanes where id = $1 for update";
    const { sql } = sending.api;
    const ends = await meetAtRow(
      sql,
      lock,
      [id],
      emails.map((email) => () => deliver(email)),
    );
    expect(ends).toEqual(["sent", "sent"]);
    expect((await today(id)).sent).toBe(2);
  });
});

describe("the day is counted anew", () => {
  test("with another time zone: no single email is lost or doubled, and yesterday's are not today's", async () => {
    const { aliasIds } = await campaign(2, { cap: 50 });
    const id = aliasIds[0]!;
    await singles(id, 1);
    sending.api.advance(24 * HOUR);
    await singles(id, 3);
    await ticks(1);
    expect((await today(id)).sent).toBe(4);
    for (const timezone of ["Europe/Berlin", "America/New_York", "UTC"]) {
      await tenant.call("PATCH", "/api/v1/workspace", { timezone });
      expect([timezone, (await today(id)).sent]).toEqual([timezone, 4]);
    }
    // Kathmandu's date began at 18:15 UTC of the day before: the same four.
    await tenant.call("PATCH", "/api/v1/workspace", { timezone: "Asia/Kathmandu" });
    expect((await today(id)).sent).toBe(4);
  });

  test("what failed before it left is in no count, in whichever zone", async () => {
    const { aliasIds } = await campaign(0, { cap: 50 });
    const id = aliasIds[0]!;
    await singles(id, 1);
    sending.mailbox.faults.order("rcpt_refused", 1);
    expect(await single(id)).toBe("failed");
    await tenant.call("PATCH", "/api/v1/workspace", { timezone: "Europe/Berlin" });
    expect((await today(id)).sent).toBe(1);
  });
});
