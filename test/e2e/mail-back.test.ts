import { beforeAll, expect, test } from "vitest";
import { launchCampaign, type TestService } from "../support/service.ts";
import { linkToWorkerd } from "../../scripts/stack/worker-link.ts";
import { type Publishable, zoneFor } from "../support/publish.ts";
import { aggregateXml, gzipped, reportMail } from "../support/reports.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
let campaign: string;

interface Message {
  id: string;
  to: string[];
}

const NAMES = ["reply", "away", "gone", "angry"];

beforeAll(async () => {
  service = await sharedService();
  campaign = await launchCampaign(service, {
    aliases: 4,
    emails: NAMES.map((name) => `${name}@inbox.zz`),
    steps: [
      { step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Step 1" }] },
      { step: 2, delay_days: 1, variants: [{ type: "INLINE", body: "Step 2" }] },
    ],
  });
  await service.advance(120);
});

const messageTo = async (name: string) =>
  ((await service.mailbox("GET", `/api/messages?to=${name}@inbox.zz`)) as Message[])[0]!;
const press = async (name: string, button: string, fields: object = {}) =>
  service.mailbox("POST", `/api/messages/${(await messageTo(name)).id}/${button}`, fields);
const leadOf = async (name: string) => {
  const { items } = (await service.api("GET", `/api/v1/campaigns/${campaign}/leads`)) as {
    items: { email: string; status: string; next_action_at: string | null }[];
  };
  return items.find(({ email }) => email === `${name}@inbox.zz`)!;
};

test("each button of the mailbox sends the real mail back, and the lead follows", async () => {
  await press("reply", "reply", { text: "Call me on Monday." });
  expect((await leadOf("reply")).status).toBe("replied");
  const { items } = (await service.api("GET", "/api/v1/conversations?unread=true")) as {
    items: { id: string }[];
  };
  const { messages } = (await service.api("GET", `/api/v1/conversations/${items[0]!.id}`)) as {
    messages: { class: string; text: string }[];
  };
  expect(messages.map((message) => [message.class, message.text.trim()])).toEqual([
    ["sent", expect.stringContaining("Step 1")],
    ["reply", "Call me on Monday."],
  ]);

  const until = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await press("away", "out-of-office", { until });
  const away = await leadOf("away");
  expect(away.status).toBe("active");
  expect(away.next_action_at! > until).toBe(true);

  await press("gone", "bounce", { status: "5.1.1", text: "User unknown" });
  expect((await leadOf("gone")).status).toBe("bounced");
  await press("angry", "complain");
  expect((await leadOf("angry")).status).toBe("complained");

  const list = (await service.api("GET", "/api/v1/suppressions")) as {
    items: { value: string; reason: string }[];
  };
  expect(list.items.map(({ value, reason }) => [value, reason]).toSorted()).toEqual([
    ["angry@inbox.zz", "complaint"],
    ["gone@inbox.zz", "hard_bounce"],
  ]);
});

test("replies to an alias come back where its domain's MX leads here, and do not from a mailbox that nobody reads", async () => {
  const testOf = async (email: string, username: string) => {
    const { host, port, security, password } = service.stack.mailbox.smtp;
    const { id } = (await service.api("POST", "/api/v1/mailer/aliases", {
      email,
      display_name: "Ann",
      transport: { kind: "smtp", host, port, security, username, password },
    })) as { id: string };
    const report = await service.api("POST", `/api/v1/mailer/aliases/${id}/test`);
    expect(report).toMatchObject({ ok: true, token_mailed_to: email });
    return async () => {
      const alias = await service.api("GET", `/api/v1/mailer/aliases/${id}`);
      return (alias as { replies_return: string }).replies_return;
    };
  };
  const { boxes, smtp } = service.stack.mailbox;
  // Who logs in as itself has a mailbox, and the mail lies there.
  const kept = await testOf("ann@provider.zz", "ann@provider.zz");
  expect(boxes.folder("ann@provider.zz", "INBOX")?.messages).toHaveLength(1);
  service.stack.dns.zones.put("routed.zz", "routed.zz. MX 10 mx.overture.zz.\n");
  const routed = await testOf("ann@routed.zz", smtp.username);
  await expect.poll(routed).toBe("yes");
  await service.advance(15 * 60 + 1);
  expect(await kept()).toBe("no");
});

test("a receiver's report on a domain comes by mail and shows there; what is none is refused", async () => {
  const made = (await service.api("POST", "/api/v1/mailer/domains", {
    domain: "reported.zz",
  })) as Publishable & { id: string };
  service.stack.dns.zones.put("reported.zz", zoneFor(made));
  await service.api("POST", `/api/v1/mailer/domains/${made.id}/verify`);
  const begin = new Date(Date.now() - 86_400_000);
  const xml = aggregateXml({ domain: "reported.zz", begin, records: [{ count: 7 }] });
  const { email } = linkToWorkerd(service.worker().eventsUrl!);
  const mail = (raw: Buffer) =>
    email({ from: "dmarc@receiver.zz", to: "dmarc@reports.overture.zz", raw: new Uint8Array(raw) });
  await mail(reportMail(gzipped(xml), { type: "application/gzip" }));
  const read = await service.api("GET", `/api/v1/mailer/domains/${made.id}/dmarc`);
  expect(read).toMatchObject({ days: [{ messages: 7 }], reporters: [{ reporter: "receiver.zz" }] });
  expect(await mail(Buffer.from("Subject: Hi\r\n\r\nHello."))).toEqual({
    rejected: "This address takes DMARC aggregate and TLS reports only",
  });
});
