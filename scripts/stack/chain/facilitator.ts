import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { x402Facilitator } from "@x402/core/facilitator";
import { PAYMENT_NETWORK } from "#src/domain/billing/wallet/prices.ts";
import { createCallLog, createFaults, type Part } from "../part.ts";
import type { OpenChain } from "./open-chain.ts";
import { LIE_FAULTS, LIES, NOBODY, tellLie } from "./settlement-lies.ts";

const FAULTS = {
  down: "closes the connection without a word",
  slow: "answers after 10 s",
  error: "answers 500 with an address that is nobody's business",
  html: "answers 200 with a page",
  garbage: "answers 200 with JSON that says nothing",
  lost_answer: "does the work of a settlement and closes the connection",
  refuses_settlement: "answers that the balance does not suffice, and moves nothing",
  fails_settlement: "answers that the transaction failed, without one, and moves nothing",
  other_network: "names another network in /supported",
  checks_another: "answers /verify for another payer",
  ...LIE_FAULTS,
} as const;

const REFUSALS = {
  refuses_settlement: "invalid_exact_evm_insufficient_balance",
  fails_settlement: "invalid_exact_evm_transaction_failed",
};

const BODY_LIMIT = 256 * 1024;

/** The facilitator API (x402 version 2) over the official packages and the local chain. */
export async function startFacilitator(options: {
  port: number;
  open(): Promise<OpenChain>;
}): Promise<Part> {
  const faults = createFaults(FAULTS);
  const log = createCallLog();

  const operations: Record<string, (by: x402Facilitator, order: Order) => Promise<unknown>> = {
    "POST /verify": async (facilitator, { paymentPayload, paymentRequirements }) => {
      const checked = await facilitator.verify(paymentPayload, paymentRequirements);
      return faults.take("checks_another") ? { ...checked, payer: NOBODY } : checked;
    },
    "POST /settle": (facilitator, { paymentPayload, paymentRequirements }) =>
      facilitator.settle(paymentPayload, paymentRequirements),
    "GET /supported": async (facilitator) => {
      const supported = facilitator.getSupported();
      if (!faults.take("other_network")) return supported;
      const kinds = supported.kinds.map((kind) => ({ ...kind, network: "eip155:1" }));
      return { ...supported, kinds };
    },
  };

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const path = `${request.method} ${request.url}`;
    const operation = operations[path];
    const text = await readText(request);
    log.add(path);
    if (operation === undefined) return send(response, 404, { error: "not found" });
    if (faults.take("down")) return request.socket.destroy();
    if (faults.take("slow")) await delay(10_000);
    if (faults.take("error"))
      return send(response, 500, { error: "https://user:hunter2@rpc.internal.zz is down" });
    if (faults.take("html")) return sendText(response, 200, "text/html", "<html>It works!</html>");
    if (faults.take("garbage")) return send(response, 200, { hello: "world" });
    if (path === "POST /settle")
      for (const [fault, errorReason] of Object.entries(REFUSALS))
        if (faults.take(fault))
          return send(response, 200, {
            success: false,
            errorReason,
            transaction: "",
            network: PAYMENT_NETWORK,
          });
    const { ledger, facilitator } = await options.open();
    await ledger.follow(new Date());
    const order = text === "" ? ({} as Order) : (JSON.parse(text) as Order);
    const result = await operation(facilitator, order);
    if (path === "POST /settle") {
      if (faults.take("lost_answer")) return request.socket.destroy();
      const lie = LIES.find((each) => faults.take(each));
      if (lie !== undefined) {
        const { status, text } = tellLie(lie, result as never);
        return sendText(response, status, "application/json", text);
      }
    }
    return send(response, 200, result);
  }

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.add("failed", String(error));
      send(response, 500, { error: String(error) });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  return {
    name: "facilitator",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Order {
  paymentPayload: Parameters<x402Facilitator["verify"]>[0];
  paymentRequirements: Parameters<x402Facilitator["verify"]>[1];
}

async function readText(request: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT) throw new Error("the body is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function send(response: http.ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === "bigint" ? String(each) : each,
  );
  sendText(response, status, "application/json", text);
}

function sendText(response: http.ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type });
  response.end(text);
}
