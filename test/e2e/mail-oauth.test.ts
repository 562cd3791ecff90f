/** A mailbox connected in a browser, and a campaign sent through it while tokens end, change and are taken back. */
import { beforeAll, expect, test } from "vitest";
import { findChromium, openChromium } from "../integration/stack/chromium.ts";
import { launchCampaign, type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

const DAY = 86_400;
const ALIASES = "/api/v1/mailer/aliases";

interface Alias {
  id: string;
  email: string;
  status: string;
  last_error: string | null;
  oauth: { connected: boolean };
  inbox: { status: string; last_error: string | null } | null;
  replies_return: string;
}

async function newAlias(email: string, provider: string, more: object = {}): Promise<Alias> {
  const { host, port, security } = service.stack.mailbox.smtp;
  const transport = { kind: "smtp", host, port, security };
  const body = { email, display_name: "Ada", transport, oauth: { provider }, ...more };
  return (await service.api("POST", ALIASES, body)) as Alias;
}
const aliasNow = async ({ id }: Alias) => (await service.api("GET", `${ALIASES}/${id}`)) as Alias;
const begin = async ({ id }: Alias, provider: string, more: object = {}) =>
  (
    (await service.api("POST", `${ALIASES}/${id}/oauth`, { provider, ...more })) as {
      authorize_url: string;
    }
  ).authorize_url;

const executable = findChromium();
if (executable === null) console.log("browser: not run (no chromium)");

/** As a person does, in a browser where there is one. */
async function consentOnPage(url: string, wayBack: string): Promise<void> {
  if (executable === null) return consent(url);
  const browser = await openChromium(executable);
  try {
    const page = await browser.context.newPage();
    await page.goto(url);
    await page.getByText("https://mail.google.com/").waitFor();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL((at) => at.href.startsWith(wayBack));
    expect(new URL(page.url()).searchParams.get("status")).toBe("connected");
  } finally {
    await browser.close();
  }
}

/** The same by HTTP alone. */
async function consent(url: string): Promise<void> {
  const email = new URL(url).searchParams.get("login_hint")!;
  const page = await fetch(url, {
    method: "POST",
    body: new URLSearchParams({ email, answer: "allow" }),
  });
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringMatching(/The mailbox is connected|"status":"ok"/),
  ]);
}

/** Who sent how many messages so far. */
async function sentBy(...aliases: Alias[]): Promise<number[]> {
  const messages = (await service.mailbox("GET", "/api/messages")) as { from: string }[];
  return aliases.map(({ email }) => messages.filter(({ from }) => from.includes(email)).length);
}

async function press(lead: string, button: string, fields: object): Promise<void> {
  const [message] = (await service.mailbox("GET", `/api/messages?to=${lead}`)) as { id: string }[];
  await service.mailbox("POST", `/api/messages/${message!.id}/${button}`, fields);
}

const step = (number: number) => ({
  step: number,
  ...(number === 1 ? {} : { delay_days: 1 }),
  variants: [
    { type: "INLINE", ...(number === 1 ? { subject: "Hello" } : {}), body: `<p>${number}</p>` },
  ],
});

test("from the consent to the last step: ended tokens are renewed, rotated ones kept, a consent taken back stops one sender alone", async () => {
  const { oauth } = service.stack;
  const google = await newAlias("ada@consent.zz", "google");
  const microsoft = await newAlias("bob@consent.zz", "microsoft");
  expect([google.status, microsoft.status]).toEqual(["pending", "pending"]);
  const wayBack = `${service.baseUrl}/health`;
  await consentOnPage(await begin(google, "google", { return_url: wayBack }), wayBack);
  await consent(await begin(microsoft, "microsoft"));
  expect((await aliasNow(google)).status).toBe("active");
  expect((await aliasNow(microsoft)).status).toBe("active");

  await launchCampaign(service, {
    aliases: [google.id, microsoft.id],
    emails: ["a@lead.zz", "b@lead.zz", "c@lead.zz", "d@lead.zz"],
    steps: [step(1), step(2), step(3), step(4)],
  });
  await service.advance(600);
  const [byGoogle = 0, byMicrosoft = 0] = await sentBy(google, microsoft);
  expect(byGoogle + byMicrosoft).toBe(4);
  expect(Math.min(byGoogle, byMicrosoft)).toBeGreaterThan(0);

  // A day later every access token has ended; one provider ends the refresh token with it.
  oauth.faults.order("rotate", 1);
  await service.advance(DAY);
  expect(await sentBy(google, microsoft)).toEqual([byGoogle * 2, byMicrosoft * 2]);

  oauth.grants.revoke(google.email);
  await service.advance(DAY);
  expect(await sentBy(google, microsoft)).toEqual([byGoogle * 2, byMicrosoft * 3]);
  expect(await aliasNow(google)).toMatchObject({
    status: "error",
    last_error: expect.stringContaining("The consent for this mailbox has ended"),
  });

  await consent(await begin(google, "google"));
  await service.advance(3 * DAY);
  expect(await aliasNow(google)).toMatchObject({ status: "active", last_error: null });
  expect(await sentBy(google, microsoft)).toEqual([byGoogle * 4, byMicrosoft * 4]);
});

test("one consent sends a campaign and reads what comes back: leads, suppression and one notice of each", async () => {
  const me = "me@home.zz";
  const preferences = { personal_email: me, notify_on_bounce: true };
  await service.api("PUT", "/api/v1/notifications/preferences", preferences);
  const { host, port } = service.stack.mailbox.imap;
  const alias = await newAlias("eve@consent.zz", "google", { inbox: { kind: "imap", host, port } });
  await consent(await begin(alias, "google"));
  const report = await service.api("POST", `${ALIASES}/${alias.id}/test`);
  expect(report).toMatchObject({ ok: true, inbox: { ok: true }, token_mailed_to: alias.email });

  const emails = ["reply", "late", "away", "gone"].map((name) => `${name}@answers.zz`);
  const [reply, late, away, gone] = emails as [string, string, string, string];
  const id = await launchCampaign(service, {
    aliases: [alias.id],
    emails,
    steps: [step(1), step(2)],
  });
  await service.advance(600);
  expect(await sentBy(alias)).toEqual([emails.length + 1]);

  const until = new Date(Date.now() + 20 * DAY * 1000).toISOString().slice(0, 10);
  await press(reply, "reply", { text: "Call me on Monday." });
  await press(away, "out-of-office", { until });
  await press(gone, "bounce", { status: "5.1.1", text: "User unknown" });
  await service.advance(310);
  expect(await aliasNow(alias)).toMatchObject({
    inbox: { status: "ok", last_error: null },
    replies_return: "yes",
  });
  // The access token has ended by now.
  await service.advance(2 * 3_600);
  await press(late, "reply", { text: "Call me on Tuesday." });
  await service.advance(3_600);

  const leads = (await service.api("GET", `/api/v1/campaigns/${id}/leads`)) as {
    items: { email: string; status: string; next_action_at: string | null }[];
  };
  const leadOf = (email: string) => leads.items.find((lead) => lead.email === email)!;
  expect(emails.map((email) => leadOf(email).status)).toEqual([
    "replied",
    "replied",
    "active",
    "bounced",
  ]);
  expect(leadOf(away).next_action_at! > until).toBe(true);
  const { items } = (await service.api("GET", "/api/v1/suppressions")) as {
    items: { value: string; reason: string }[];
  };
  expect(items.map(({ value, reason }) => [value, reason])).toEqual([[gone, "hard_bounce"]]);
  const notices = await service.stack.mailbox.messages({ to: me });
  const toldOf = (words: string) => notices.filter(({ text }) => text.includes(words)).length;
  expect(["Call me on Monday.", "Call me on Tuesday.", gone, away].map(toldOf)).toEqual([
    1, 1, 1, 0,
  ]);
});
