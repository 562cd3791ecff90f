import { paymentMiddlewareFromHTTPServer } from "@x402/hono";
import type { x402HTTPResourceServer } from "@x402/core/server";
import type { MiddlewareHandler } from "hono";
import { AppError } from "#src/errors.ts";
import type { Settings } from "#src/deps.ts";
import type { Facilitator } from "#src/providers/facilitator/index.ts";
import type { AppEnv } from "../context.ts";
import { countUncharged } from "./quotas.ts";
import { createResourceServer, type Offer } from "./resource-server.ts";
import { openSale } from "./sale.ts";

/** Sells the operation behind it (x402 version 2): payment first, then the handler, and the money only for an answer below 400. */
export function sell(offer: Offer & { bodyLimit: number }): MiddlewareHandler<AppEnv> {
  const servers = new WeakMap<Settings, Promise<x402HTTPResourceServer>>();
  const serverOf = (settings: Settings, facilitator: Facilitator) => {
    const known = servers.get(settings) ?? createResourceServer(settings, facilitator, offer);
    servers.set(settings, known);
    return known;
  };
  return async (c, next) => {
    const { settings, facilitator } = c.get("deps");
    if (settings.wallet === null || facilitator === null) throw notSold();
    const sale = openSale(c, await serverOf(settings, facilitator), offer);
    const middleware = paymentMiddlewareFromHTTPServer(sale.server, undefined, undefined, false);
    const answer = await middleware(c, async () => {
      c.set("deadline", sale.claim()!.deadline);
      await next();
      if (c.res.status >= 400) await countUncharged(c, sale.claim()!.payer);
    });
    sale.throwTrouble();
    return answer;
  };
}

const notSold = () =>
  new AppError(
    "unavailable",
    "NOT_CONFIGURED",
    "This deployment sells no calls: its operator set no facilitator and no merchant wallet (X402_FACILITATOR_URL, X402_MERCHANT_ADDRESS).",
  );
