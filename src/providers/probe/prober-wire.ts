import * as z from "zod";
import { toHex } from "#src/platform/encoding.ts";
import { MAX_HOSTS, type ProbePlan } from "./index.ts";
import { isProbeAddress, LONGEST_HOST } from "./plan.ts";

/** What the service and its prober say to each other: JSON, signed over the instant and the raw body. */
export const PROBE_PATH = "/probe";
export const TIMESTAMP_HEADER = "x-probe-timestamp";
export const SIGNATURE_HEADER = "x-probe-signature";
/** Milliseconds by which the two clocks may differ, and for how long a request could be sent again. */
export const REPLAY_WINDOW_MS = 60_000;
/** Bytes of a plan: 4 names, 20 addresses. */
export const MAX_PLAN_BYTES = 16 * 1024;

const address = z.string().max(320).refine(isProbeAddress, "is no address");

export const planSchema = z.object({
  hosts: z.array(z.string().min(1).max(LONGEST_HOST)).min(1).max(MAX_HOSTS),
  recipients: z.array(address).min(1).max(20),
  random: address.nullable(),
  beside: z.record(address, address).exactOptional(),
  stopAtFirstAccept: z.boolean(),
  maxRefusals: z.int().min(1).max(20),
  budgetMs: z.int().min(100).max(60_000),
}) satisfies z.ZodType<ProbePlan>;

const reply = z.object({
  code: z.int().min(200).max(599),
  enhanced: z.string().max(12).exactOptional(),
  text: z.string().max(500),
});

const exchange = z.object({
  stage: z.enum(["banner", "ehlo", "tls", "mail", "rcpt"]),
  recipient: z.string().max(320).exactOptional(),
  isRandom: z.boolean().exactOptional(),
  reply,
  ms: z.number(),
});

const connection = z.object({
  host: z.string().max(LONGEST_HOST),
  address: z.string().max(64).nullable(),
  stage: z.enum(["connect", "banner", "ehlo", "tls", "mail", "rcpt"]),
  exchanges: z.array(exchange).max(100),
  end: z.enum([
    "done",
    "refused",
    "unreachable",
    "paced",
    "no_address",
    "forbidden",
    "closed",
    "timeout",
    "not_smtp",
    "tls_failed",
    "no_smtputf8",
  ]),
  goodbye: reply.nullable().default(null),
  detail: z.string().max(2_000).exactOptional(),
  ms: z.number(),
});

export const answerSchema = z.object({ connections: z.array(connection).max(20) });

/** HMAC-SHA-256 in hex over `<timestamp>.<body>`. */
export async function signPlan(secret: string, timestamp: string, body: string): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", await keyOf(secret), bytesOf(timestamp, body));
  return toHex(new Uint8Array(mac));
}

const encoder = new TextEncoder();
const bytesOf = (timestamp: string, body: string) => encoder.encode(`${timestamp}.${body}`);

const keyOf = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
