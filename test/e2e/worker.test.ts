import * as fs from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { bundleWorker, WORKER_ENTRY } from "../../scripts/stack/bundle.ts";
import type { LocalService } from "../../scripts/stack/service.ts";
import { startWorkerd } from "../../scripts/stack/workerd.ts";
import { sharedService } from "../support/shared-service.ts";

let service: LocalService;

beforeAll(async () => {
  service = await sharedService();
});

/** The Worker's time between two looks at the stack's. */
async function expectSameTime(): Promise<void> {
  const before = Date.now();
  const response = await fetch(`${service.baseUrl}/api/v1/health`);
  const { timestamp } = (await response.json()) as { timestamp: string };
  // workerd's own clock stands while it computes.
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before - 100);
  expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now() + 1);
}

test("the Worker in workerd moves with the stack's clock, also after it was killed", async () => {
  await service.stack.clock.advance(30 * 86_400_000);
  await expectSameTime();

  await service.worker().kill("SIGKILL");
  await service.untilUp();
  await expectSameTime();
});

test("a static file is answered with its type, and never by the Worker", async () => {
  const file = await fetch(`${service.baseUrl}/robots.txt`);
  expect(file.status).toBe(200);
  expect(file.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(file.headers.get("x-request-id")).toBeNull();
  const again = await fetch(`${service.baseUrl}/robots.txt`, {
    headers: { "if-none-match": file.headers.get("etag") ?? "" },
  });
  expect(again.status).toBe(304);
});

test("the docs are answered by the Worker, as a page or as text", async () => {
  const typeFor = async (accept: string) => {
    const answer = await fetch(`${service.baseUrl}/docs`, { headers: { accept } });
    await answer.text();
    return [answer.status, answer.headers.get("content-type")];
  };
  expect(await typeFor("text/html")).toEqual([200, "text/html; charset=utf-8"]);
  expect(await typeFor("text/markdown")).toEqual([200, "text/markdown; charset=utf-8"]);
  expect(fs.readFileSync("wrangler.toml", "utf8")).toContain('run_worker_first = ["/docs"]');
});

test("what Cloudflare does to the Worker cannot be done through its public port", async () => {
  for (const path of ["/clock", "/state", "/scheduled", "/email", "/queue"]) {
    expect((await fetch(service.baseUrl + path, { method: "POST" })).status).toBe(404);
  }
});

test("the bundle of a deployment answers as the local one does", async () => {
  const bundle = await bundleWorker(WORKER_ENTRY);
  const worker = await startWorkerd({
    bundle: bundle.file,
    env: service.stack.workerEnv(service.baseUrl),
    caCertificates: service.stack.caCertificates,
    hasEvents: false,
  });
  try {
    expect((await fetch(`${worker.url}/health`)).status).toBe(200);
    const me = await fetch(`${worker.url}/api/v1/auth/me`, {
      headers: { authorization: `Bearer ${service.access.api_key}` },
    });
    expect(me.status).toBe(200);
  } finally {
    await worker.close();
  }
});
