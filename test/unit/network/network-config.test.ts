import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "#src/config.ts";

const environment = {
  PUBLIC_BASE_URL: "https://overture.zz",
  DATABASE_URL: "postgres://u:p@h/d",
  UPSTASH_REDIS_REST_URL: "https://redis.zz",
  UPSTASH_REDIS_REST_TOKEN: "t",
  QSTASH_TOKEN: "t",
  QSTASH_CURRENT_SIGNING_KEY: "k",
  QSTASH_NEXT_SIGNING_KEY: "k",
  MASTER_KEY: Buffer.alloc(32).toString("base64"),
  TRACKING_SECRET: "t".repeat(16),
  JWT_ISSUER: "i",
  JWT_SECRET: "s".repeat(32),
};
const unipile = { UNIPILE_API_URL: "https://api1.unipile.com:13111", UNIPILE_API_KEY: "key" };

const networkOf = (more: Record<string, string>) => readConfig({ ...environment, ...more }).network;

function faultsOf(more: Record<string, string>): string[] {
  try {
    networkOf(more);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

test("without it there is no network", () => {
  expect(networkOf({})).toBeNull();
});

test.each(["", "/", "/api", "/api/v1", "/api/v1/"])(
  "the address may be copied with %j at its end",
  (path) => {
    expect(networkOf({ ...unipile, UNIPILE_API_URL: `${unipile.UNIPILE_API_URL}${path}` })).toEqual(
      {
        baseUrl: "https://api1.unipile.com:13111",
        apiKey: "key",
        webhookSecret: null,
      },
    );
  },
);

describe("half of it, and what cannot be, is told and not ignored", () => {
  test.each<[Record<string, string>, string]>([
    [{ UNIPILE_API_URL: unipile.UNIPILE_API_URL }, "UNIPILE_API_KEY"],
    [{ UNIPILE_API_KEY: "key" }, "UNIPILE_API_KEY"],
    [{ UNIPILE_WEBHOOK_SECRET: "s".repeat(16) }, "UNIPILE_WEBHOOK_SECRET"],
    [{ ...unipile, UNIPILE_WEBHOOK_SECRET: "short" }, "UNIPILE_WEBHOOK_SECRET"],
    [{ ...unipile, UNIPILE_WEBHOOK_SECRET: `${"s".repeat(16)}\n` }, "UNIPILE_WEBHOOK_SECRET"],
    [{ ...unipile, UNIPILE_API_KEY: "a key" }, "UNIPILE_API_KEY"],
    [{ ...unipile, UNIPILE_API_URL: "api1.unipile.com:13111" }, "UNIPILE_API_URL"],
  ])("%j", (more, variable) => {
    expect(faultsOf(more)).toEqual([expect.stringMatching(`^${variable}: `)]);
  });
});
