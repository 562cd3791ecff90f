import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleWorker, WORKER_ENTRY } from "../../scripts/stack/bundle.ts";
import type { LocalService } from "../../scripts/stack/service.ts";
import { startWorkerd } from "../../scripts/stack/workerd.ts";
import { startTestService } from "../support/service.ts";

let service: LocalService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function workerTime(): Promise<number> {
  const response = await fetch(`${service.baseUrl}/api/v1/health`);
  return Date.parse(((await response.json()) as { timestamp: string }).timestamp);
}

test("the Worker in workerd moves with the stack's clock, also after it was killed", async () => {
  await service.stack.clock.advance(30 * 86_400_000);
  expect(Math.abs((await workerTime()) - Date.now())).toBeLessThan(1000);

  const killed = service.worker();
  await killed.kill("SIGKILL");
  while (service.worker() === killed) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(Math.abs((await workerTime()) - Date.now())).toBeLessThan(1000);
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

test("what Cloudflare does to the Worker cannot be done through its public port", async () => {
  for (const path of ["/clock", "/state", "/scheduled", "/email"]) {
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
