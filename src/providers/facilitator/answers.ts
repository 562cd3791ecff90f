import * as z from "zod";
import type { ProtocolObject } from "./index.ts";

/** What came back from the facilitator's API; `value` is null where it was no JSON. */
export interface Answer {
  status: number;
  value: unknown;
}

export const protocolText = z.string().max(1_000);

/** The protocol's own words for why, as opposed to a sentence that says something of the facilitator's insides. */
export const PROTOCOL_REASON = /^[a-z0-9_]{3,100}$/;

const signed = z.object({ payload: z.object({ authorization: z.object({ from: z.string() }) }) });

/** Whether an answer speaks of this payment's payer: one that names another is no answer to it. */
export function isFor(payment: ProtocolObject, payer: string | null | undefined): boolean {
  if (!payer) return true;
  const { data } = signed.safeParse(payment);
  return data?.payload.authorization.from.toLowerCase() === payer.toLowerCase();
}
