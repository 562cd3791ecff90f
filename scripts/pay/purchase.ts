import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { Address, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { PAYMENT_NETWORK } from "#src/domain/billing/wallet/prices.ts";
import { openLedger } from "../stack/chain/ledger.ts";

export interface Order {
  baseUrl: string;
  /** The path below /api/x402/v1. */
  call: string;
  body: Record<string, unknown>;
  privateKey: Hex;
  /** Where balances are read; without it none are. */
  rpcUrl: string | null;
}

/** What a call cost, and the payer. */
export interface Purchase {
  call: string;
  body: Record<string, unknown>;
  status: number;
  answer: unknown;
  buyer: Address;
  /** What was asked for and signed; null when the answer was no price. Amounts are millionths of a USDC. */
  signed: { amount: number; merchant: Address } | null;
  /** The transaction that moved the money; null when nothing was charged. */
  transaction: string | null;
  balances: { before: Balances; after: Balances } | null;
}

interface Balances {
  buyer: number;
  merchant: number;
}

/** Buys one call as an agent does: the official client asks, signs what it is asked for, and asks again. */
export async function buyCall({
  baseUrl,
  call,
  body,
  privateKey,
  rpcUrl,
}: Order): Promise<Purchase> {
  const account = privateKeyToAccount(privateKey);
  const client = new x402Client().register(PAYMENT_NETWORK, new ExactEvmScheme(account));
  let signed = null as Purchase["signed"];
  let before = null as Balances | null;
  const look = () => readBalances(rpcUrl, account.address, signed);
  client.onAfterPaymentCreation(async ({ selectedRequirements: { amount, payTo } }) => {
    signed = { amount: Number(amount), merchant: payTo as Address };
    before = await look();
  });
  const response = await wrapFetchWithPayment(fetch, client)(`${baseUrl}/api/x402/v1/${call}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const receipt = response.headers.get("payment-response");
  const answer = await response.json();
  const after = await look();
  return {
    call,
    body,
    status: response.status,
    answer,
    buyer: account.address,
    signed,
    transaction: receipt === null ? null : decodePaymentResponseHeader(receipt).transaction,
    balances: before === null || after === null ? null : { before, after },
  };
}

async function readBalances(
  rpcUrl: string | null,
  buyer: Address,
  signed: Purchase["signed"],
): Promise<Balances | null> {
  if (rpcUrl === null || signed === null) return null;
  const { balanceOf } = openLedger(rpcUrl);
  return {
    buyer: Number(await balanceOf(buyer)),
    merchant: Number(await balanceOf(signed.merchant)),
  };
}

/** Payer, receiver, amount, and the call that was paid for. */
export function tellPurchase({ call, body, status, answer, buyer, signed, ...rest }: Purchase) {
  const { transaction, balances } = rest;
  const lines = [
    `POST /api/x402/v1/${call} ${JSON.stringify(body)}`,
    `${status} ${JSON.stringify(answer)}`,
  ];
  if (transaction === null || signed === null) lines.push("Nothing was charged.");
  else
    lines.push(
      `${buyer} paid ${usdc(signed.amount)} to ${signed.merchant}`,
      `on ${PAYMENT_NETWORK}, transaction ${transaction}`,
    );
  if (balances === null) return lines;
  const { before, after } = balances;
  return [
    ...lines,
    `buyer     ${usdc(before.buyer)} -> ${usdc(after.buyer)}`,
    `merchant  ${usdc(before.merchant)} -> ${usdc(after.merchant)}`,
  ];
}

const usdc = (millionths: number) => `${(millionths / 1e6).toFixed(6)} USDC`;
