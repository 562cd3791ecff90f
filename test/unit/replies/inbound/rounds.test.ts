import { describe, expect, test } from "vitest";
import {
  isBeforeRound,
  lookAtOnce,
  nextLooks,
  retryAt,
} from "#src/domain/replies/inbound/inbox/rounds.ts";
import { whereItStands } from "#src/domain/replies/inbound/inbox/where-to-begin.ts";

const at = (time: string) => new Date(`2026-01-05T${time}Z`);

describe("the next look", () => {
  test.each([
    ["09:00:03", "09:04:50"],
    // The last of a long round is in the next one all the same.
    ["09:04:20", "09:04:50"],
    ["09:04:55", "09:04:50"],
    ["09:05:00", "09:09:50"],
  ])("after one at %s is due with the round after it", (now, due) => {
    expect(nextLooks(at(now)).later).toEqual(at(due));
  });

  test("is sooner while something was sent in the last hour, and at once where there is more", () => {
    const { soon, recently } = nextLooks(at("09:00:03"));
    expect([soon, recently]).toEqual([at("09:02:03"), at("08:00:03")]);
    expect(isBeforeRound(soon, at("09:00:03"))).toBe(true);
    expect(isBeforeRound(nextLooks(at("09:00:03")).later, at("09:00:03"))).toBe(false);
    expect(lookAtOnce(at("09:00:03")).later).toEqual(at("09:00:03"));
  });

  test.each([
    ["line", [5, 10, 20, 40, 60, 60]],
    ["account", [30, 60, 120, 360, 360, 360]],
  ] as const)("after failures of the %s waits longer and longer", (fault, minutes) => {
    const now = at("09:00:03");
    const waits = minutes.map((_, failures) => retryAt(now, failures, fault).getTime());
    expect(waits).toEqual(minutes.map((each) => at("09:00:00").getTime() + each * 60_000 - 10_000));
  });
});

describe("where a look begins", () => {
  const now = at("09:00:00");
  const since = new Date("2025-12-29T09:00:00Z");
  const anew = { uidValidity: 7, lastUid: 99, backlog: { before: 100, since } };
  const known = (lastUid: number) => ({ uidValidity: 7, lastUid, backlog: null });
  test.each([
    ["a first look with all of a week", null, null, anew],
    ["behind what was read", 7, 40, known(40)],
    ["nowhere, where nothing is new", 7, 99, known(99)],
    ["anew under another numbering", 8, 40, anew],
    ["anew where UIDs that were read come again", 7, 500, anew],
  ])("%s", (_name, uidValidity, lastUid, expected) => {
    const stored = { uidValidity, lastUid, backlogBefore: null, backlogSince: null };
    expect(whereItStands(stored, { uidValidity: 7, uidNext: 100 }, now)).toEqual(expected);
  });

  test("with what a first look has left, as long as it is the same numbering", () => {
    const stored = { uidValidity: 7, lastUid: 60, backlogBefore: 30, backlogSince: since };
    const inbox = { uidValidity: 7, uidNext: 100 };
    const backlog = { before: 30, since };
    expect(whereItStands(stored, inbox, now)).toEqual({ ...known(60), backlog });
    expect(whereItStands(stored, { ...inbox, uidValidity: 8 }, now).backlog).toEqual({
      before: 100,
      since,
    });
  });
});
