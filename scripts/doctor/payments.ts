import { Stripe } from "stripe";
import { z } from "zod";
import { createFacilitator } from "#src/wiring.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { PAYMENT_NETWORK } from "#src/domain/billing/wallet/prices.ts";
import { TOLD } from "#src/providers/payments/stripe-objects.ts";
import { answerOf, type Check, type Context } from "./context.ts";
import { fail, off, ok, type Said, warn } from "./finding.ts";
import { whereToFind } from "./where.ts";

const Endpoints = z.object({
  data: z.array(
    z.object({
      url: z.string(),
      status: z.string(),
      api_version: z.string().nullable(),
      enabled_events: z.array(z.string()),
    }),
  ),
});
type Endpoint = z.output<typeof Endpoints>["data"][number];

const HOW = "docs/deploying.md, Selling credits";

export const stripe: Check = {
  part: "stripe",
  async run({ config, ask }) {
    if (config.stripe === null) return [off("STRIPE_SECRET_KEY is not set: no credits are sold")];
    const url = `${config.publicBaseUrl}/api/v1/payments/webhook`;
    const reply = await ask(`${config.stripe.base}/v1/webhook_endpoints?limit=100`, {
      headers: {
        authorization: `Bearer ${config.stripe.secretKey}`,
        "stripe-version": Stripe.API_VERSION,
      },
    });
    if (reply.status === 401)
      return [fail("STRIPE_SECRET_KEY is refused", whereToFind("STRIPE_SECRET_KEY"))];
    if (reply.status === 403)
      return [
        warn(
          "a restricted key may not list webhook endpoints: whether ours is there is not known",
          `Look in the dashboard for ${url}; ${HOW}`,
        ),
      ];
    const { success, data } = Endpoints.safeParse(reply.json);
    if (!success) return [fail(`Stripe ${answerOf(reply)}`, HOW)];
    const found = data.data.find((each) => each.url === url);
    return found === undefined
      ? [fail(`no webhook endpoint calls ${url}: what is paid is credited late`, HOW)]
      : endpointSays(found);
  },
};

function endpointSays(endpoint: Endpoint): Said[] {
  const missing = Object.keys(TOLD).filter(
    (type) => !endpoint.enabled_events.some((each) => each === "*" || each === type),
  );
  const said: Said[] = [
    ...(endpoint.status === "enabled" ? [] : [fail("its webhook endpoint is disabled", HOW)]),
    ...(endpoint.api_version === Stripe.API_VERSION
      ? []
      : [
          fail(
            `its webhook endpoint speaks ${endpoint.api_version ?? "the account's default version"}, not ${Stripe.API_VERSION}`,
            "Make the endpoint anew with that version: it cannot be changed.",
          ),
        ]),
    ...(missing.length === 0
      ? []
      : [fail(`its webhook endpoint does not send ${missing.join(", ")}`, HOW)]),
  ];
  return said.length === 0 ? [ok("its webhook endpoint is as it should be")] : said;
}

const RpcAnswer = z.object({ result: z.string() });
const BASE_CHAIN = PAYMENT_NETWORK.split(":")[1]!;

export const wallet: Check = {
  part: "paid calls",
  async run(context) {
    const { config } = context;
    if (config.wallet === null) return [off("X402_FACILITATOR_URL is not set: no calls are sold")];
    const facilitator = createFacilitator(config, {
      fetch,
      dial: () => Promise.reject(new Error("nothing is dialled here")),
      clock: systemClock,
      randomBytes: systemRandomBytes,
      writeLog: () => {},
    });
    const supports = await facilitator?.supports({ scheme: "exact", network: PAYMENT_NETWORK });
    return [facilitatorSays(supports ?? null), await nodeSays(context, config.wallet.rpcUrl)];
  },
};

function facilitatorSays(supports: boolean | null): Said {
  const fix = "docs/deploying.md, Selling calls";
  if (supports === null)
    return fail("the facilitator of X402_FACILITATOR_URL does not answer as one", fix);
  return supports
    ? ok(`the facilitator serves exact on ${PAYMENT_NETWORK}`)
    : fail(`the facilitator does not serve exact on ${PAYMENT_NETWORK}`, fix);
}

async function nodeSays({ ask }: Context, url: string | null): Promise<Said> {
  if (url === null)
    return warn(
      "X402_RPC_URL is not set: a payment in doubt is not looked up",
      "Any node of Base, such as your provider's https endpoint.",
    );
  const reply = await ask(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
  });
  const { success, data } = RpcAnswer.safeParse(reply.json);
  if (!success) return fail(`X402_RPC_URL ${answerOf(reply)}: it is no node`, "See X402_RPC_URL.");
  return String(Number(data.result)) === BASE_CHAIN
    ? ok("the node is of Base")
    : fail(
        `X402_RPC_URL is of chain ${Number(data.result)}, not ${BASE_CHAIN}`,
        "See X402_RPC_URL.",
      );
}
