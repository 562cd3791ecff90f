/** Senders that stop for a reason of their own: a policy block, a domain that is out of order. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type ClaimedSend,
  createPostgresStore,
  type SendOutcome,
  type SendStore,
} from "#db/engine/index.ts";
import { recheckDomains } from "#src/domain/senders/domain-verify.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import type { CampaignRows } from "../../support/engine.ts";
import { bounceMail, postMail } from "../../support/incoming.ts";
import { type Publishable, zoneFor } from "../../support/publish.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { plannedAt } from "../../support/planned.ts";

const DAY = 86_400;
const STEPS = [{ delayDays: 0 }, { delayDays: 1 }];

useSending();

test("a domain that heals wakes its parked senders", async () => {
  const { api, campaign, tick, mailbox } = sending;
  const domain = (await tenant.call("POST", "/api/v1/mailer/domains", { domain: "sender.zz" }))
    .body;
  const verifyWithout = async (purposes: string[]) => {
    api.dns.zones.put("sender.zz", zoneFor(domain as Publishable, purposes));
    return (await tenant.call("POST", `/api/v1/mailer/domains/${domain.id}/verify`)).body.status;
  };
  expect(await verifyWithout([])).toBe("verified");
  const { aliasIds } = await campaign(tenant, { leads: 2, aliases: 2, steps: STEPS });
  const [own] = aliasIds;
  await tenant.call("PATCH", `/api/v1/mailer/aliases/${own}`, { domain_id: domain.id });
  await tick();
  expect(await verifyWithout(["dkim"])).toBe("failing");
  api.advance(3 * DAY + 60);
  await recheckDomains(api.deps);
  // The other sender's second step goes; its own waits.
  await tick();
  expect(await mailbox.messages()).toHaveLength(3);
  expect(await verifyWithout([])).toBe("verified");
  await tick();
  expect(await mailbox.messages()).toHaveLength(4);
});

describe("a sender at rest after a policy block", () => {
  let rows: CampaignRows;
  let store: SendStore;
  const now = () => sending.api.deps.clock.now();
  const token = randomUUID();

  const claim = async () => {
    await maintain(store, now(), now(), new Set());
    return store.claim({
      now: now(),
      until: now(),
      limit: 50,
      workerToken: token,
      leaseSeconds: 180,
    });
  };
  const begin = async ({ id }: ClaimedSend) => {
    const content = {
      subject: "Hello",
      html: "",
      variantLabel: "A",
      templateId: null,
      templateVersion: null,
    };
    const leaseUntil = new Date(now().getTime() + 660_000);
    const wish = {
      id,
      messageId: `${id}@sender.zz`,
      ...content,
      senderProfileId: null,
      leaseUntil,
    };
    return (await store.recordAndBegin(now(), token, [], [wish]))[0];
  };
  const recordAndBegin = (outcome: SendOutcome) =>
    store.recordAndBegin(now(), token, [outcome], []);
  /** A report about the first message comes in. */
  const block = async () => {
    const [first] = (await sending.sendsOf(rows.campaignId)) as { message_id: string }[];
    const { body } = await tenant.call("GET", `/api/v1/mailer/aliases/${rows.aliasIds[0]}`);
    const report = {
      to: body.email as string,
      recipient: "lead1@example.zz",
      status: "5.7.1",
      diagnostic: "550 5.7.1 Message rejected due to spam content; see policy",
      originalMessageId: first!.message_id,
    };
    await postMail(sending.api, bounceMail(report), body.email, {});
  };
  const restLeft = async () => {
    const found = await sending.api.sql.query(
      "select closed_until from sender_lanes where id = $1",
      [rows.aliasIds[0]],
    );
    return (found.rows[0].closed_until.getTime() - now().getTime()) / 3_600_000;
  };

  beforeEach(async () => {
    store = createPostgresStore(sending.api.deps.db);
    rows = await sending.campaign(tenant, { leads: 4 });
    await sending.tick();
    sending.api.advance(100);
  });

  test("sends nothing for six hours, and goes on by itself", async () => {
    await block();
    for (let look = 0; look < 3; look++) {
      await sending.tick();
      sending.api.advance(3600);
    }
    expect(await sending.mailbox.messages()).toHaveLength(1);
    sending.api.advance(3 * 3600);
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(2);
  });

  test("stays at rest though a message is accepted meanwhile", async () => {
    const [send] = await claim();
    expect(await begin(send!)).toMatchObject({ begun: true });
    await block();
    await recordAndBegin({
      id: send!.id,
      kind: "accepted",
      reason: "250",
      acceptedAt: now(),
      nextStep: null,
      nextActionAt: null,
      planned: plannedAt(now()),
    });
    expect(await restLeft()).toBeGreaterThan(5.9);
    sending.api.advance(200);
    expect(await claim()).toEqual([]);
  });

  test("begins nothing that was claimed before: it goes back", async () => {
    const [send] = await claim();
    await block();
    expect(await begin(send!)).toEqual({ id: send!.id, begun: false, reason: "sender_resting" });
    expect(await sending.leadOf(send!.campaignLeadId)).toMatchObject({
      status: "pending",
      alias_id: null,
      hold_reason: null,
    });
    expect((await sending.leadOf(send!.campaignLeadId)).next_action_at).not.toBeNull();
    sending.api.advance(200);
    expect(await claim()).toEqual([]);
    sending.api.advance(6 * 3600);
    expect(await claim()).toHaveLength(1);
  });
});
