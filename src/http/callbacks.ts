import { Receiver } from "@upstash/qstash";
import { z } from "zod";
import type { App } from "#src/app.ts";
import type { Deps } from "#src/deps.ts";
import { TICK_CALLBACK } from "#src/domain/campaigns/run-tick.ts";
import { countWake } from "#src/domain/campaigns/wake-hint.ts";
import { badRequest, unauthenticated } from "#src/errors.ts";
import { MIB, readCapped } from "./body.ts";

/** What the queue calls: its payload's shape, and what to do. Safe to repeat, safe to lose. */
export interface Callback<S extends z.ZodType = z.ZodType> {
  name: string;
  payload: S;
  run(deps: Deps, payload: z.output<S>): Promise<unknown>;
}

/** Types a callback by its own payload schema. */
export function callback<S extends z.ZodType>(definition: Callback<S>): Callback {
  return definition as unknown as Callback;
}

const CLOCK_TOLERANCE_SECONDS = 10;

/** POST /functions/<name>: signature, then payload, then the domain. Never limited, never in the API's description. */
export function mountCallbacks(app: App, callbacks: Callback[]): void {
  for (const { name, payload, run } of callbacks) {
    app.post(`/functions/${name}`, async (c) => {
      c.set("envelope", "coded");
      const deps = c.get("deps");
      const body = new TextDecoder().decode(await readCapped(c.req.raw, MIB));
      await verifySignature(deps, c.req.header("upstash-signature"), `/functions/${name}`, body);
      const parsed = payload.safeParse(parseJson(body));
      if (!parsed.success) {
        throw badRequest(
          "INVALID_PAYLOAD",
          `Not a payload of ${name}: ${z.prettifyError(parsed.error)}`,
        );
      }
      const result = (await run(deps, parsed.data)) ?? null;
      // What a job changed may have made something due; a tick itself knows what it left.
      if (name !== TICK_CALLBACK) await countWake(deps);
      return c.json({ ok: true, result });
    });
  }
}

/** The URL signed is the public one, never what the Host header says. */
async function verifySignature(
  deps: Deps,
  signature: string | undefined,
  path: string,
  body: string,
): Promise<void> {
  const { currentSigningKey, nextSigningKey } = deps.settings.queueKeys;
  // devMode: false because the SDK otherwise accepts well-known development keys when QSTASH_DEV is set.
  const receiver = new Receiver({ currentSigningKey, nextSigningKey, devMode: false });
  const genuine = await receiver
    .verify({
      signature: signature ?? "",
      body,
      url: deps.settings.publicBaseUrl + path,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    })
    .catch(() => false);
  if (!genuine)
    throw unauthenticated(
      "UNAUTHENTICATED",
      "The Upstash-Signature header is missing, wrong or expired.",
    );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
