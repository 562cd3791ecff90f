import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createStackClock } from "../../../scripts/stack/clock.ts";
import { type Control, startControl } from "../../../scripts/stack/control.ts";
import { createCallLog, createFaults, type Part } from "../../../scripts/stack/part.ts";
import { setWarpOffsetMs } from "../../../scripts/stack/warp.ts";

const part: Part = {
  name: "redis",
  url: "http://127.0.0.1:1",
  faults: createFaults({ hang: "never answers" }),
  log: createCallLog(),
  close: async () => {},
};
let control: Control;

beforeAll(async () => {
  control = await startControl({ clock: createStackClock(), parts: () => [part] });
});
afterAll(() => control.close());
afterEach(() => {
  part.faults.clear();
  setWarpOffsetMs(0);
});

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(control.url + path, {
    method,
    headers,
    ...(text === undefined ? {} : { body: text }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test("the clock advances by seconds, and says so", async () => {
  const before = Date.now();
  const moved = await ask("POST", "/clock", { advance_seconds: 3600 });
  expect(moved.status).toBe(200);
  expect(Date.parse(moved.body.now) - before).toBeGreaterThanOrEqual(3_600_000);
  const { body } = await ask("GET", "/clock");
  expect(body.offset_seconds).toBeGreaterThan(3599);
});

test("the clock moves to an instant", async () => {
  const now = new Date(Date.now() + 86_400_000).toISOString();
  const moved = await ask("POST", "/clock", { now });
  expect(moved.body.now >= now).toBe(true);
});

test.for([
  ["a past instant", { now: "2001-01-01T00:00:00Z" }, 422],
  ["an instant without its offset", { now: "2099-01-01T00:00:00" }, 422],
  ["a negative distance", { advance_seconds: -1 }, 422],
  ["a distance as text", { advance_seconds: "60" }, 422],
  ["both at once", { advance_seconds: 1, now: "2099-01-01T00:00:00Z" }, 422],
  ["nothing", {}, 422],
  ["a century and more", { advance_seconds: 1e13 }, 422],
  ["what is not JSON", "{", 400],
] as const)("%s does not move the clock", async ([, body, status]) => {
  const answer = await ask("POST", "/clock", body);
  expect(answer.status).toBe(status);
  expect(answer.body.detail).toEqual(expect.any(String));
  expect((await ask("GET", "/clock")).body.offset_seconds).toBe(0);
});

test("a fault is ordered, listed and cleared", async () => {
  expect((await ask("POST", "/faults", { part: "redis", fault: "hang", times: 2 })).body).toEqual({
    part: "redis",
    pending: { hang: 2 },
  });
  expect((await ask("GET", "/faults")).body).toEqual([
    { part: "redis", known: { hang: "never answers" }, pending: { hang: 2 } },
  ]);
  await ask("DELETE", "/faults");
  expect(part.faults.pending()).toEqual({});
});

test("an unknown part or fault is refused with the names that exist", async () => {
  const noPart = await ask("POST", "/faults", { part: "nope", fault: "hang" });
  expect(noPart.status).toBe(404);
  expect(noPart.body.detail).toContain("redis");
  const noFault = await ask("POST", "/faults", { part: "redis", fault: "nope" });
  expect(noFault.status).toBe(422);
  expect(noFault.body.detail).toContain("hang");
  expect((await ask("POST", "/faults", { part: "redis", fault: "hang", times: 0 })).status).toBe(
    422,
  );
});

test("the log of a part is read by its name", async () => {
  part.log.add("GET key");
  const { body } = await ask("GET", "/log?part=redis");
  expect(body.at(-1)).toMatchObject({ part: "redis", summary: "GET key" });
  expect((await ask("GET", "/log?part=nope")).status).toBe(404);
});

test("unknown paths and methods are told apart", async () => {
  expect((await ask("GET", "/nope")).status).toBe(404);
  expect((await ask("PUT", "/clock")).status).toBe(405);
});

test("a web page of another origin is refused", async () => {
  const answer = await ask(
    "POST",
    "/clock",
    { advance_seconds: 60 },
    { origin: "https://example.com" },
  );
  expect(answer.status).toBe(403);
});
