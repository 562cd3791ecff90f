import { expect, test } from "vitest";
import { asProblem, problemOf } from "../../../src/console/api/problem.ts";

const told = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  problemOf(
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }),
  );

test("a problem keeps what it says, and names fields as forms do", async () => {
  const problem = await told(
    422,
    {
      type: "about:blank",
      status: 422,
      code: "VALIDATION_ERROR",
      detail: "The request does not fit its schema.",
      request_id: "r-1",
      errors: [
        { pointer: "#/steps/0/subject", message: "is too long" },
        { pointer: "#/a~1b/%C3%A9", message: "is odd" },
        { pointer: "#", message: "is empty" },
        { in: "query", parameter: "days", message: "is not a number" },
      ],
      checks: [1],
    },
    { "x-request-id": "r-1" },
  );
  expect(problem).toMatchObject({
    status: 422,
    code: "VALIDATION_ERROR",
    message: "The request does not fit its schema.",
    requestId: "r-1",
    faults: [
      { at: "steps/0/subject", message: "is too long" },
      { at: "a/b/é", message: "is odd" },
      { at: "", message: "is empty" },
      { at: "days", message: "is not a number" },
    ],
    more: { checks: [1] },
  });
});

test("seconds to wait are a number, or there are none", async () => {
  const body = { status: 429, code: "RATE_LIMITED", detail: "Too many." };
  expect((await told(429, body, { "retry-after": "17" })).retryAfter).toBe(17);
  expect((await told(429, body, { "retry-after": "soon" })).retryAfter).toBeUndefined();
});

test.each(["<html>502 Bad Gateway</html>", "", "null", "[]", '{"detail":7}'])(
  "what is no problem of ours says so: %s",
  async (body) => {
    const problem = await told(502, body);
    expect([problem.status, problem.code]).toEqual([502, "UNKNOWN"]);
    expect(problem.message).toContain("502");
  },
);

test("a defect of the console is one, whatever was thrown", () => {
  expect(asProblem(new TypeError("x is null")).message).toContain("x is null");
  expect(asProblem("odd").code).toBe("CONSOLE");
});
