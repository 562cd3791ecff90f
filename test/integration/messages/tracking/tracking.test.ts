import { describe, expect, onTestFinished, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { createTrackTokens, type TrackToken } from "#src/domain/messages/tracking/track-token.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const AGENT = { "user-agent": "Mozilla/5.0 (X11; Linux x64) Firefox/140.0" };
const DAY = 86_400;
const STEPS = [{ delayDays: 0 }, { delayDays: 1 }];
const PATHS = { open: "/o/", click: "/c/", unsubscribe: "/u/" };

/** Does with a sent message what its reader's mail program does. */
async function hit(token: TrackToken, method = "GET") {
  const { trackingSecrets } = sending.api.deps.settings;
  const text = await createTrackTokens(trackingSecrets).sign(token);
  const reply = await sending.api.request(PATHS[token.kind] + text, {
    method,
    headers: AGENT,
    redirect: "manual",
  });
  await sending.api.settled();
  return reply;
}
const statusOf = async (...args: Parameters<typeof hit>) => (await hit(...args)).status;

/** A message that went out, or of which nobody knows whether it did. */
async function sentOne(fate: "accepted" | "unknown" = "accepted") {
  if (fate === "unknown") sending.mailbox.faults.order("close_after_dot", 1);
  const rows = await sending.campaign(tenant, { leads: 1, steps: STEPS });
  await sending.tick();
  const [send] = await sending.sendsOf(rows.campaignId);
  expect(send.state).toBe(fate);
  return { ...rows, sendId: send.id as string, leadId: rows.campaignLeadIds[0]! };
}
const stateOf = async (campaignId: string) => (await sending.sendsOf(campaignId))[0].state;

test.each([
  [
    "https://firma.pl/usługi?name=Jan%20Kowalski",
    "https://firma.pl/us%C5%82ugi?name=Jan%20Kowalski",
  ],
  [
    "https://müller.example/caf\u00e9?a=%26#Größe",
    "https://xn--mller-kva.example/caf%C3%A9?a=%26#Gr%C3%B6%C3%9Fe",
  ],
  ["https://ACME.example?a=[1]|%20'x'&b", "https://ACME.example?a=[1]|%20'x'&b"],
])("a link to %s leads to that page", async (url, location) => {
  const reply = await hit({ kind: "click", sendId: crypto.randomUUID(), linkIndex: 0, url });
  expect([reply.status, reply.headers.get("location")]).toEqual([302, location]);
});

test("what the sender of a single mail reads in its conversation would count as no open", async () => {
  const [aliasId] = (await sending.campaign(tenant, { leads: 0 })).aliasIds;
  const { body } = await tenant.call("POST", "/api/v1/mailer/emails", {
    ...{ alias_id: aliasId, to_email: "ada@example.zz", subject: "A question" },
    ...{ body: "<p><a href='https://example.com/a'>Here</a></p>", track_clicks: true },
  });
  expect(await deliverEmail(sending.api.deps, body.id)).toBe("sent");
  const { trackingBaseUrl } = sending.api.deps.settings;
  const received = (await sending.mailbox.messages()).at(-1)!.html;
  for (const path of ["o", "c"]) expect(received).toContain(`${trackingBaseUrl}/${path}/`);
  const path = `/api/v1/conversations/${body.conversation_id}`;
  const [{ html, text }] = (await tenant.call("GET", path)).body.messages;
  expect(html).toBe("<p><a href='https://example.com/a'>Here</a></p>");
  expect(text).not.toContain(trackingBaseUrl);
});

describe("a message whose fate was unknown did arrive", () => {
  test.each([
    ["opened", { kind: "open" }],
    ["clicked", { kind: "click", linkIndex: 0, url: "https://example.com/1" }],
  ] as const)("once it is %s, and the next step is due a day after it", async (_name, token) => {
    const { campaignId, sendId, leadId } = await sentOne("unknown");
    expect(await sending.leadOf(leadId)).toMatchObject({ current_step: 0, next_action_at: null });
    // Its sender has looked, found nothing, and sleeps.
    sending.api.advance(120);
    await sending.tick();
    await hit({ ...token, sendId });
    expect(await stateOf(campaignId)).toBe("accepted");
    expect(await sending.leadOf(leadId)).toMatchObject({ status: "active", current_step: 1 });
    sending.api.advance(DAY + 60);
    await sending.tick();
    expect(await sending.leadOf(leadId)).toMatchObject({ status: "completed", current_step: 2 });
  });

  test("once its reader unsubscribes, and nothing follows", async () => {
    const { campaignId, sendId, leadId } = await sentOne("unknown");
    expect(await statusOf({ kind: "unsubscribe", sendId }, "POST")).toBe(200);
    expect(await stateOf(campaignId)).toBe("accepted");
    expect((await sending.leadOf(leadId)).status).toBe("unsubscribed");
    sending.api.advance(2 * DAY);
    await sending.tick();
    expect(sending.mailbox.wireLog()).toHaveLength(1);
  });
});

describe("unsubscribing by the link", () => {
  test("ends a held lead's hold, completes the campaign whose last lead it was, and counts", async () => {
    const { campaignId, sendId, leadId } = await sentOne();
    const path = `/api/v1/campaigns/${campaignId}`;
    await tenant.call("POST", `${path}/leads/${leadId}/hold`, { reason: "wait" });
    expect(await statusOf({ kind: "unsubscribe", sendId }, "POST")).toBe(200);
    expect(await statusOf({ kind: "unsubscribe", sendId }, "POST")).toBe(200);
    expect(await sending.leadOf(leadId)).toMatchObject({
      status: "unsubscribed",
      hold_reason: null,
      next_step: null,
    });
    expect((await tenant.call("GET", path)).body.status).toBe("completed");
    const { rows } = await tenant.call("GET", `${path}/stats`).then(({ body }) => body);
    expect(rows).toMatchObject([{ sent: 1, unsubscribed: 1 }]);
    const events = await query`select kind from email_events where send_id = ${sendId}`;
    expect(events).toEqual([{ kind: "unsubscribe" }]);
  });

  const FORM = { "content-type": "application/x-www-form-urlencoded" };
  const PARTS = { "content-type": "multipart/form-data; boundary=b" };
  test.each([
    ["a form", FORM, "List-Unsubscribe=One-Click", ["one_click"]],
    [
      "a form of parts",
      PARTS,
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      ["one_click"],
    ],
    ["our own page", FORM, "", []],
    ["another field", FORM, "x=List-Unsubscribe=One-Click", []],
    ["too much", FORM, `List-Unsubscribe=One-Click&x=${"y".repeat(10_000)}`, []],
    ["bytes that are no text", FORM, Buffer.from([0xff, 0xfe, 0x00]), []],
  ])(
    "by %s ends the mail, and says whether a program did it",
    async (_by, headers, body, reasons) => {
      const { sendId, leadId } = await sentOne();
      const { trackingSecrets } = sending.api.deps.settings;
      const token = await createTrackTokens(trackingSecrets).sign({ kind: "unsubscribe", sendId });
      const reply = await sending.api.request(`/u/${token}`, { method: "POST", headers, body });
      expect(reply.status).toBe(200);
      expect((await sending.leadOf(leadId)).status).toBe("unsubscribed");
      expect(await query`select reasons from email_events where send_id = ${sendId}`).toEqual([
        { reasons },
      ]);
    },
  );

  test("suppresses for good, and does not weaken a complaint", async () => {
    const { sendId } = await sentOne();
    const reasons = async () =>
      (await tenant.call("GET", "/api/v1/suppressions")).body.items.map(
        ({ reason, expires_at }: { reason: string; expires_at: string | null }) => [
          reason,
          expires_at,
        ],
      );
    await tenant.call("POST", "/api/v1/suppressions", {
      value: "lead1@example.zz",
      expires_at: new Date(Date.now() + 30 * DAY * 1000).toISOString(),
    });
    await hit({ kind: "unsubscribe", sendId }, "POST");
    expect(await reasons()).toEqual([["unsubscribe", null]]);
    await query`update suppressions set reason = 'complaint' where workspace_id = ${tenant.workspaceId}`;
    await hit({ kind: "unsubscribe", sendId }, "POST");
    expect(await reasons()).toEqual([["complaint", null]]);
  });

  test("by a link of before the secret was changed, and not of one that was never ours", async () => {
    const { sendId, leadId } = await sentOne();
    const { settings } = sending.api.deps;
    const [current] = settings.trackingSecrets;
    const link = async (secret: string) =>
      `/u/${await createTrackTokens([secret]).sign({ kind: "unsubscribe", sendId })}`;
    const post = async (path: string) =>
      (await sending.api.request(path, { method: "POST", headers: AGENT })).status;
    settings.trackingSecrets = ["a secret that is new", current];
    onTestFinished(() => void (settings.trackingSecrets = [current]));
    expect(await post(await link("a secret of nobody"))).toBe(404);
    expect((await sending.leadOf(leadId)).status).not.toBe("unsubscribed");
    expect(await post(await link(current))).toBe(200);
    expect((await sending.leadOf(leadId)).status).toBe("unsubscribed");
  });

  test("of a message that never left is a dead link", async () => {
    const rows = await sending.campaign(tenant, { leads: 1 });
    const sendId = rows.campaignLeadIds[0]!;
    expect(await statusOf({ kind: "unsubscribe", sendId }, "POST")).toBe(404);
  });
});
