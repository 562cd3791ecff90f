/** An alias at Postfix and Dovecot, connected by OAuth alone: a campaign goes out, and what comes back is read from its inbox. */
import * as fs from "node:fs";
import * as path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocalCertificate } from "../../scripts/stack/certificate.ts";
import { launchCampaign, startTestService, type TestService } from "../support/service.ts";
import { readAndStar, stateOfInbox, submit, tablesHolding } from "./owner.ts";
import { canRun, DOMAINS, type Servers, startServers } from "./setting.ts";

/** Their own programs log in by password; the service is given none. */
const ANN = { user: `ann@${DOMAINS.senders}`, pass: "anns own" };
const BOB = { user: `bob@${DOMAINS.senders}`, pass: "bobs own" };
const ZOE = { user: `zoe@${DOMAINS.leads}`, pass: "zoes own" };
const LEADS = {
  reply: `reply@${DOMAINS.leads}`,
  away: `away@${DOMAINS.leads}`,
  late: `late@${DOMAINS.leads}`,
  silent: `silent@${DOMAINS.leads}`,
  gone: `nobody@${DOMAINS.gone}`,
};
const HERE = [LEADS.reply, LEADS.away, LEADS.late, LEADS.silent];
const ANSWER = "Rhubarb on Monday, then.";
const PRIVATE = ["quincejelly", "cellarstairs", "thimblerigg", "marmotwhistle", "beeswaxbill"];
/** An app of a tenant that the stack knows: with its credentials a mail server asks whose a token is. */
const APP = "my-own-app:my-own-secret";
const FIVE_MINUTES_AND_TEN_SECONDS = 310;
const ALIASES = "/api/v1/mailer/aliases";

interface Alias {
  id: string;
  email: string;
  status: string;
  replies_return: string;
  inbox: { status: string; last_error: string | null };
}

let servers: Servers;
let service: TestService;
let sql: pg.Pool;
let ann: Alias;
let campaign: string;
const lines: string[] = [];

describe.runIf(canRun)("an alias connected by OAuth at Postfix and Dovecot", () => {
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

  /** An alias with neither a password for sending nor one for its inbox, to which its owner has consented. */
  async function connected(email: string, provider: string): Promise<Alias> {
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
  const aliasNow = async (id: string) => (await service.api("GET", `${ALIASES}/${id}`)) as Alias;
  const leadNow = async (email: string) => {
    const { items } = (await service.api("GET", `/api/v1/campaigns/${campaign}/leads`)) as {
      items: { email: string; status: string; next_action_at: string | null }[];
    };
    return items.find((lead) => lead.email === email)!;
  };
  const owed = async () =>
    (await sql.query("select kind, count(*)::int from outbox group by kind order by kind")).rows;
  const takenIn = async () => {
    const { rows } = await sql.query(
      "select class, count(*)::int from inbound_mails group by class",
    );
    return Object.fromEntries(rows.map(({ class: name, count }) => [name, count]));
  };
  const tokenRequests = () =>
    service.stack.oauth.log.entries().filter(({ summary }) => summary === "POST /token").length;
  const inAnnsInbox = () => servers.mailOf(ANN.user).map((mail) => mail.toString("latin1"));
  const subjectsAtAnns = () =>
    inAnnsInbox().map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1] ?? "");

  /** Somebody's answer to the campaign's message, as their program threads it. */
  async function answer(from: string, text: string, headers: Record<string, string> = {}) {
    const [message] = servers.mailOf(from);
    const inReplyTo = /^Message-ID: (<.*>)/im.exec(message!.toString("latin1"))![1]!;
    const subject = "Re: Hello";
    await submit(servers, ZOE, { from, to: ANN.user, inReplyTo, subject, text, headers });
  }

  test.each([
    ["google", ANN.user],
    ["microsoft", BOB.user],
  ])(
    "%s's token opens Postfix and Dovecot, and the test's mail comes back",
    async (kind, email) => {
      const { id } = email === ANN.user ? ann : await connected(email, kind);
      expect(await aliasNow(id)).toMatchObject({ status: "active" });
      expect(await service.api("POST", `${ALIASES}/${id}/test`)).toMatchObject({
        ok: true,
        inbox: { ok: true },
        token_mailed_to: email,
      });
      await expect.poll(() => servers.mailOf(email)).toHaveLength(1);
      await service.advance(FIVE_MINUTES_AND_TEN_SECONDS);
      expect(await aliasNow(id)).toMatchObject({ replies_return: "yes", inbox: { status: "ok" } });
      expect(servers.postfix.log()).toContain(`sasl_method=XOAUTH2, sasl_username=${email}`);
    },
  );

  test("a campaign goes out; a reply, an absence and Postfix's own report are taken in, of private mail nothing", async () => {
    campaign = await launchCampaign(service, {
      aliases: [ann.id],
      emails: Object.values(LEADS),
      steps: [
        { step: 1, variants: [{ type: "INLINE", subject: "Hello", body: "Step 1" }] },
        { step: 2, delay_days: 1, variants: [{ type: "INLINE", body: "Step 2" }] },
      ],
    });
    await service.advance(600);
    await expect
      .poll(() => HERE.map((email) => servers.mailOf(email).length))
      .toEqual([1, 1, 1, 1]);
    const until = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    await answer(LEADS.reply, ANSWER);
    await answer(LEADS.away, `I am out of the office until ${until}.`, {
      "Auto-Submitted": "auto-replied",
    });
    await bringPrivateMail();
    await expect
      .poll(() => subjectsAtAnns().filter((subject) => /Undelivered/.test(subject)))
      .toHaveLength(2);
    await readAndStar(servers, ANN, 2);
    await submit(servers, ZOE, { from: ZOE.user, to: ANN.user, subject: PRIVATE[4], text: "Pay." });
    await expect.poll(subjectsAtAnns).toContain(PRIVATE[4]);
    const before = await stateOfInbox(servers, ANN);
    await service.advance(FIVE_MINUTES_AND_TEN_SECONDS);

    expect(await stateOfInbox(servers, ANN)).toEqual(before);
    expect(await leadNow(LEADS.reply)).toMatchObject({ status: "replied" });
    expect(await leadNow(LEADS.gone)).toMatchObject({ status: "bounced" });
    const away = await leadNow(LEADS.away);
    expect(away.status).toBe("active");
    expect(away.next_action_at! > until).toBe(true);
    expect((await leadNow(LEADS.silent)).next_action_at! < until).toBe(true);
    const { items } = (await service.api("GET", "/api/v1/suppressions")) as { items: unknown[] };
    expect(items).toMatchObject([{ value: LEADS.gone, reason: "hard_bounce" }]);
    expect(await owed()).toEqual([
      { kind: "lead_hard_bounce", count: 1 },
      { kind: "lead_reply", count: 1 },
    ]);
    expect(await takenIn()).toEqual({ bounce: 1, out_of_office: 1, reply: 1, return_test: 2 });
    await nothingPrivateIsKept();
  });

  /** A friend's letter, one that quotes a report, and a report about the owner's own mail to a friend who is gone. */
  async function bringPrivateMail(): Promise<void> {
    const [jelly, stairs, names, song] = PRIVATE;
    const letter = { from: `${names} <${ZOE.user}>`, to: ANN.user };
    await submit(servers, ZOE, { ...letter, subject: `The ${jelly}`, text: `By the ${stairs}.` });
    await submit(servers, ZOE, {
      ...letter,
      subject: "Delivery Status Notification (Failure)",
      inReplyTo: `<${song}@${DOMAINS.leads}>`,
      text: `My ${jelly} came back: 550 5.1.1 user unknown. ${song}`,
    });
    const to = `${names}@${DOMAINS.gone}`;
    await submit(servers, ANN, { from: ANN.user, to, subject: song, text: `Your ${stairs}!` });
  }

  async function nothingPrivateIsKept(): Promise<void> {
    // What was said to us stands there, as text and as bytes: the search finds it.
    expect(await tablesHolding(sql, [ANSWER])).toEqual([
      "public.conversation_messages",
      "public.raw_mails",
    ]);
    expect(await tablesHolding(sql, PRIVATE)).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toMatch(new RegExp(PRIVATE.join("|"), "i"));
  }

  test("an hour later the token has ended: a new one is got, and an answer still ends its lead", async () => {
    const before = tokenRequests();
    await service.advance(3_700);
    await answer(LEADS.late, "Yes, please.");
    await expect.poll(() => inAnnsInbox().join("\n")).toContain("Yes, please.");
    await service.advance(FIVE_MINUTES_AND_TEN_SECONDS);
    expect(await leadNow(LEADS.late)).toMatchObject({ status: "replied" });
    expect(tokenRequests()).toBeGreaterThan(before);
    expect(await aliasNow(ann.id)).toMatchObject({ inbox: { status: "ok", last_error: null } });
  });

  test("a mailbox that numbers its mails anew is read again, and nothing is taken in or told twice", async () => {
    const before = [await takenIn(), await owed()];
    for (const file of fs.readdirSync(servers.dovecot.maildir(ANN.user)))
      if (file.startsWith("dovecot"))
        fs.rmSync(path.join(servers.dovecot.maildir(ANN.user), file), { recursive: true });
    const validity = async () =>
      (await sql.query("select uid_validity from inboxes where alias_id = $1", [ann.id])).rows[0];
    const old = await validity();
    await service.advance(2 * FIVE_MINUTES_AND_TEN_SECONDS);
    expect(await validity()).not.toEqual(old);
    expect([await takenIn(), await owed()]).toEqual(before);
    await nothingPrivateIsKept();
  });

  test("tokens that the provider ended early are refused by both servers, and renewed once for each", async () => {
    const before = tokenRequests();
    service.stack.oauth.grants.endAccess(ANN.user);
    await service.advance(FIVE_MINUTES_AND_TEN_SECONDS);
    expect(await aliasNow(ann.id)).toMatchObject({ inbox: { status: "ok", last_error: null } });
    service.stack.oauth.grants.endAccess(ANN.user);
    const report = await service.api("POST", `${ALIASES}/${ann.id}/test`);
    expect(report).toMatchObject({ ok: true, inbox: { ok: true } });
    expect(tokenRequests() - before).toBe(2);
  });

  test("a consent that is taken back stops reading, of which its owner hears once", async () => {
    const failing = { kind: "inbox_failing", count: 1 };
    service.stack.oauth.grants.revoke(ANN.user);
    await service.advance(3_700);
    await service.advance(3_700);
    expect(await aliasNow(ann.id)).toMatchObject({
      inbox: {
        status: "error",
        last_error: expect.stringContaining("The consent for this mailbox"),
      },
    });
    expect(await owed()).toContainEqual(failing);
  });
});
