import { expect, test } from "vitest";
import {
  candidatesFor,
  type Candidate,
  worthAsking,
} from "#src/domain/research/finding/email/candidates.ts";
import { decideFinding } from "#src/domain/research/finding/email/decide-finding.ts";
import { readName } from "#src/domain/research/finding/names/read-name.ts";
import { type Reason, REASONS } from "#src/domain/research/verification/outcome.ts";

const candidates = worthAsking(candidatesFor(readName("Anna", "Lind"), "corp.zz"));
const [first, second] = candidates as [Candidate, Candidate];
const anna = candidates.findIndex(({ email }) => email === "anna@corp.zz");

/** The reasons in order; no_such_user for all behind them. */
const decided = (...reasons: Reason[]) =>
  decideFinding(candidates, (each) => reasons[candidates.indexOf(each)] ?? "no_such_user");

test("the first that is accepted is found", () => {
  expect(decided("mailbox_exists")).toMatchObject({
    kind: "found",
    email: first.email,
    pattern: "first.last",
  });
  expect(decided("no_such_user", "mailbox_exists", "mailbox_exists")).toMatchObject({
    kind: "found",
    email: second.email,
  });
});

test("an acceptance that somebody else may have is worth less than one that is hers alone", () => {
  const confidence = (...reasons: Reason[]) => {
    const finding = decided(...reasons);
    return finding.kind === "found" ? finding.confidence : 0;
  };
  const before = Array.from({ length: anna }, () => "no_such_user" as const);
  expect(confidence("mailbox_exists")).toBeGreaterThan(0.97);
  expect(confidence(...before, "mailbox_exists")).toBeLessThan(0.75);
});

test("nobody is found only when each was refused for good", () => {
  expect(decided()).toEqual({ kind: "not_found" });
  expect(decided("mailbox_disabled", "hard_reject")).toEqual({ kind: "not_found" });
  for (const [reason, outcome] of Object.entries(REASONS))
    if (outcome === "unknown")
      for (const at of candidates.keys()) {
        const before = Array.from({ length: at }, () => "no_such_user" as const);
        expect([reason, decided(...before, reason as Reason).kind]).toEqual([reason, "undecided"]);
      }
});

test("a mailbox that is there but full is rather hers than the next one that is accepted", () => {
  for (const reason of ["mailbox_full", "throttled"] as const)
    expect(decided(reason, "mailbox_exists")).toEqual({ kind: "undecided", reason });
});

test("an acceptance that could as well be somebody else's is no find while a likelier one is undecided", () => {
  const before = Array.from({ length: anna }, () => "temporary" as const);
  expect(decided(...before, "mailbox_exists").kind).toBe("undecided");
  expect(decided("temporary", "mailbox_exists")).toMatchObject({
    kind: "found",
    email: second.email,
  });
});

test("a host that takes everything has the likeliest as its best guess", () => {
  expect(decided("accepts_everything")).toMatchObject({
    kind: "catch_all",
    email: first.email,
    confidence: first.prior,
  });
  expect(decided("temporary", "accepts_everything")).toMatchObject({ email: first.email });
});

test("of addresses that the caller gave, the first accepted is found, whatever was undecided before", () => {
  const given = ["a", "b"].map((local) => ({
    email: `${local}@corp.zz`,
    pattern: null,
    prior: 0,
    someoneElse: 0,
  }));
  expect(
    decideFinding(given, ({ email }) => (email === "a@corp.zz" ? "temporary" : "mailbox_exists")),
  ).toEqual({
    kind: "found",
    email: "b@corp.zz",
    pattern: null,
    confidence: 1,
  });
});
