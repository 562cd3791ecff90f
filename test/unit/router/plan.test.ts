import { expect, test } from "vitest";
import { planOf } from "#src/router/plan.ts";

const named = { authorization: "Bearer x" };
const plans: [string, string, Record<string, string>, unknown][] = [
  ["GET", "/o/abc.gif", {}, { kind: "token", token: "abc.gif" }],
  ["GET", "/c/abc", named, { kind: "token", token: "abc" }],
  ["GET", "/u/abc", {}, { kind: "token", token: "abc" }],
  ["POST", "/u/abc", {}, { kind: "in_turn", token: "abc" }],
  ["GET", "/oauth/mail/callback?state=x", {}, { kind: "in_turn", token: "" }],
  ["GET", "/oauth/postmaster/callback?state=x", {}, { kind: "in_turn", token: "" }],
  ["POST", "/api/v1/mailer/inbound", {}, { kind: "every" }],
  ["POST", "/api/v2/payments/webhook", {}, { kind: "every" }],
  ["POST", "/api/v1/socialnet/webhook", {}, { kind: "every" }],
  ["POST", "/api/v1/notifications/whatsapp/webhook", {}, { kind: "every" }],
  ["GET", "/api/v1/notifications/whatsapp/webhook", {}, { kind: "shared" }],
  ["POST", "/prospects/opt-out/abc", {}, { kind: "every" }],
  ["GET", "/prospects/opt-out/abc", {}, { kind: "shared" }],
  ["POST", "/api/x402/v1/verify", named, { kind: "shared" }],
  ["GET", "/api/v1/templates", named, { kind: "caller", of: "headers" }],
  [
    "GET",
    "/api/v1/templates",
    { cookie: "a=b; __Host-overture=x" },
    { kind: "caller", of: "headers" },
  ],
  ["GET", "/api/v1/templates", { cookie: "a=b; __Host-overture-login=x" }, { kind: "shared" }],
  ["GET", "/api/v1/templates", {}, { kind: "shared" }],
  ["POST", "/mcp", named, { kind: "caller", of: "headers" }],
  ["POST", "/api/v1/auth/session", {}, { kind: "caller", of: "credential" }],
  ["PATCH", "/api/v2/auth/session", {}, { kind: "caller", of: "choice" }],
  ["DELETE", "/api/v1/auth/session", {}, { kind: "shared" }],
  ["POST", "/api/v1/invitations/abc/accept", named, { kind: "caller", of: { invitation: "abc" } }],
  ["GET", "/cells", {}, { kind: "cells" }],
  ["POST", "/cells/hits", {}, { kind: "others" }],
  ["POST", "/cells/sessions", {}, { kind: "others" }],
  // What the router asks its cells is nobody's to ask through it.
  ["GET", "/cells/where", named, { kind: "nothing" }],
  ["POST", "/functions/campaign-tick", {}, { kind: "nothing" }],
  ["GET", "/docs", {}, { kind: "shared" }],
  ["GET", "/console/", {}, { kind: "shared" }],
];

test.each(plans)("%s %s %o", (method, path, headers, plan) => {
  expect(planOf(new Request(`https://overture.example.com${path}`, { method, headers }))).toEqual(
    plan,
  );
});
