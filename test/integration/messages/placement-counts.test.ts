import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readDueInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import {
  alias,
  begin,
  from,
  inboxOf,
  PATH,
  rows,
  seed,
  seen,
  sending,
  tenant,
  text,
  usePlacement,
} from "./placement-setting.ts";

usePlacement();

describe("a test counts nowhere", () => {
  test("no open, no conversation, no email, no send; only a place of the alias's day", async () => {
    const [sender, where] = [await from(), await seed("tabs.zz")];
    await seen([sender], [where]);
    const [message] = inboxOf(where);
    const [, pixel] = /src="([^"]*\/o\/[^"]+)"/.exec(
      message!.raw.replace(/=\r\n/g, "").replaceAll("=3D", "="),
    )!;
    expect((await sending.api.request(new URL(pixel!).pathname)).status).toBe(200);
    await sending.api.settled();
    const [counts] = await rows(
      `select (select count(*)::int from email_events) events, (select count(*)::int from conversations where workspace_id = $1) talks,
        (select count(*)::int from emails where workspace_id = $1) emails, (select count(*)::int from sends where workspace_id = $1) sends,
        (select used from sender_lanes where id = $2) used`,
      [tenant.workspaceId, sender.id],
    );
    expect(counts).toEqual({ events: 0, talks: 0, emails: 0, sends: 0, used: 1 });
  });

  test("it is no reply of its sender in the seed's inbox, although the seed had written to that sender", async () => {
    const [sender, where] = [await alias("ann"), await seed("plain.zz")];
    const email = await tenant.call("POST", "/api/v1/mailer/emails", {
      ...text,
      alias_id: where.id,
      to_email: sender.email,
    });
    const { deliverEmail } = await import("#src/domain/messages/emails/deliver.ts");
    expect(await deliverEmail(sending.api.deps, email.body.id)).toBe("sent");
    sending.api.advance(60);
    await seen([sender], [where]);
    expect(inboxOf(where)).toHaveLength(1);
    await sending.api.sql.query("update inboxes set next_read_at = $1", [
      sending.api.deps.clock.now(),
    ]);
    const { headers, taken } = await readDueInboxes(sending.api.deps);
    expect({ headers, taken }).toEqual({ headers: 2, taken: 0 });
    expect(
      await rows(
        "select 1 from conversation_messages where workspace_id = $1 and direction = 'in'",
        [tenant.workspaceId],
      ),
    ).toEqual([]);
  });

  test("the alias's own day holds: what it has no place for is not sent, and a deleted test keeps its place", async () => {
    const sender = await from();
    const seeds = [await seed("plain.zz"), await seed("plain.zz")];
    await tenant.call("PATCH", `/api/v1/mailer/aliases/${sender.id}`, { daily_limit: 1 });
    const { id, results } = await seen([sender], seeds);
    expect(results.map(({ status }: { status: string }) => status).sort()).toEqual([
      "found",
      "not_sent",
    ]);
    expect(results.find(({ status }: { status: string }) => status === "not_sent").note).toContain(
      "all that it may send today",
    );
    expect((await tenant.call("DELETE", `${PATH}/${id}`)).status).toBe(200);
    const [{ used }] = await rows("select used from sender_lanes where id = $1", [sender.id]);
    expect([
      used,
      await rows(
        "select count(*)::int from placement_mails where counted_at is not null and test_id = $1",
        [id],
      ),
    ]).toEqual([1, [{ count: 1 }]]);
  });

  test("a day that is counted anew, because its zone was changed, has them too", async () => {
    const [sender, where] = [await from(), await seed("plain.zz")];
    await seen([sender], [where]);
    const zone = { timezone: "Asia/Tokyo" };
    expect((await tenant.callAsUser("PATCH", "/api/v1/workspace", zone)).status).toBe(200);
    await tenant.call("PATCH", `/api/v1/mailer/aliases/${sender.id}`, { daily_limit: 30 });
    const lanes = await rows("select used from sender_lanes where id = $1", [sender.id]);
    expect(lanes).toEqual([{ used: 1 }]);
  });

  test("a relay that refuses it is said with its words, and gives the place back", async () => {
    const [sender, where] = [await from(), await seed("plain.zz")];
    await sending.api.sql.query("update mail_aliases set email = 'bounce@plain.zz' where id = $1", [
      where.id,
    ]);
    const { results } = await seen([sender], [where]);
    expect(results).toMatchObject([{ status: "not_sent", place: null }]);
    expect(results[0].note).toContain("550");
    expect(await rows("select used from sender_lanes where id = $1", [sender.id])).toEqual([
      { used: 0 },
    ]);
  });
});

describe("a campaign's step", () => {
  const step = (campaignId: string, more: object = {}) => ({
    ...{ subject: undefined, body: undefined },
    ...{ campaign_id: campaignId, step: 1, ...more },
  });

  test("goes out as its lead would get it, with footer and way out, which counts nowhere", async () => {
    const { campaignId, aliasIds } = await sending.campaign(tenant, {
      leads: 1,
      steps: [{ delayDays: 0 }],
    });
    await rows("update workspaces set postal_address = 'Main Street 1' where id = $1", [
      tenant.workspaceId,
    ]);
    await rows("update mail_aliases set signature = 'Ann of Sender' where workspace_id = $1", [
      tenant.workspaceId,
    ]);
    const [sender, where] = [await from(), await seed("tabs.zz")];
    await rows("update mail_aliases set signature = 'Yours, Ann' where id = $1", [sender.id]);
    const { id, results } = await seen([sender], [where], { more: step(campaignId) });
    expect(results).toMatchObject([{ status: "found", place: "inbox", category: "promotions" }]);
    const { raw } = inboxOf(where)[0]!;
    const { body: rendered } = await tenant.call(
      "POST",
      `/api/v1/campaigns/${campaignId}/steps/1/render`,
      {},
    );
    expect(raw).toContain(`Subject: ${rendered.subject}`);
    for (const part of [
      "Main Street 1",
      "Yours, Ann",
      "List-Unsubscribe-Post",
      `Feedback-ID: ${campaignId}`,
    ])
      expect(raw).toContain(part);
    const [, path] = /List-Unsubscribe: <https?:\/\/[^/]+(\/u\/[^>]+)>/.exec(
      raw.replace(/\r\n[ \t]+/g, ""),
    )!;
    await sending.api.request(path!, { method: "POST", body: "List-Unsubscribe=One-Click" });
    const kept = await rows("select letter, email_key from placement_tests where id = $1", [id]);
    expect(kept).toEqual([{ letter: null, email_key: "lead1@example.zz" }]);
    expect(
      await rows("select 1 from suppressions where workspace_id = $1", [tenant.workspaceId]),
    ).toEqual([]);
    const lanes = await rows("select used from sender_lanes where id = any($1)", [aliasIds]);
    expect(lanes).toEqual([{ used: 0 }]);
    await sending.tick();
    expect(await sending.sendsOf(campaignId)).toHaveLength(1);
  });

  test("is refused where it is none of email, not there, or another workspace's", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    const other = await sending.api.tenant();
    const { campaignId: strange } = await sending.campaign(other, { leads: 1 });
    const [sender, where] = [await from(), await seed("plain.zz")];
    const status = async (more: object) => (await begin([sender], [where], more)).status;
    expect(await status(step(campaignId, { step: 9 }))).toBe(422);
    expect(await status(step(strange))).toBe(404);
    expect(await status(step(campaignId, { lead_id: randomUUID() }))).toBe(404);
    expect(await status(step(campaignId, { subject: "S" }))).toBe(422);
    expect(await status(step(campaignId, { step: undefined }))).toBe(422);
  });
});
