/** An alias at Postfix and Dovecot, connected by OAuth alone: a campaign goes out, and what comes back is read from its inbox. */
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, expect, test } from "vitest";
import { launchCampaign } from "../support/service.ts";
import {
  ALIASES,
  aliasNow,
  ANN,
  ann,
  answer,
  BOB,
  connected,
  HERE,
  inAnnsInbox,
  LEADS,
  leadNow,
  lines,
  owed,
  servers,
  service,
  sql,
  subjectsAtAnns,
  takenIn,
  tokenRequests,
  useConsent,
  ZOE,
} from "./consent-setting.ts";
import { readAndStar, stateOfInbox, submit, tablesHolding } from "./owner.ts";
import { canRun, DOMAINS } from "./setting.ts";

const ANSWER = "Rhubarb on Monday, then.";
const PRIVATE = ["quincejelly", "cellarstairs", "thimblerigg", "marmotwhistle", "beeswaxbill"];
const FIVE_MINUTES_AND_TEN_SECONDS = 310;
let campaign: string;

describe.runIf(canRun)("an alias connected by OAuth at Postfix and Dovecot", () => {
  useConsent();

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
    expect(await leadNow(campaign, LEADS.reply)).toMatchObject({ status: "replied" });
    expect(await leadNow(campaign, LEADS.gone)).toMatchObject({ status: "bounced" });
    const away = await leadNow(campaign, LEADS.away);
    expect(away.status).toBe("active");
    expect(away.next_action_at! > until).toBe(true);
    expect((await leadNow(campaign, LEADS.silent)).next_action_at! < until).toBe(true);
    const { items } = (await service.api("GET", "/api/v1/suppressions")) as { items: unknown[] };
    expect(items).toMatchObject([{ value: LEADS.gone, reason: "hard_bounce" }]);
    expect(await owed()).toEqual([
      { kind: "lead_hard_bounce", count: 1 },
      { kind: "lead_reply", count: 1 },
    ]);
    expect(await takenIn()).toEqual(
      ["bounce", "out_of_office", "reply"].map((name) => ({ class: name, count: 1 })),
    );
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
    expect(await leadNow(campaign, LEADS.late)).toMatchObject({ status: "replied" });
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
