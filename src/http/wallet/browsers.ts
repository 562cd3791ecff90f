import { cors } from "hono/cors";

/** Wallets in pages of other origins may pay: no cookie and no key is at stake. */
export const allowBrowsers = cors({
  origin: "*",
  allowMethods: ["POST"],
  // The official client sends Access-Control-Expose-Headers as a header of its request.
  allowHeaders: ["Content-Type", "PAYMENT-SIGNATURE", "Access-Control-Expose-Headers"],
  exposeHeaders: [
    "PAYMENT-REQUIRED",
    "PAYMENT-RESPONSE",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "X-Request-Id",
  ],
  maxAge: 86_400,
});
