import type { Header } from "./model.ts";

const TEXT = { type: "string" };

/** Every header that an operation answers with; `required` says that such an answer never lacks it. */
export const HEADERS = {
  "X-Request-Id": {
    description: "Of this request, for a report or a look into the log; yours, if you sent one.",
    required: true,
    schema: { ...TEXT, pattern: "^[A-Za-z0-9._-]{1,64}$", example: "8f1f4c0e9f3b4d7c" },
  },
  RateLimit: {
    description:
      "What is left of each quota that was counted: `r` requests, for `t` more seconds (draft-ietf-httpapi-ratelimit-headers).",
    schema: { ...TEXT, example: '"workspace";r=599;t=42' },
  },
  "RateLimit-Policy": {
    description: "Each quota that was counted: `q` requests in `w` seconds.",
    schema: { ...TEXT, example: '"workspace";q=600;w=60' },
  },
  "Retry-After": {
    description: "Seconds to wait before asking again.",
    schema: { type: "integer", minimum: 1, example: 2 },
  },
  "X-Total-Count": {
    description: "How many there are in all, on whatever page.",
    required: true,
    schema: { type: "integer", minimum: 0, example: 128 },
  },
  "Content-Disposition": {
    description: "Names the file.",
    required: true,
    schema: { ...TEXT, example: 'attachment; filename="leads.csv"' },
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750), where a bearer credential is asked for.",
    schema: { ...TEXT, example: 'Bearer error="invalid_token"' },
  },
  "Set-Cookie": {
    description: "The session, which the browser keeps and no script reads; empty where it ends.",
    schema: { ...TEXT, example: "__Host-overture=v1.c2VhbGVk; Path=/; HttpOnly; Secure" },
  },
  "PAYMENT-REQUIRED": {
    description: "What is to be paid, and to whom: a PaymentRequired of x402 version 2 in base64.",
    required: true,
    schema: { ...TEXT, format: "byte" },
  },
  "PAYMENT-RESPONSE": {
    description:
      "The receipt of the payment that bought this answer, JSON in base64; signed for others to check (x402 extension offer-receipt, key at `/.well-known/did.json`).",
    required: true,
    schema: { ...TEXT, format: "byte" },
  },
} satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;
