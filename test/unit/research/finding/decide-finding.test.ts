import { expect, test } from "vitest";
import {
  candidatesFor,
  type Candidate,
  worthAsking,
} from "#src/domain/research/finding/email/candidates.ts";
import { decideFinding } from "#src/domain/research/finding/email/decide-finding.ts";
import { readName } from "#src/domain/research/finding/names/read-name.ts";
import { type Reason, REASONS } from "#src/domain/research/verification/outcome.ts";

const candidates = worthAsking(candidatesFor(readName("Bregje", "Quillfeather"), "corp.zz"));
const [first, second] = candidates as [Candidate, Candidate];
const bregje = candidates.findIndex(({ email }) => email === "bregje@corp.zz");
const initial = candidates.findIndex(({ email }) => email === "bquillfeather@corp.zz");

/** The reasons in order; no_such_user for all behind them. */
const decided = (...reasons: Reason[]) =>
  decideFinding(
    candidates,
    (email) => reasons[candidates.findIndex((each) => each.email === email)] ?? "no_such_user",
  );

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

/** All in front of it refused. */
const acceptedAt = (at: number) =>
  decided(...Array.from({ length: at }, () => "no_such_user" as const), "mailbox_exists");

test("an address that a colleague may have too is not told, and what it teaches is kept", () => {
  const own = decided("mailbox_exists");
  expect(own.kind === "found" ? own.confidence : 0).toBeGreaterThan(0.97);
  expect(acceptedAt(bregje)).toEqual({
    kind: "not_found",
    likely: { email: "bregje@corp.zz", pattern: "first" },
  });
});

test("it is told where the company is known to write addresses so", () => {
  const known = worthAsking(
    candidatesFor(readName("Bregje", "Quillfeather"), "corp.zz", { first: 3 }),
  );
  const finding = decideFinding(known, (email) =>
    email === "bregje@corp.zz" ? "mailbox_exists" : "no_such_user",
  );
  expect(finding).toMatchObject({ kind: "found", email: "bregje@corp.zz" });
  expect(finding.kind === "found" ? finding.confidence : 0).toBeGreaterThan(0.9);
});

test("where a second person of the same letters has an address, nothing tells whose is whose", () => {
  const finding = (namesake: Reason | undefined) =>
    decideFinding(candidates, (email) => {
      if (email === "bquillfeather2@corp.zz") return namesake;
      return email === candidates[initial]!.email ? "mailbox_exists" : "no_such_user";
    });
  expect(finding("no_such_user")).toMatchObject({ kind: "found" });
  expect(finding(undefined)).toMatchObject({ kind: "found" });
  expect(finding("mailbox_exists")).toEqual({ kind: "not_found" });
  const twoLetters = decideFinding(candidates, (email) =>
    [candidates[initial]!.email, "brquillfeather@corp.zz"].includes(email)
      ? "mailbox_exists"
      : "no_such_user",
  );
  expect(twoLetters).toEqual({ kind: "not_found" });
});

test("nobody is found only when each was refused for good", () => {
  expect(decided()).toEqual({ kind: "not_found" });
  for (const [reason, outcome] of Object.entries(REASONS))
    if (outcome === "invalid")
      expect([reason, decided(...candidates.map(() => reason as Reason))]).toEqual([
        reason,
        { kind: "not_found" },
      ]);
    else if (outcome === "unknown")
      for (const at of candidates.keys()) {
        const before = Array.from({ length: at }, () => "no_such_user" as const);
        expect([reason, decided(...before, reason as Reason).kind]).toEqual([reason, "undecided"]);
      }
});

test("a mailbox that is there but full is rather hers than the next one that is accepted", () => {
  for (const reason of ["mailbox_full", "throttled"] as const)
    expect(decided(reason, "mailbox_exists")).toEqual({ kind: "undecided", reason });
});

test("an acceptance that could as well be a colleague's is no answer while a likelier one is undecided", () => {
  const before = Array.from({ length: bregje }, () => "temporary" as const);
  expect(decided(...before, "mailbox_exists").kind).toBe("undecided");
  expect(decided("temporary", "mailbox_exists")).toMatchObject({
    kind: "found",
    email: second.email,
  });
});

test("the best guess is none that the host refused all the same", () => {
  const guess = decided("no_such_user", "accepts_everything");
  expect([guess.kind, guess.kind === "catch_all" && guess.email]).not.toContain(first.email);
  expect(guess.kind).toBe("catch_all");
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
    namesakes: [],
    isJoined: false,
    isWhole: true,
  }));
  expect(
    decideFinding(given, (email) => (email === "a@corp.zz" ? "temporary" : "mailbox_exists")),
  ).toEqual({
    kind: "found",
    email: "b@corp.zz",
    pattern: null,
    confidence: 1,
  });
});
