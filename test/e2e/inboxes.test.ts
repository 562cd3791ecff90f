import { beforeAll, expect, test } from "vitest";
import { launchCampaign, type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
let campaign: string;

/** A lead in the mailbox of somebody who has one, and one for whom the Worker is the mail host. */
const NAMES = ["reply", "away", "gone", "late", "silent"];
/** So long at most a person is written to again who has answered. */
const FIVE_MINUTES_AND_TEN_SECONDS = 310;

interface Alias {
  id: string;
  email: string;
  inbox: { status: string; last_read_at: string | null; last_error: string | null };
}

beforeAll(async () => {
  service = await sharedService();
  campaign = await launchCampaign(service, {
    aliases: 1,
    emails: NAMES.map((name) => `${name}@inbox.zz`),
    steps: [
      { step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Step 1" }] },
      { step: 2, delay_days: 1, variants: [{ type: "INLINE", body: "Step 2" }] },
    ],
  });
  const { host, port } = service.stack.mailbox.imap;
  const { password } = service.stack.mailbox.smtp;
  const { id } = await theAlias();
  const inbox = { kind: "imap", host, port, password };
  await service.api("PATCH", `/api/v1/mailer/aliases/${id}`, { inbox });
  // The first login opens the mailbox at the provider.
  await service.api("POST", `/api/v1/mailer/aliases/${id}/test`);
  await service.advance(600);
});

async function theAlias(): Promise<Alias> {
  const [alias] = (await service.api("GET", "/api/v1/mailer/aliases")) as Alias[];
  return alias!;
}
async function press(name: string, button: string, fields: object = {}) {
  const at = `/api/messages?to=${name}@inbox.zz`;
  const [message] = (await service.mailbox("GET", at)) as { id: string }[];
  await service.mailbox("POST", `/api/messages/${message!.id}/${button}`, fields);
}
const leadOf = async (name: string) => {
  const { items } = (await service.api("GET", `/api/v1/campaigns/${campaign}/leads`)) as {
    items: { email: string; status: string; next_action_at: string | null }[];
  };
  return items.find(({ email }) => email === `${name}@inbox.zz`)!;
};
const lying = async () => {
  const { email } = await theAlias();
  return (await service.mailbox("GET", `/api/mailboxes/${email}/messages`)) as {
    subject: string;
  }[];
};

test("what people send back lies in the sender's mailbox, and is read within five minutes and ten seconds", async () => {
  await press("reply", "reply", { text: "Call me on Monday." });
  const until = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await press("away", "out-of-office", { until });
  await press("gone", "bounce", { status: "5.1.1", text: "User unknown" });
  const before = await lying();
  expect(before.length).toBeGreaterThanOrEqual(2);
  await service.advance(FIVE_MINUTES_AND_TEN_SECONDS);

  expect((await leadOf("reply")).status).toBe("replied");
  expect((await leadOf("gone")).status).toBe("bounced");
  const away = await leadOf("away");
  expect(away.status).toBe("active");
  expect(away.next_action_at! > until).toBe(true);
  expect(await lying()).toEqual(before);
  expect((await theAlias()).inbox).toMatchObject({ status: "ok", last_error: null });
});

test("the mail by which replies are tested comes back by the inbox", async () => {
  expect(await theAlias()).toMatchObject({ replies_return: "yes" });
});

test("hours after the last send an answer still stops its lead within that time", async () => {
  await service.advance(3 * 3_600);
  await press("late", "reply", { text: "Yes, please." });
  expect((await leadOf("late")).status).toBe("active");
  await service.advance(FIVE_MINUTES_AND_TEN_SECONDS);
  expect((await leadOf("late")).status).toBe("replied");
  const { last_read_at: readAt } = (await theAlias()).inbox;
  expect(Date.now() - Date.parse(readAt!)).toBeLessThan(FIVE_MINUTES_AND_TEN_SECONDS * 1000);
});

test("on a clock that is moved by days inboxes are read on the way: only who was silent is written to again", async () => {
  await service.advance(86_400);
  const messages = (await service.mailbox("GET", "/api/messages")) as { to: string[] }[];
  const count = (name: string) =>
    messages.filter(({ to }) => to.includes(`${name}@inbox.zz`)).length;
  expect(NAMES.map(count)).toEqual([1, 1, 1, 1, 2]);
  // Each of the day's 288 rounds is a connection.
});
