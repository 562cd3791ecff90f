import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type FeedbackKind, recordFeedback } from "#src/domain/replies/feedback/campaign.ts";
import type { Tenant } from "../../support/api.ts";
import type { CampaignRows } from "../../support/engine.ts";
import { inFull } from "../../support/full.ts";
import { queryOf } from "../../support/query.ts";
import { sending, useSending } from "../../support/sending.ts";

const query = queryOf(() => sending.api.sql);

const ROUNDS = inFull(12, 6);
/** Leads and senders of a round: more than connections, so that a tick begins them in two turns. */
const LEADS = 8;

let tenant: Tenant;

useSending();

/** Ends a campaign, or some of its leads; resolves once that is committed. */
type Stop = (rows: CampaignRows) => Promise<unknown>;

const feedback =
  (kind: FeedbackKind): Stop =>
  async ({ campaignLeadIds }) => {
    // About an earlier message to each of them, in another campaign.
    const rows =
      await query`select s.id from campaign_leads l join sends s on s.workspace_id = l.workspace_id and s.email_key = l.email_key
       where l.id = any(${campaignLeadIds}) and s.campaign_id <> l.campaign_id`;
    const { workspaceId } = tenant;
    const at = sending.api.deps.clock.now();
    await Promise.all(
      rows.map(({ id: sendId }) =>
        recordFeedback(sending.api.deps, { workspaceId, sendId, kind, at }),
      ),
    );
  };

const STOPS: [string, Stop][] = [
  ["pause", ({ campaignId }) => tenant.call("POST", `/api/v1/campaigns/${campaignId}/pause`)],
  [
    "suppression of the domain",
    () => tenant.call("POST", "/api/v1/suppressions", { value: "example.zz" }),
  ],
  ["reply", feedback("reply")],
  ["unsubscription", feedback("unsubscribe")],
  ["complaint", feedback("complaint")],
];

test.each(STOPS)(
  "a %s that races the tick: nothing begins after it was committed",
  async (_name, stop) => {
    let sent = 0;
    let stopped = 0;
    for (let round = 0; round < ROUNDS; round++) {
      tenant = await sending.api.tenant();
      await sending.reset();
      // What the feedback will be about: two days old, so that the 24 hours between campaigns are over.
      await sending.campaign(tenant, { leads: LEADS, aliases: LEADS });
      const startedAt = performance.now();
      await sending.tick();
      // The machine may be busy: the next tick takes about as long as this one did.
      const tickMs = performance.now() - startedAt;
      sending.api.advance(2 * 86_400);
      const before = sending.mailbox.wireLog().length;
      const rows = await sending.campaign(tenant, { leads: LEADS, aliases: LEADS });
      const ticking = sending.tick();
      // Stops fall anywhere in the tick.
      await delay((round / ROUNDS) * tickMs);
      await stop(rows);
      const committedAt = Date.now();
      await ticking;
      // Whatever the stop left behind goes out now, if anything does.
      sending.api.advance(400);
      await sending.tick();
      const sends = await sending.sendsOf(rows.campaignId);
      const onWire = sends.filter(({ state }) => state === "accepted");
      expect(sending.mailbox.wireLog().length - before).toBe(onWire.length);
      const late = onWire.filter(({ transmitting_at: at }) => at.getTime() > committedAt);
      expect(late, `round ${round}`).toEqual([]);
      sent += onWire.length;
      stopped += LEADS - onWire.length;
    }
    // The race was one: some messages won it, and some did not.
    expect([sent > 0, stopped > 0]).toEqual([true, true]);
  },
);
