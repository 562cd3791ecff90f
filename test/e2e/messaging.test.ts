import { beforeAll, expect, test } from "vitest";
import { eventually, launchCampaign, type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

/** Hands the stand-in a message as the Worker would. */
async function send(env: Record<string, string>): Promise<void> {
  const { WHATSAPP_API_BASE: base, WHATSAPP_PHONE_NUMBER_ID: id } = env;
  const response = await fetch(`${base}/v24.0/${id}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${env["WHATSAPP_ACCESS_TOKEN"]}` },
    body: JSON.stringify({
      messaging_product: "whatsapp",
      to: "+4915112345678",
      type: "template",
      template: {
        name: "overture_campaign_event",
        language: { code: "en" },
        components: [
          {
            type: "body",
            parameters: ["A", "B", "C"].map((text) => ({ type: "text", text })),
          },
        ],
      },
    }),
  });
  expect(response.status).toBe(200);
}

test("the Worker proves its webhook at the start, takes each status, and the clock waits for that", async () => {
  const { messaging } = service.stack;
  const said = () => messaging.log.entries().map(({ summary }) => summary);
  expect(said()).toContain(
    `webhook registered: ${service.baseUrl}/api/v1/notifications/whatsapp/webhook`,
  );
  await send(service.stack.workerEnv(service.baseUrl));
  await service.advance(60);
  expect(said().filter((line) => line.startsWith("status call"))).toEqual([
    "status call: 200",
    "status call: 200",
  ]);
});

test("what the Worker did not hear while it was down it hears when it is back", async () => {
  const { messaging } = service.stack;
  messaging.log.clear();
  await service.worker().kill("SIGKILL");
  await send(service.stack.workerEnv(service.baseUrl));
  const calls = () =>
    messaging.log
      .entries()
      .map(({ summary }) => summary)
      .filter((line) => line.startsWith("status call"));
  await eventually("a call fails", () => calls().length > 0);
  await service.untilUp();
  await service.advance(120);
  expect(calls().filter((line) => line === "status call: 200")).toHaveLength(2);
});

test("a reply in the mailbox is on the telephone within five seconds", async () => {
  await service.api("PUT", "/api/v1/notifications/preferences", {
    whatsapp_enabled: true,
    whatsapp_number: "+4915112345679",
  });
  await launchCampaign(service, {
    aliases: 1,
    emails: ["ada@inbox.zz"],
    steps: [
      { step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "<p>Hello</p>" }] },
      { step: 2, delay_days: 5, variants: [{ type: "INLINE", body: "<p>Again</p>" }] },
    ],
  });
  await service.advance(600);
  const [message] = (await service.mailbox("GET", "/api/messages?to=ada@inbox.zz")) as [
    { id: string },
  ];
  await service.mailbox("POST", `/api/messages/${message.id}/reply`, { text: "Yes, gladly." });
  await service.advance(5);
  const [notice, ...others] = service.stack.messaging.messages({ to: "+4915112345679" });
  expect(others).toEqual([]);
  expect(notice).toMatchObject({ template: "overture_lead_event" });
  expect(notice!.text).toContain("Details: Yes, gladly.");
});
