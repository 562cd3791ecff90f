import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "../sdk/index.ts";
import { Refusal } from "./refusal.ts";

const ATTEMPTS = 3;
const LONGEST_MS = 15_000;

export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Posts events as the service's webhooks do (Standard Webhooks 1.0.0); resolves with what the receiver made of it. */
export function forwarderTo(url: string, secret: string) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (!/^https?:/.test(url)) throw new Refusal("--forward takes an http or https address.");
  if (key.length < 16) throw new Refusal("That is no secret of a webhook: whsec_...");
  return async (event: Event, signal?: AbortSignal): Promise<string> => {
    const body = JSON.stringify(event);
    let outcome = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const mac = createHmac("sha256", key).update(`${event.id}.${timestamp}.${body}`);
      const limit = AbortSignal.timeout(LONGEST_MS);
      try {
        const { ok, status } = await fetch(url, {
          method: "POST",
          redirect: "manual",
          headers: {
            "content-type": "application/json",
            "user-agent": "Overture-Webhooks/1.0",
            "webhook-id": event.id,
            "webhook-timestamp": timestamp,
            "webhook-signature": `v1,${mac.digest("base64")}`,
          },
          body,
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        });
        outcome = String(status);
        if (ok) return outcome;
      } catch (error) {
        signal?.throwIfAborted();
        outcome = (error as Error).message;
      }
      if (attempt < ATTEMPTS) await delay(attempt * 500, undefined, signal && { signal });
    }
    return outcome;
  };
}
