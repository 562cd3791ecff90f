/** A running service, and an alias of it that Postfix and Dovecot let in by its owner's consent alone. */
import pg from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { createLocalCertificate } from "../../scripts/stack/certificate.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { submit } from "./owner.ts";
import { DOMAINS, type Servers, startServers } from "./setting.ts";

/** Their own programs log in by password; the service is given none. */
export const ANN = { user: `ann@${DOMAINS.senders}`, pass: "anns own" };
export const BOB = { user: `bob@${DOMAINS.senders}`, pass: "bobs own" };
export const ZOE = { user: `zoe@${DOMAINS.leads}`, pass: "zoes own" };
export const LEADS = {
  reply: `reply@${DOMAINS.leads}`,
  away: `away@${DOMAINS.leads}`,
  late: `late@${DOMAINS.leads}`,
  silent: `silent@${DOMAINS.leads}`,
  gone: `nobody@${DOMAINS.gone}`,
};
export const HERE = [LEADS.reply, LEADS.away, LEADS.late, LEADS.silent];
/** An app of a tenant that the stack knows: with its credentials a mail server asks whose a token is. */
const APP = "my-own-app:my-own-secret";
export const ALIASES = "/api/v1/mailer/aliases";

export interface Alias {
  id: string;
  email: string;
  status: string;
  replies_return: string;
  inbox: { status: string; last_error: string | null };
}

export let servers: Servers;
export let service: TestService;
export let sql: pg.Pool;
export let ann: Alias;
export const lines: string[] = [];

/** What `useConsent` gives a file: the servers, the service, and Ann's alias, connected. */
export function useConsent(): void {
  beforeAll(async () => {
    const certificate = createLocalCertificate();
    service = await startTestService({
      authorities: [certificate.ca],
      onWorkerOutput: (line) => lines.push(line),
    });
    sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
    const passwords = Object.fromEntries([ANN, BOB, ZOE].map(({ user, pass }) => [user, pass]));
    const introspectionUrl = service.stack.oauth.introspectionUrl.replace("//", `//${APP}@`);
    servers = await startServers(passwords, HERE, { certificate, introspectionUrl });
    ann = await connected(ANN.user, "google");
  }, 120_000);
  afterAll(async () => {
    await sql?.end();
    await service?.close();
    await servers?.close();
  });
}

/** An alias with neither a password for sending nor one for its inbox, to which its owner has consented. */
export async function connected(email: string, provider: string): Promise<Alias> {
  const { id } = (await service.api("POST", ALIASES, {
    email,
    display_name: "Ann",
    transport: { kind: "smtp", ...servers.postfix.smtp },
    oauth: { provider },
    inbox: { kind: "imap", ...servers.dovecot.imap },
  })) as Alias;
  const { authorize_url: page } = (await service.api("POST", `${ALIASES}/${id}/oauth`, {
    provider,
  })) as { authorize_url: string };
  const body = new URLSearchParams({ email, answer: "allow" });
  const back = await fetch(page, { method: "POST", body });
  expect([back.status, await back.text()]).toEqual([200, expect.stringContaining("connected")]);
  return aliasNow(id);
}
export const aliasNow = async (id: string) =>
  (await service.api("GET", `${ALIASES}/${id}`)) as Alias;
export const leadNow = async (campaign: string, email: string) => {
  const { items } = (await service.api("GET", `/api/v1/campaigns/${campaign}/leads`)) as {
    items: { email: string; status: string; next_action_at: string | null }[];
  };
  return items.find((lead) => lead.email === email)!;
};
export const owed = async () =>
  (await sql.query("select kind, count(*)::int from outbox group by kind order by kind")).rows;
/** Rows of mails that came in, beside those by which replies were tested. */
export const takenIn = async () =>
  (
    await sql.query(
      "select class, count(*)::int from inbound_mails where class <> 'return_test' group by class order by class",
    )
  ).rows;
export const tokenRequests = () =>
  service.stack.oauth.log.entries().filter(({ summary }) => summary === "POST /token").length;
export const inAnnsInbox = () => servers.mailOf(ANN.user).map((mail) => mail.toString("latin1"));
export const subjectsAtAnns = () =>
  inAnnsInbox().map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1] ?? "");

/** Somebody's answer to the campaign's message, as their program threads it. */
export async function answer(from: string, text: string, headers: Record<string, string> = {}) {
  const [message] = servers.mailOf(from);
  const inReplyTo = /^Message-ID: (<.*>)/im.exec(message!.toString("latin1"))![1]!;
  const subject = "Re: Hello";
  await submit(servers, ZOE, { from, to: ANN.user, inReplyTo, subject, text, headers });
}
