import * as fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildConsole, type BuiltConsole } from "../../../scripts/console/build.ts";
import { startApi, type TestApi } from "../../support/api.ts";

/** What the Worker answers for the console; `test/e2e/console` opens it in a browser. */
let api: TestApi;
let built: BuiltConsole;

beforeAll(async () => {
  built = await buildConsole();
  api = await startApi();
});
afterAll(() => api.close());

test.each(["/console", "/console/", "/console/service", "/console/no/such/page"])(
  "%s is the one page, asked for each time, under a policy without any script of its own",
  async (path) => {
    const answer = await api.request(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    const policy = answer.headers.get("content-security-policy")!;
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
      expect(policy.split("; ")).toContain(rule);
    expect(fs.readFileSync("public/_headers", "utf8")).toContain(
      `Content-Security-Policy: ${policy}\n`,
    );
  },
);

test("the page names every file that it begins with, and nobody else's", async () => {
  const page = await (await api.request("/console")).text();
  const named = [...page.matchAll(/(?:href|src)="\/console\/f\/([^"]+)"/g)].map(([, file]) => file);
  expect(named.toSorted()).toEqual([...built.first, built.style].toSorted());
  expect(page).not.toMatch(/(href|src)="(https?:)?\/\//);
  expect(page).not.toMatch(/<script(?![^>]* src=)| style=| on\w+=/);
});

test("a file of an older version is 404 and no page", async () => {
  const gone = await api.request("/console/f/app-AAAAAAAA.js");
  expect([gone.status, gone.headers.get("content-type")]).toEqual([404, "application/json"]);
});

test("a browser at the root is led to the console, and everybody else is told as before", async () => {
  const browser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const led = await api.request("/", browser);
  expect([led.status, led.headers.get("location"), led.headers.get("vary")]).toEqual([
    302,
    "/console",
    "Accept",
  ]);
  for (const accept of ["*/*", "application/json"]) {
    const told = await api.request("/", { headers: { accept } });
    expect([told.status, Object.keys((await told.json()) as object)]).toEqual([404, ["detail"]]);
  }
  const posted = await api.request("/", { ...browser, method: "POST" });
  expect(posted.status).toBe(404);
});

test("what is mailed to people is not the console's", async () => {
  const browser = { headers: { accept: "text/html", "sec-fetch-mode": "navigate" } };
  for (const path of ["/c/x", "/u/x", "/docs"]) {
    const page = await (await api.request(path, browser)).text();
    expect(page).not.toContain("/console/f/");
  }
});
