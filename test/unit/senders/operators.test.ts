import { describe, expect, test } from "vitest";
import type { OperatorReply, OperatorSums } from "#db/senders/domain-operators.ts";
import { operatorRows } from "#src/domain/senders/operators/read-operators.ts";

const at = new Date("2027-01-04T09:00:00Z");
const sums: OperatorSums = {
  ...{ operator: "one.zz", domains: 1, unknownDomains: 1, lookedUpAt: null, messages: 100 },
  ...{ accepted: 90, refused: 6, waiting: 4, deferred: 4, complained: 0, lastAt: at },
  ...{ allMessages: 100, allOperators: 1, since: at },
};
const said = (reply: string, how: OperatorReply["how"] = "refused", messages = 1) => ({
  ...{ operator: "one.zz", how, reply, messages, lastAt: at },
});
const rowOf = (...replies: OperatorReply[]) =>
  operatorRows({ sums: [sums], replies, placed: [], rates: [] })[0]!;

describe("what a receiver's words mean", () => {
  test.each([
    ["421 4.7.28 Gmail has detected an unusual rate of mail", "rate_limited", true],
    [
      "550 5.7.26 This mail has been blocked because the sender is unauthenticated",
      "authentication",
      true,
    ],
    [
      "554 5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org",
      "ip_blocked",
      true,
    ],
    ["450 4.2.0 Greylisted, see http://postgrey", "greylisted", false],
    ["552 5.2.2 Mailbox full", "mailbox_full", false],
    ["550 5.1.1 No such user here", "no_such_user", false],
  ])("%s", (reply, category, isPolicy) => {
    expect(rowOf(said(reply)).replies).toEqual([{ reply, category, isPolicy, messages: 1 }]);
  });
});

test("by policy are counted the messages, refused and waiting apart, also beyond the three replies that are shown", () => {
  const limited = "421 4.7.28 unusual rate of mail";
  const row = rowOf(
    said(limited, "waiting", 2),
    said(limited, "refused", 1),
    ...["a", "b", "c", "d"].map((each) => said(`554 5.7.1 Message ${each} is spam`)),
  );
  expect([row.ledger!.refusedByPolicy, row.ledger!.waitingByPolicy]).toEqual([5, 2]);
  expect(row.replies.map(({ messages }) => messages)).toEqual([3, 1, 1]);
});

test("an operator that only tests went to has no ledger", () => {
  const placed = { operator: "two.zz", state: "found", place: "spam", category: null } as const;
  const rows = operatorRows({
    ...{ sums: [sums], replies: [], rates: [] },
    placed: [{ ...placed, mails: 2, lastAt: at }],
  });
  expect(rows.map(({ operator, ledger }) => [operator, ledger !== null])).toEqual([
    ["one.zz", true],
    ["two.zz", false],
  ]);
  expect(rows[1]!.placement).toMatchObject({ mails: 2, spam: 2, inbox: 0 });
});
