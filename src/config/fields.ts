import * as z from "zod";
import { fromBase64 } from "#src/platform/encoding.ts";

/** Kinds of variables that several parts of the configuration have. */
export const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));
export const secret = z.string().min(16, "must be at least 16 characters");
export const keyOf32Bytes = z.string().transform((value, context) => {
  const bytes = fromBase64(value);
  if (bytes?.length === 32) return bytes;
  context.addIssue("must be 32 bytes in base64 (openssl rand -base64 32)");
  return z.NEVER;
});
/** None or more, parted by commas. */
export const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  );
export const secrets = list.pipe(z.array(secret).max(10));
export const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
export const hostName = z
  .string()
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/, "must be a domain name in lower case");

interface Check<Env> {
  path: string[];
  message: string;
  holds(env: Env): boolean;
}

/** Both variables or neither. */
export const together = <One extends string, Other extends string>(
  one: One,
  other: Other,
): Check<Partial<Record<One | Other, unknown>>> => ({
  path: [other],
  message: `set it together with ${one}, or neither`,
  holds: (env) => (env[one] === undefined) === (env[other] === undefined),
});

/** Port numbers, parted by commas. */
export const ports = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) => text.split(",").map((one) => Number(one.trim())))
    .pipe(z.array(z.int().min(1).max(65_535)).min(1).max(20));

/** An address is said as a literal: RFC 5321 section 4.1.3. A URL has one of version 6 in brackets already. */
export function ehloNameOf(host: string): string {
  if (host.startsWith("[")) return `[IPv6:${host.slice(1)}`;
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? `[${host}]` : host;
}
