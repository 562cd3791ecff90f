import { encodePaymentSignatureHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm";
import { x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { PAYMENT_NETWORK } from "#src/domain/billing/wallet/prices.ts";
import type { TestService } from "../support/service.ts";
import { percentile } from "./report.ts";

const COUNT = 200;
const PURSE = 1_000_000_000n;
const TARGET = { served: 190, seconds: 30 };
const CALLS = [
  { path: "/api/x402/v1/prospects/search", body: { tags: ["bench"] } },
  { path: "/api/x402/v1/email/verify", body: { email: "noreply@corp.zz" } },
  { path: "/api/x402/v1/email/verify", body: { email: "anna@corp.zz" } },
];

/** Payments of one wallet that come all at once: how many are served, how soon, and what the others are told. */
export async function benchPaidAtOnce(service: TestService): Promise<void> {
  console.log(`\n${COUNT} payments at once, target ${TARGET.served} served in ${TARGET.seconds} s`);
  const { ledger } = await service.stack.chain!.open();
  for (const { path, body } of CALLS) {
    const account = privateKeyToAccount(generatePrivateKey());
    await ledger.mint(account.address, PURSE);
    const client = new x402Client().register(PAYMENT_NETWORK, new ExactEvmScheme(account));
    const send = (headers: Record<string, string>) =>
      fetch(service.baseUrl + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const asked = (await (await send({})).json()) as Parameters<
      x402Client["createPaymentPayload"]
    >[0];
    const payments: string[] = [];
    while (payments.length < COUNT)
      payments.push(encodePaymentSignatureHeader(await client.createPaymentPayload(asked)));
    const startedAt = performance.now();
    const seconds: number[] = [];
    const told: Record<string, number> = {};
    await Promise.all(
      payments.map(async (payment) => {
        const reply = await send({ "payment-signature": payment });
        const { error, detail } = (await reply.json()) as { error?: string; detail?: unknown };
        const said = [reply.status, error ?? JSON.stringify(detail)].join(" ").trim();
        told[said] = (told[said] ?? 0) + 1;
        seconds.push((performance.now() - startedAt) / 1000);
      }),
    );
    const charged =
      (PURSE - (await ledger.balanceOf(account.address))) / BigInt(asked.accepts[0]!.amount);
    const [middle, last] = [percentile(seconds, 0.5), Math.max(...seconds)];
    console.log(
      `  ${path} ${JSON.stringify(body)}: ${JSON.stringify(told)}, p50 ${middle.toFixed(1)} s, last ${last.toFixed(1)} s, ${charged} charged`,
    );
  }
}
