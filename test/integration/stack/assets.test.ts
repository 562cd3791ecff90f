/** The static files as Cloudflare serves them, and what the docs page needs of them before it shows its list. */
import * as fs from "node:fs";
import * as http from "node:http";
import * as os from "node:os";
import * as path from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Assets, startAssets } from "../../../scripts/stack/assets.ts";

const PUBLIC = path.resolve(import.meta.dirname, "../../../public");

const closers: (() => Promise<void>)[] = [];
let assets: Assets;

async function start(folder: string): Promise<Assets> {
  const started = await startAssets(folder);
  closers.push(started.close);
  return started;
}

beforeAll(async () => {
  assets = await start(PUBLIC);
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** As it comes over the wire: nothing is decompressed. */
async function get(at: string, headers: Record<string, string> = {}, { address } = assets) {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
    http.get(`http://${address}${at}`, { headers }, resolve).on("error", reject),
  );
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test.each(["gzip", "br;q=1.0, GZIP;q=0.5", "*"])(
  "text is compressed for who takes gzip: %s",
  async (accepted) => {
    const { headers, body } = await get("/openapi.json", { "accept-encoding": accepted });
    expect([headers["content-encoding"], headers.vary]).toEqual(["gzip", "accept-encoding"]);
    expect(body.length).toBe(Number(headers["content-length"]));
    expect(gunzipSync(body)).toEqual(fs.readFileSync(path.join(PUBLIC, "openapi.json")));
    const again = { "accept-encoding": accepted, "if-none-match": headers.etag! };
    expect((await get("/openapi.json", again)).status).toBe(304);
  },
);

test.each([{}, { "accept-encoding": "br" }, { "accept-encoding": "*, gzip;q=0" }])(
  "and left as it is for who does not: %j",
  async (accepted) => {
    const { headers, body } = await get("/docs/main.js", accepted);
    expect([headers["content-encoding"], headers.vary]).toEqual([undefined, "accept-encoding"]);
    expect(body).toEqual(fs.readFileSync(path.join(PUBLIC, "docs/main.js")));
  },
);

test("an image is left as it is for whoever asks", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-assets-"));
  const image = Buffer.alloc(5_000);
  fs.writeFileSync(path.join(folder, "a.png"), image);
  const { headers, body } = await get("/a.png", { "accept-encoding": "gzip" }, await start(folder));
  fs.rmSync(folder, { recursive: true });
  expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
  expect(body).toEqual(image);
});

test("all that the docs page shows its list with is named in its first file, and small", async () => {
  const page = fs.readFileSync(path.join(PUBLIC, "docs.html"), "utf8");
  const named = [...page.matchAll(/<(?:link|script)[^>]* (?:href|src)="(\/[^"]+)"/g)].map(
    ([, at]) => at!,
  );
  const needed = fs.readdirSync(path.join(PUBLIC, "docs")).map((file) => `/docs/${file}`);
  expect(named.toSorted()).toEqual([...needed, "/openapi.json"].toSorted());
  const sizes = await Promise.all(
    ["/docs", ...named].map(
      async (at) => (await get(at, { "accept-encoding": "gzip" })).body.length,
    ),
  );
  // At 1.6 Mbit/s 100 kB are half a second.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
});
