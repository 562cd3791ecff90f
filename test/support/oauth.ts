import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Mailbox, startMailbox } from "../../scripts/stack/mailbox/mailbox.ts";
import { oauthEnv } from "../../scripts/stack/oauth/env.ts";
import { type OauthPart, startOauth } from "../../scripts/stack/oauth/oauth.ts";
import { startApi, type Tenant, type TestApi } from "./api.ts";

/** The deployment's app, and one that a tenant brings. */
export const APP = { id: "deployment-app", secret: "deployment-secret-4d1f" };
export const OWN_APP = { id: "own-app", secret: "own-secret-77aa" };

export interface MailOauth {
  api: TestApi;
  oauth: OauthPart;
  mailbox: Mailbox;
  lines: string[];
}

/** What `useMailOauth` gives a file: providers to consent at, a mailbox that takes their tokens, and for each test a workspace. */
export let at: MailOauth;
export let tenant: Tenant;

export function useMailOauth(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    const oauth = await startOauth({ clients: [APP, OWN_APP] });
    const mailbox = await startMailbox({
      username: "relay",
      password: "secret",
      acceptsToken: oauth.acceptsToken,
    });
    const api = await startApi({ ...oauthEnv(oauth, APP), ...env });
    const lines: string[] = [];
    api.onLog((line) => lines.push(line));
    at = { api, oauth, mailbox, lines };
  });
  afterAll(async () => {
    await at.api.close();
    await at.mailbox.close();
    await at.oauth.close();
  });
  beforeEach(async () => {
    at.oauth.faults.clear();
    at.mailbox.faults.clear();
    at.mailbox.clear();
    tenant = await at.api.tenant();
  });
}

const ALIASES = "/api/v1/mailer/aliases";
let made = 0;

/** An alias that sends by the mailbox and has no password. */
export async function oauthAlias(more: Record<string, unknown> = {}) {
  const { host, port, security } = at.mailbox.smtp;
  return tenant.call("POST", ALIASES, {
    email: `ada${++made}@sender.zz`,
    display_name: "Ada",
    transport: { kind: "smtp", host, port, security },
    oauth: { provider: "google" },
    ...more,
  });
}

export const aliasNow = async (id: string) => (await tenant.call("GET", `${ALIASES}/${id}`)).body;
export const patchAlias = (id: string, change: unknown) =>
  tenant.call("PATCH", `${ALIASES}/${id}`, change);
export const testAlias = async (id: string) =>
  (await tenant.call("POST", `${ALIASES}/${id}/test`)).body;
export const beginConsent = (id: string, provider = "google", more: object = {}) =>
  tenant.call("POST", `${ALIASES}/${id}/oauth`, { provider, ...more });

/** What a person does on the provider's page; answers where it sends them, on our side. */
export async function consentAt(
  authorizeUrl: string,
  { email, answer = "allow" }: { email: string; answer?: "allow" | "deny" },
): Promise<string> {
  const reply = await fetch(authorizeUrl, {
    method: "POST",
    body: new URLSearchParams({ email, answer }),
    redirect: "manual",
  });
  const location = reply.headers.get("location");
  if (location === null) throw new Error(`no way back: ${reply.status} ${await reply.text()}`);
  const { pathname, search } = new URL(location);
  return pathname + search;
}

/** Comes back with a browser. */
export async function comeBack(
  path: string,
): Promise<{ status: number; text: string; to: string | null }> {
  const reply = await at.api.request(path, { redirect: "manual" });
  return { status: reply.status, text: await reply.text(), to: reply.headers.get("location") };
}

/** From the first call to the page at the end. */
export async function connect(id: string, email: string, provider = "google") {
  const begun = await beginConsent(id, provider);
  return comeBack(await consentAt(begun.body.authorize_url, { email }));
}

/** A connected alias, as the API answers it. */
export async function connectedAlias(provider = "google", more: Record<string, unknown> = {}) {
  const { body } = await oauthAlias({ oauth: { provider }, ...more });
  await connect(body.id, body.email, provider);
  return aliasNow(body.id);
}

/** How often the token endpoint was asked since the last look. */
export function tokenCalls(): number {
  const calls = at.oauth.log.entries().filter(({ summary }) => /^POST .*token$/.test(summary));
  at.oauth.log.clear();
  return calls.length;
}
