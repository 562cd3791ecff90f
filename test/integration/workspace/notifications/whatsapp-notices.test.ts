import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deliverOutbox } from "#src/domain/workspace/notifications/deliver-outbox.ts";
import { recordMessagingStatus } from "#src/domain/workspace/notifications/messaging-status.ts";
import type { MessagingPart } from "../../../../scripts/stack/messaging/messaging.ts";
import { postMail, rawMail } from "../../../support/incoming.ts";
import { openPart, SECRETS } from "../../messaging/setting.ts";
import { type Received, type Receiver, startReceiver } from "../../stack/receiver.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

const WEBHOOK = "/api/v1/notifications/whatsapp/webhook";
const NUMBER = "+4915112345678";

let part: MessagingPart;
let meta: Receiver;

useSending(async () => {
  part = await openPart();
  return {
    WHATSAPP_API_BASE: part.url,
    WHATSAPP_PHONE_NUMBER_ID: part.phoneNumberId,
    WHATSAPP_ACCESS_TOKEN: SECRETS.accessToken,
    WHATSAPP_APP_SECRET: SECRETS.appSecret,
    WHATSAPP_VERIFY_TOKEN: SECRETS.verifyToken,
  };
});
const query = queryOf(() => sending.api.sql);
beforeAll(async () => {
  meta = await startReceiver();
  meta.always = ({ path }) => ({
    body: new URL(path, meta.url).searchParams.get("hub.challenge") ?? "",
  });
  await part.subscribe(meta.url);
});
afterAll(() => Promise.all([part.close(), meta.close()]));
beforeEach(async () => {
  part.clear();
  part.faults.clear();
  await query`update outbox set delivered_at = created_at`;
  await query`delete from notice_deliveries`;
  meta.received.length = 0;
  await tenant.call("PUT", "/api/v1/notifications/preferences", {
    email_enabled: false,
    whatsapp_enabled: true,
    whatsapp_number: NUMBER,
  });
});

/** A lead answers a campaign's first message; the notice is delivered as far as it gets. */
async function reply(body: string): Promise<void> {
  const { campaignId } = await sending.campaign(tenant, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  await sending.tick();
  const [send] = await sending.sendsOf(campaignId);
  const headers = [`In-Reply-To: <${send.message_id}>`];
  const mail = rawMail({ from: "lead1@example.zz", to: "sender@relay.zz", headers, body });
  await postMail(sending.api, mail, "sender@relay.zz", { from: "lead1@example.zz" });
  await deliverOutbox(sending.api.deps);
}

/** Passes on what the stand-in told, in the order given. */
async function hear(count: number, order = (told: Received[]) => told): Promise<void> {
  await expect.poll(() => meta.received.length, { timeout: 5_000 }).toBe(count);
  for (const { headers, bytes } of order([...meta.received])) {
    const response = await sending.api.request(WEBHOOK, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-hub-signature-256": String(headers["x-hub-signature-256"]),
      },
      body: new Uint8Array(bytes),
    });
    expect(response.status).toBe(200);
  }
}

const deliveries = async () => await query`select id, channel, state, error from notice_deliveries`;
async function outbox(): Promise<string> {
  const response = await sending.api.request("/api/v1/status");
  const { components } = (await response.json()) as {
    components: { outbox: { detail: string } };
  };
  return components.outbox.detail;
}

test("a reply is on the telephone: who, in which campaign, what was said and what to do", async () => {
  await reply("Call me on Monday.\r\n\r\nAda");
  expect(part.messages()).toMatchObject([
    {
      to: NUMBER,
      template: "overture_lead_event",
      text: expect.stringMatching(
        /^News of a lead: .+ replied\nCampaign: Test\n\nDetails: Call me on Monday\. Ada\n\nWhat to do: .*conversations\//,
      ),
    },
  ]);
  expect(await deliveries()).toMatchObject([
    { id: part.messages()[0]!.reference, channel: "whatsapp", state: "sent" },
  ]);
});

test("a message whose answer was lost is in doubt, is never sent again, and is settled by its status", async () => {
  part.faults.order("lost_answer", 1);
  await reply("Hello.");
  expect(await deliveries()).toMatchObject([{ state: "unknown" }]);
  sending.api.advance(86_400);
  await deliverOutbox(sending.api.deps);
  expect(part.messages()).toHaveLength(1);
  await hear(2);
  expect(await deliveries()).toMatchObject([{ state: "sent", error: null }]);
});

test("a message that failed after it was taken is given up, and the status page counts it", async () => {
  part.faults.order("undeliverable", 1);
  await reply("Hello.");
  expect(await deliveries()).toMatchObject([{ state: "sent" }]);
  await hear(1);
  expect(await deliveries()).toMatchObject([
    { state: "dead", error: expect.stringContaining("131026 Message undeliverable") },
  ]);
  expect(await outbox()).toContain("1 given up");
});

test("a failure that comes twice, and what comes late after it, changes nothing more", async () => {
  part.faults.order("undeliverable", 1);
  part.faults.order("status_twice", 1);
  await reply("Hello.");
  await hear(2);
  const [{ id }] = await deliveries();
  const late = ["read", "delivered", "sent"].map((status) => ({
    id: part.messages()[0]!.id,
    reference: id,
    status: status as "sent",
    at: sending.api.deps.clock.now(),
    failure: null,
  }));
  await recordMessagingStatus(sending.api.deps, late);
  expect(await deliveries()).toMatchObject([{ id, state: "dead" }]);
});

test("what was said twice and in the wrong order of a message that arrived leaves it sent", async () => {
  await reply("Hello.");
  await hear(2, (told) => [...told, ...told.toReversed()]);
  expect(await deliveries()).toMatchObject([{ state: "sent", error: null }]);
});

test("a status names its delivery and no other: not an email, not what waits, not what nobody knows", async () => {
  await reply("Hello.");
  const rows = [
    ["email", "sent"],
    ["whatsapp", "waiting"],
    ["whatsapp", "undeliverable"],
  ].map(([channel, state]) => ({ id: randomUUID(), channel, state }));
  const now = sending.api.deps.clock.now();
  for (const { id, channel, state } of rows)
    await sending.api.sql.query(
      `insert into notice_deliveries (id, workspace_id, notice_id, channel, state, due_at, attempts, created_at, updated_at)
       values ($1, $2, gen_random_uuid(), $3, $4, $5, 0, $5, $5)`,
      [id, tenant.workspaceId, channel, state, new Date(now.getTime() + 86_400_000)],
    );
  const before = await deliveries();
  const references = [...rows.map(({ id }) => id), randomUUID(), "delivery-1", null];
  for (const failure of [null, { code: "131026", detail: "Message undeliverable" }])
    await recordMessagingStatus(
      sending.api.deps,
      references.map((reference) => ({
        id: "wamid.x",
        reference,
        status: failure === null ? ("delivered" as const) : ("failed" as const),
        at: now,
        failure,
      })),
    );
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  expect((await deliveries()).toSorted(byId)).toEqual(before.toSorted(byId));
});
