import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { saveJudgement } from "#db/senders/domain-health.ts";
import { readNotice } from "#db/workspace/notice-content.ts";
import { judgeAndKeep, judgeDomains } from "#src/domain/senders/health/read-health.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { forgetNotices, readOutbox } from "../../support/notices.ts";
import { zoneFor } from "../../support/publish.ts";
import { api, query, tenant } from "../../support/use-api.ts";
import {
  ago,
  alias,
  create,
  inbox,
  type Made,
  now,
  publish,
  rule,
  rules,
  sent,
  tested,
  useHealth,
  verified,
  verify,
} from "./domain-health-setting.ts";

useHealth();

describe("a rule of large receivers", () => {
  test("is asked by whom it says, each once and in one order", async () => {
    const made = await create();
    const found = await rules(made);
    expect(found.map(({ rule: name, asked_by }) => [name, asked_by.join(" ")])).toEqual([
      ["spf", "google yahoo microsoft"],
      ["dkim", "google yahoo microsoft"],
      ["dmarc", "google yahoo microsoft"],
      ["from_alignment", "google yahoo microsoft"],
      ["dmarc_alignment", "google yahoo microsoft"],
      ["one_click", "google yahoo"],
      ["complaint_rate", "google yahoo"],
      ["bounce_rate", "yahoo microsoft"],
      ["tls", "google"],
      ["reverse_dns", "google yahoo"],
      ["reply_address", "microsoft"],
      ["tls_replies", ""],
    ]);
    // Never verified, nothing sent, nobody reported: nothing is known, and each says how it would be.
    for (const each of found)
      expect(each).toMatchObject({ status: "unknown", what_to_do: expect.stringMatching(/\w/) });
    expect(found[0]).toMatchObject({ period: null, figures: [] });
  });

  test("tells its figures, what they are held against and their time", async () => {
    const made = await verified();
    await sent(made, 2000, { complained: 4, bounced: 10 }, 5);
    const found = await rule(made, "complaint_rate");
    expect(found.figures).toEqual([
      { name: "sent", value: 2000, limit: null },
      { name: "complaints", value: 4, limit: null },
      { name: "complaint_percent", value: 0.2, limit: 0.1 },
    ]);
    expect(new Date(found.period!.since).getTime() - ago(5).getTime()).toBeLessThan(60_000);
  });

  test("goes by a test of a month ago, and says of when it is", async () => {
    const made = await verified();
    await tested(made, true, { return_test_asked_at: ago(40), return_test_seen_at: ago(40) });
    for (const name of ["tls", "reply_address"]) {
      const { status, period } = await rule(made, name);
      expect([status, Math.round((now().getTime() - Date.parse(period!.since)) / DAY_MS)]).toEqual([
        "ok",
        40,
      ]);
    }
  });

  test("fails for links without HTTPS, which programs do not follow", async () => {
    const made = await verified();
    const { settings } = api.deps;
    const before = settings.trackingBaseUrl;
    try {
      settings.trackingBaseUrl = "http://track.overture.zz";
      expect(await rule(made, "one_click")).toMatchObject({
        status: "failing",
        evidence: expect.stringContaining("http://"),
      });
      settings.trackingBaseUrl = "http://127.0.0.1:8787";
      expect((await rule(made, "one_click")).status).toBe("unknown");
    } finally {
      settings.trackingBaseUrl = before;
    }
  });
});

describe("what is not kept", () => {
  const attention = async () =>
    (await tenant.call("GET", "/api/v2/attention")).body.items.filter(
      ({ subject }: { subject: { type: string } }) => subject.type === "domain",
    );
  const noticesOf = async (made: Made) =>
    query`select kind, payload->>'why' as why, notice_id from outbox where kind = 'domain_rule_failing' and payload->>'domain_id' = ${made.id} order by dedup_key`;
  beforeEach(async () => {
    await query`update mail_domains set status = 'pending' where workspace_id = ${tenant.workspaceId}`;
    await forgetNotices(api);
  });

  test("stands in attention and in one notice in the words of the checklist, until it is mended", async () => {
    const made = await verified();
    expect(await attention()).toEqual([]);
    const laneId = await sent(made, 100, { bounced: 7 });
    api.advance(3601);
    await Promise.all(Array.from({ length: 6 }, () => judgeDomains(api.deps)));
    const { evidence, what_to_do: todo } = await rule(made, "bounce_rate");
    expect(await attention()).toEqual([
      {
        ...{ kind: "domain_bounce_rate", severity: "warning", until: null, campaign_ids: [] },
        subject: { type: "domain", id: made.id, name: made.domain },
        message: `${evidence} ${todo}`,
      },
    ]);
    expect((await noticesOf(made)).map(({ why }) => why)).toEqual([`${evidence} ${todo}`]);
    await readOutbox({ api });
    const [told] = await noticesOf(made);
    const [item] = await readNotice(
      api.deps.db,
      told!["notice_id"] as string,
      ["domain_rule_failing"],
      5,
    );
    expect(item).toMatchObject({ domainId: made.id, domainName: made.domain });
    // It stays: nobody is told again, not on the next day either.
    api.advance(90_000);
    await judgeDomains(api.deps);
    expect(await noticesOf(made)).toHaveLength(1);
    await query`update sends set bounced_at = null where lane_id = ${laneId}`;
    api.advance(3601);
    await judgeDomains(api.deps);
    expect(await attention()).toEqual([]);
  });

  test("is told once a day where it comes and goes, and a judgement of before changes nothing", async () => {
    const made = await verified();
    const laneId = await sent(made, 100, { bounced: 7 });
    await judgeAndKeep(api.deps, tenant, made.id);
    expect(await noticesOf(made)).toHaveLength(1);
    await query`update sends set bounced_at = null where lane_id = ${laneId}`;
    await judgeAndKeep(api.deps, tenant, made.id);
    expect(await attention()).toEqual([]);
    await query`update sends set bounced_at = slot_at where lane_id = ${laneId}`;
    await judgeAndKeep(api.deps, tenant, made.id);
    expect((await attention()).map(({ kind }: { kind: string }) => kind)).toEqual([
      "domain_bounce_rate",
    ]);
    expect(await noticesOf(made)).toHaveLength(1);
    const late = { failing: [], before: ago(1), news: [{ rule: "tls", why: "x" }], now: now() };
    expect(await saveJudgement(api.deps.db, made.id, late)).toBe(false);
    expect(await attention()).toHaveLength(1);
    expect(await noticesOf(made)).toHaveLength(1);
    // Nor is anything kept of a domain that has gone.
    expect(await saveJudgement(api.deps.db, randomUUID(), { ...late, before: null })).toBe(false);
  });

  test("is said of records together, as what stops the senders", async () => {
    const made = await verified();
    publish(made, zoneFor(made, ["spf", "dmarc"]));
    await verify(made);
    const found = await attention();
    expect(found.map(({ kind }: { kind: string }) => kind)).toEqual(["domain_failing"]);
    const failing = (await rules(made)).filter(({ status }) => status === "failing");
    expect(failing.map(({ rule: name }) => name)).toEqual(["spf", "dmarc"]);
    for (const each of failing) expect(found[0].message).toContain(each.evidence);
    expect(await noticesOf(made)).toHaveLength(2);
  });

  test("is not said twice of an inbox, nor of a domain that is being set up", async () => {
    const made = await verified();
    await inbox(await alias(made), true, null);
    await verify(made);
    expect((await rule(made, "reply_address")).status).toBe("failing");
    const fresh = await create();
    await verify(fresh);
    expect((await rule(fresh, "spf")).status).toBe("failing");
    expect(await attention()).toEqual([]);
    expect([...(await noticesOf(made)), ...(await noticesOf(fresh))]).toEqual([]);
  });
});
