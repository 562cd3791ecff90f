import { expect, test } from "vitest";
import { readSettled } from "#src/providers/facilitator/read-settled.ts";

const PAYER = `0x${"aB".repeat(20)}`;
const HASH = `0x${"12".repeat(32)}`;
const PAYMENT = { x402Version: 2, payload: { authorization: { from: PAYER } } };
const read = (value: unknown, status = 200) => readSettled(PAYMENT, { status, value });
const refusal = (errorReason: unknown, more: object = {}) => ({
  success: false,
  errorReason,
  transaction: "",
  ...more,
});
const evm = (reason: string) => `invalid_exact_evm_${reason}`;

test.each([
  evm("payload_authorization_valid_before"),
  evm("insufficient_balance"),
  evm("signature"),
  "insufficient_funds",
])("%s without a transaction is said before anything is sent", (reason) => {
  expect(read(refusal(reason))).toEqual({ kind: "refused", reason });
  expect(read(refusal(reason, { transaction: null }), 400)).toEqual({ kind: "refused", reason });
});

test.each([
  evm("transaction_failed"),
  evm("transaction_simulation_failed"),
  evm("transfer_event_mismatch"),
  "invalid_transaction_state",
  "settlement_pending",
  "unexpected_settle_error",
  "a_reason_of_next_year",
  "Insufficient_Balance",
  "",
  null,
])("%j without a transaction leaves open whether the money moves", (reason) => {
  expect(read(refusal(reason)).kind).toBe("unknown");
});

test("a spent nonce is spent by this payment or without it", () => {
  const reason = evm("nonce_already_used");
  expect(read(refusal(reason))).toEqual({ kind: "used", reason });
});

test("a failed transaction is one that has a hash", () => {
  const reason = evm("transaction_failed");
  const reverted = { kind: "reverted", reason, transaction: HASH };
  expect(read(refusal(reason, { transaction: HASH }))).toEqual(reverted);
  // What is refused before sending has none.
  const odd = refusal(evm("insufficient_balance"), { transaction: HASH });
  expect(read(odd).kind).toBe("unknown");
  expect(read(refusal("settlement_pending", { transaction: HASH })).kind).toBe("unknown");
});

test("success is a transaction of this payer, in whatever spelling, and the status of success", () => {
  const success = { success: true, transaction: HASH, payer: PAYER };
  const settled = { kind: "settled", transaction: HASH };
  expect(read(success)).toEqual(settled);
  expect(read({ ...success, payer: PAYER.toLowerCase() })).toEqual(settled);
  expect(read({ ...success, payer: null })).toEqual(settled);
  for (const transaction of ["", "0x", `0x${"0".repeat(64)}`, "pending", `${HASH}0`, null])
    expect(read({ ...success, transaction }).kind).toBe("unknown");
  for (const status of [201, 302, 400, 500]) expect(read(success, status).kind).toBe("unknown");
  expect(read({ ...success, payer: `0x${"9".repeat(40)}` }).kind).toBe("unknown");
});

test("a refusal of another payer's payment, or by a server in error, is none", () => {
  const reason = evm("insufficient_balance");
  expect(read(refusal(reason, { payer: `0x${"9".repeat(40)}` })).kind).toBe("unknown");
  expect(read(refusal(reason), 500).kind).toBe("unknown");
});

test.each([
  [null],
  ["text"],
  [[]],
  [{}],
  [{ success: "true" }],
  [{ success: 1, transaction: HASH }],
])("%j says nothing", (value) => expect(read(value).kind).toBe("unknown"));
