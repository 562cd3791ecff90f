import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { postMail, rawMail } from "../../support/incoming.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const STEPS = [{ delayDays: 0 }, { delayDays: 2 }, { delayDays: 3 }];
interface Item {
  at: string;
  kind: string;
  campaign_id: string | null;
  step: number | null;
  email_id: string | null;
  conversation_id: string | null;
  machine: boolean;
  forecast: boolean;
  detail: string | null;
}
const timeline = async (leadId: string, rest = ""): Promise<Item[]> => {
  const { status, body } = await tenant.call("GET", `/api/v2/leads/${leadId}/timeline?${rest}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.items;
};
const inShort = (items: Item[]) =>
  items.map(({ kind, step, forecast, machine }) =>
    [kind, step, ...(forecast ? ["forecast"] : []), ...(machine ? ["machine"] : [])].join(" "),
  );

async function underWay(leads = 1) {
  const rows = await sending.campaign(tenant, { leads, steps: STEPS });
  await sending.tick();
  const [first] = await query`
    select id, lead_id, email from campaign_leads where campaign_id = ${rows.campaignId} order by row_index limit 1`;
  const [alias] = await query`select email from mail_aliases where id = ${rows.aliasIds[0]}`;
  const [send] = await sending.sendsOf(rows.campaignId);
  return {
    ...rows,
    leadId: first!.lead_id as string,
    email: first!.email as string,
    send,
    alias: alias!.email as string,
  };
}

describe("a lead's timeline", () => {
  test("is what was sent, and what will be by the forecast of its campaign", async () => {
    const { campaignId, leadId } = await underWay(5);
    const items = await timeline(leadId);
    expect(inShort(items)).toEqual(["sent 3 forecast", "sent 2 forecast", "sent 1", "joined "]);
    const { body: forecast } = await tenant.call(
      "GET",
      `/api/v1/campaigns/${campaignId}/forecast?lead_id=${leadId}`,
    );
    expect(items.slice(0, 2).map(({ at, step }) => [at, step])).toEqual(
      forecast.sends.map((send: Item) => [send.at, send.step]).toReversed(),
    );
    expect(inShort(await timeline(leadId, "days=0"))).toEqual(["sent 1", "joined "]);
    expect(inShort(await timeline(leadId, "days=3"))).toEqual([
      "sent 2 forecast",
      "sent 1",
      "joined ",
    ]);
  });

  test("tells opens, clicks, answers and what followed, and then nothing more to come", async () => {
    const { leadId, send, email, alias, campaignId } = await underWay();
    for (const [kind, classification, url] of [
      ["open", "bot", null],
      ["open", "human", null],
      ["click", "human", "https://example.zz/a"],
    ]) {
      sending.api.advance(60);
      await query`
        insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, url, classification, reasons)
        values (${randomUUID()}, ${tenant.workspaceId}, ${campaignId}, ${send.id}, ${kind}, ${sending.api.deps.clock.now()}, 0, ${url}, ${classification}, '{}')`;
    }
    const hears = async (subject: string, body: string, headers: string[]) => {
      sending.api.advance(60);
      const mail = rawMail({
        from: email,
        to: alias,
        subject,
        headers: [`In-Reply-To: ${send.message_id}`, ...headers],
        body,
      });
      const date = `Date: ${sending.api.deps.clock.now().toUTCString()}`;
      await postMail(sending.api, mail.replace(/^Date: .*$/m, date), alias, { from: email });
    };
    await hears("Out of office", "I am away.", ["Auto-Submitted: auto-replied"]);
    expect(
      inShort(await timeline(leadId, "days=31")).filter((item) => item.includes("forecast")),
    ).toHaveLength(2);
    await hears("Re: Hello", "Please take me off your list.", []);
    const items = await timeline(leadId, "days=31");
    expect(inShort(items)).toEqual([
      ...["suppressed ", "unsubscribed 1", "replied "].sort(
        (a, b) => order(items, a) - order(items, b),
      ),
      ...[
        "auto_replied  machine",
        "clicked 1",
        "opened 1",
        "opened 1 machine",
        "sent 1",
        "joined ",
      ],
    ]);
    expect(items.find(({ kind }) => kind === "clicked")).toMatchObject({
      detail: "https://example.zz/a",
      campaign_id: campaignId,
    });
    expect(items.find(({ kind }) => kind === "replied")).toMatchObject({
      conversation_id: expect.any(String),
      detail: "reply",
    });
  });

  test("has single messages to its address, those that wait too", async () => {
    const { leadId, email, aliasIds } = await underWay();
    const send = async (more: object) =>
      (
        await tenant.call("POST", "/api/v1/mailer/emails", {
          alias_id: aliasIds[0],
          to_email: email,
          subject: "By the way",
          body: "Hello",
          ...more,
        })
      ).body.id as string;
    sending.api.advance(60);
    const sent = await send({});
    await deliverEmail(sending.api.deps, sent);
    const send_at = new Date(sending.api.deps.clock.now().getTime() + 86_400_000).toISOString();
    const waits = await send({ send_at });
    const all = await timeline(leadId, "days=1");
    expect(inShort(all)).toEqual(["sent  forecast", "sent ", "sent 1", "joined "]);
    const items = all.filter(({ email_id }) => email_id !== null);
    expect(
      items.map(({ email_id, forecast, at, detail }) => [email_id, forecast, at, detail]),
    ).toEqual([
      [waits, true, send_at, "By the way"],
      [sent, false, expect.any(String), "By the way"],
    ]);
  });

  test("is walked over by pages without a gap", async () => {
    const { leadId } = await underWay();
    const all = await timeline(leadId);
    const seen: Item[] = [];
    let cursor = "";
    do {
      const { body } = await tenant.call(
        "GET",
        `/api/v2/leads/${leadId}/timeline?limit=1${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.items);
      cursor = body.next_cursor ?? "";
    } while (cursor !== "" && seen.length < 20);
    expect(seen).toEqual(all);
    expect(all).toHaveLength(4);
  });

  test("promises nothing of what does not run, and tells nothing of other workspaces", async () => {
    const { leadId, campaignId, email } = await underWay();
    await tenant.call("POST", `/api/v1/campaigns/${campaignId}/pause`);
    expect(inShort(await timeline(leadId))).toEqual(["sent 1", "joined "]);
    const other = await sending.api.tenant();
    expect((await other.call("GET", `/api/v2/leads/${leadId}/timeline`)).status).toBe(404);
    const { body: dataset } = await other.call("POST", "/api/v1/datasets", { name: "Theirs" });
    await query`
      insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, channel, subject, last_message_at, unread)
      select gen_random_uuid(), workspace_id, user_id, now(), now(), id, ${email}, 'email', 'Hello', now(), 1 from mail_aliases where workspace_id = ${tenant.workspaceId} limit 1`;
    await query`
      insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, sent_at, dedup_key)
      select gen_random_uuid(), workspace_id, id, 'in', 'reply', ${email}, '{}', 'Hi', now(), 'x' from conversations where peer_key = ${email} and workspace_id = ${tenant.workspaceId}`;
    expect(inShort(await timeline(leadId))).toContain("replied ");
    const { body: theirs } = await other.call("POST", `/api/v1/datasets/${dataset.id}/leads`, {
      email,
    });
    expect((await other.call("GET", `/api/v2/leads/${theirs.id}/timeline`)).body.items).toEqual([]);
  });
});

/** Facts of one instant have no order of their own. */
const order = (items: Item[], short: string) => inShort(items).indexOf(short);
