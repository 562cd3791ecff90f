import { Hono } from "hono";
import { expect, test } from "vitest";
import { AppError, badRequest, conflict, notFound, unauthenticated } from "#src/errors.ts";
import type { AppEnv, Envelope } from "#src/http/context.ts";
import { writeError } from "#src/http/errors.ts";

/** The error as an operation of that kind answers it. */
async function written(error: AppError, envelope: Envelope) {
  const app = new Hono<AppEnv>();
  app.get("/", (c) => {
    c.set("envelope", envelope);
    throw error;
  });
  app.onError(writeError);
  const reply = await app.request("/");
  return [reply.status, await reply.json()];
}

test("a 400 of a coded operation is BAD_REQUEST, beside its words", async () => {
  expect(await written(badRequest("BAD_REQUEST", "It is no JSON."), "coded")).toEqual([
    400,
    { detail: "BAD_REQUEST", message: "It is no JSON." },
  ]);
});

test.each([
  ["BAD_REQUEST", badRequest("BAD_REQUEST", "Why."), 400],
  ["UNAUTHENTICATED", unauthenticated("UNAUTHENTICATED", "Why."), 401],
  ["KEY_REVOKED", unauthenticated("KEY_REVOKED", "Why."), 401],
  ["any 404", new AppError("not_found", "TEMPLATE_NOT_FOUND", "Why."), 404],
])("%s of a legacy operation is text", async (_, error, status) => {
  expect(await written(error, "legacy")).toEqual([status, { detail: "Why." }]);
});

test.each([
  ["DRAFT_NOT_FOUND", notFound("Draft"), 404],
  ["CAMPAIGN_LEAD_NOT_FOUND", notFound("Campaign lead"), 404],
  ["WORKSPACE_DELETED", unauthenticated("WORKSPACE_DELETED", "Why."), 401],
  ["INSUFFICIENT_CREDITS", new AppError("forbidden", "INSUFFICIENT_CREDITS", "Why."), 403],
  ["DRAFT_CHANGED", conflict("DRAFT_CHANGED", "Why."), 409],
  [
    "LAUNCH_PREFLIGHT_FAILED",
    new AppError("unprocessable", "LAUNCH_PREFLIGHT_FAILED", "Why."),
    422,
  ],
  ["RATE_LIMITED", new AppError("rate_limited", "RATE_LIMITED", "Why."), 429],
  ["UPSTREAM_ERROR", new AppError("upstream_failed", "UPSTREAM_ERROR", "Why."), 502],
  ["BUSY", new AppError("unavailable", "BUSY", "Why."), 503],
  ["UPSTREAM_TIMEOUT", new AppError("upstream_timeout", "UPSTREAM_TIMEOUT", "Why."), 504],
])("%s is coded there too", async (code, error, status) => {
  expect(await written(error, "legacy")).toEqual([
    status,
    { detail: code, message: error.message },
  ]);
});
