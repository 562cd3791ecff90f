import * as z from "zod";
import { type Answer, isFor, protocolText } from "./answers.ts";
import type { ProtocolObject, SettleAnswer } from "./index.ts";

const settlement = z.object({
  success: z.boolean(),
  errorReason: protocolText.nullish(),
  payer: protocolText.nullish(),
  transaction: protocolText.nullish(),
});

/**
 * Why a facilitator sends nothing: what the official one says before it sends (@x402/evm, exact/facilitator, for
 * EIP-3009), or makes of a node's refusal to take the transaction, and the codes of the protocol's text (section 9,
 * "Error Handling"). Any other reason leaves open what became of the transaction. So does `transaction_failed`
 * without a transaction, which is what the official one makes of any other error while it sends, an answer of the
 * node that was lost among them; and `transaction_simulation_failed` covers a node that did not answer.
 */
const SENDS_NOTHING = new Set([
  "asset_not_deployed_contract",
  "eip6492_factory_not_allowed",
  "smart_wallet_deployment_failed",
  "unsupported_payload_type",
  ...[
    "authorization_value",
    "eip3009_not_supported",
    "failed_to_parse_signature",
    "insufficient_balance",
    "missing_eip712_domain",
    "network_mismatch",
    "payload_authorization_valid_after",
    "payload_authorization_valid_before",
    "payload_authorization_value",
    "payload_authorization_value_mismatch",
    "payload_recipient_mismatch",
    "payload_signature",
    "recipient_mismatch",
    "scheme",
    "signature",
    "token_name_mismatch",
    "token_version_mismatch",
  ].map((reason) => `invalid_exact_evm_${reason}`),
  "insufficient_funds",
  "invalid_network",
  "invalid_payload",
  "invalid_payment_requirements",
  "invalid_scheme",
  "invalid_x402_version",
  "unsupported_scheme",
]);
const IS_USED = "invalid_exact_evm_nonce_already_used";
/** With the hash of the transaction: it was carried out, and reverted. */
const HAS_FAILED = new Set(["invalid_exact_evm_transaction_failed", "invalid_transaction_state"]);

const TRANSACTION = /^0x(?!0+$)[0-9a-f]{64}$/i;

/** Reads what `/settle` answered about this payment: anything that is not surely an end of it is `unknown`. */
export function readSettled(payment: ProtocolObject, { status, value }: Answer): SettleAnswer {
  const { data } = settlement.safeParse(value);
  const said = `settle answered ${status}`;
  if (data === undefined) return { kind: "unknown", detail: said };
  if (!isFor(payment, data.payer)) return { kind: "unknown", detail: `${said}, for another payer` };
  const transaction = TRANSACTION.test(data.transaction ?? "") ? data.transaction! : null;
  const reason = data.errorReason ?? "";
  if (data.success) {
    if (status === 200 && transaction !== null) return { kind: "settled", transaction };
  } else if (status < 500) {
    if (reason === IS_USED) return { kind: "used", reason };
    if (transaction === null && SENDS_NOTHING.has(reason)) return { kind: "refused", reason };
    if (transaction !== null && HAS_FAILED.has(reason))
      return { kind: "reverted", reason, transaction };
  }
  return {
    kind: "unknown",
    detail: `${said}, success ${data.success}, ${reason || "without a reason"}, ${transaction ?? "without a transaction"}`,
  };
}
