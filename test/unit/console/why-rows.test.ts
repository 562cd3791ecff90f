import { describe, expect, test } from "vitest";
import { leadReasons, type LeadStatus, waitingReasons } from "#src/console/pure/why-rows.ts";

const reason = (code: string, until: string | null = null, message = `It is ${code}.`) => ({
  code,
  message,
  until,
});

describe("what does not send", () => {
  const told = (
    status: string,
    reasons: object[],
    ofSender: object[] = [],
    warnings: object[] = [],
  ) =>
    waitingReasons({
      status,
      reasons,
      senders: [{ name: "Anna", reasons: ofSender }],
      warnings,
    } as Parameters<typeof waitingReasons>[0]).map(({ key, needs }) => [key, needs]);

  test("what needs a person comes first, then what ends by itself, then advice", () => {
    expect(
      told(
        "active",
        [reason("window_closed", "2026-11-27T08:00:00Z"), reason("leads_held")],
        [reason("sender_not_active")],
        [{ name: "postal_address", message: "No address." }],
      ),
    ).toEqual([
      ["leads_held", "person"],
      ["sender_not_active", "person"],
      ["window_closed", "time"],
      ["postal_address", "advice"],
    ]);
  });
  test("a gap between two messages is news only where nothing else is", () => {
    const gap = reason("sender_gap", "2026-11-27T08:00:00Z");
    expect(told("active", [reason("window_closed", "2026-11-27T08:00:00Z")], [gap])).toEqual([
      ["window_closed", "time"],
    ]);
    expect(told("active", [reason("all_senders_wait", gap.until)], [gap])).toEqual([
      ["sender_gap", "time"],
    ]);
  });
  test("what its sentence says is not said again, and the same once", () => {
    const twice = reason("sender_not_active", null, "Closed.");
    expect(told("paused", [reason("user_requested")], [twice, twice])).toEqual([
      ["sender_not_active", "person"],
    ]);
    expect(told("completed", [reason("nothing_left")], [twice])).toEqual([]);
  });
});

describe("why a lead waits", () => {
  const soon = "2026-11-27T08:00:00Z";
  const sender = (id: string, ...reasons: LeadStatus["reasons"]) => ({
    alias_id: id,
    connected_account_id: null,
    reasons,
  });
  const told = (status: Partial<LeadStatus>, lead: Partial<LeadStatus["lead"]> = {}) =>
    leadReasons({
      sending: false,
      reasons: [],
      senders: [],
      ...status,
      lead: { status: "pending", alias_id: "anna", reasons: [], ...lead },
    }).map(({ code }) => code);

  test("what holds back its campaign holds back the lead, behind its own reasons", () => {
    const reasons = [reason("campaign_paused")];
    expect(told({ reasons })).toEqual(["campaign_paused"]);
    expect(told({ reasons }, { reasons: [reason("step_not_due", soon)] })).toEqual([
      "step_not_due",
      "campaign_paused",
    ]);
  });
  test("one that has ended says why, and no more", () => {
    const ended = { status: "replied", reasons: [reason("lead_replied")] };
    expect(told({ reasons: [reason("campaign_paused")] }, ended)).toEqual(["lead_replied"]);
  });
  test("what other leads wait for is no reason of this one", () => {
    const reasons = [
      "nothing_due",
      "leads_held",
      "personalization_review_pending",
      "notes_used_up",
    ].map((code) => reason(code));
    expect(told({ reasons })).toEqual([]);
  });
  test("its own sender's reasons are its own, also while others send; another's are not", () => {
    const senders = [
      sender("anna", reason("sender_resting", soon)),
      sender("bea", reason("sender_not_active")),
    ];
    expect(told({ sending: true, senders })).toEqual(["sender_resting"]);
    expect(told({ sending: true, senders }, { alias_id: null })).toEqual([]);
  });
  test("one without a sender waits where all of them do", () => {
    const senders = [sender("anna", reason("cap_reached", soon)), sender("bea", reason("closed"))];
    const reasons = [reason("all_senders_wait", soon)];
    expect(told({ reasons, senders }, { alias_id: null })).toEqual(["cap_reached", "closed"]);
  });
  test("a gap between two messages is a reason where there is no other", () => {
    const senders = [sender("anna", reason("sender_gap", soon))];
    expect(told({ sending: true, senders })).toEqual(["sender_gap"]);
    expect(told({ reasons: [reason("campaign_paused")], senders })).toEqual(["campaign_paused"]);
  });
});
