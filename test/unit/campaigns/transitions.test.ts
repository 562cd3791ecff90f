import { expect, test } from "vitest";
import { CAMPAIGN_STATUSES } from "#db/schema/index.ts";
import { targetOf, type Trigger, TRIGGERS } from "#db/base/fragments/transitions.ts";
import { requireTransition } from "#src/domain/campaigns/transitions.ts";

/** The contract's table once more, as "from -> to", so that neither is derived from the other. */
const CONTRACT: Record<Trigger, string[]> = {
  launch: ["draft -> launching", "failed -> launching"],
  schedule: ["draft -> scheduled", "failed -> scheduled"],
  unschedule: ["scheduled -> draft"],
  reschedule: ["scheduled -> scheduled"],
  hold_unreviewed: ["scheduled -> paused"],
  cancel_unreviewed: ["scheduled -> draft"],
  miss_schedule: ["scheduled -> paused"],
  start_scheduled: ["scheduled -> launching"],
  activate: ["launching -> active"],
  fail_launch: ["launching -> failed"],
  pause: ["active -> paused", "draining -> paused"],
  resume: ["draining -> active", "paused -> active"],
  resume_draining: ["paused -> draining"],
  resume_launch: ["paused -> launching"],
  drain: ["active -> draining"],
  complete: ["active -> completed", "draining -> completed"],
  add_leads: [
    "draft -> draft",
    "launching -> launching",
    "scheduled -> scheduled",
    "active -> active",
    "draining -> draining",
    "paused -> paused",
    "completed -> active",
  ],
  reset: ["failed -> draft"],
  remove: ["draft -> draft", "paused -> paused", "completed -> completed", "failed -> failed"],
};

test.each(TRIGGERS)("%s has the contract's edges and no other", (trigger) => {
  const edges = CAMPAIGN_STATUSES.flatMap((from) =>
    targetOf(from, trigger) === undefined ? [] : `${from} -> ${targetOf(from, trigger)}`,
  );
  expect(edges.sort()).toEqual(CONTRACT[trigger].toSorted());
});

test("a trigger without an edge is a conflict that names the current status", () => {
  expect(() => requireTransition("completed", "pause")).toThrowError(
    expect.objectContaining({
      kind: "conflict",
      code: "INVALID_STATE_TRANSITION",
      message: "The campaign is completed; pause is possible from active, draining.",
      detail: { status: "completed" },
    }),
  );
});
