import { expect, test } from "vitest";
import {
  type OperatorRow,
  placedWords,
  saidWords,
} from "../../../src/console/pure/operator-words.ts";

const PLACEMENT: NonNullable<OperatorRow["placement"]> = {
  ...{ mails: 0, inbox: 0, spam: 0, other: 0, missing: 0 },
  ...{ categories: [], last_at: "2027-01-01T00:00:00Z" },
};
const row = (more: Partial<OperatorRow>): OperatorRow => ({
  ...{ operator: "google", ledger: null, replies: [], placement: null, rate: null, ...more },
});

test("what is by policy is marked among a receiver's words", () => {
  const replies: OperatorRow["replies"] = [
    { reply: "421 too fast", category: "rate_limited", is_policy: true, messages: 2 },
    { reply: "550 nobody", category: "no_such_user", is_policy: false, messages: 1 },
  ];
  expect([saidWords(row({ replies })), saidWords(row({}))]).toEqual([
    "Policy: 421 too fast · 550 nobody",
    "",
  ]);
  const at = "2027-01-01T00:00:00Z";
  const rate = { per_hour: 12, next_at: at, full_at: at, since: at, reason: "421" };
  expect(saidWords(row({ rate }))).toBe("12 an hour");
});

test("where tests landed is said place by place", () => {
  const said = (more: object) => placedWords(row({ placement: { ...PLACEMENT, ...more } }));
  const categories = [{ category: "promotions", mails: 2 }];
  expect([
    placedWords(row({})),
    said({ inbox: 3, categories }),
    said({ spam: 1, other: 1, missing: 4 }),
  ]).toEqual(["", "3 inbox, 2 promotions", "1 spam, 1 other, 4 missing"]);
});
