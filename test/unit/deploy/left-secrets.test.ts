import { expect, test } from "vitest";
import { secretsLeft } from "../../../scripts/deploy/wrangler.ts";

const listing = (...names: string[]) => ({
  code: 0,
  output: `▲ [WARNING] An update is available\n${JSON.stringify(
    names.map((name) => ({ name, type: "secret_text" })),
    null,
    "  ",
  )}\n`,
});

test("a secret that was taken out of the file and that the Worker would keep is named", async () => {
  const calls: string[] = [];
  const run = async (args: string[]) => {
    calls.push(args.join(" "));
    return listing("DATABASE_URL", "JWT_SECRET", "SOMEBODY_ELSES");
  };
  const env = { DATABASE_URL: "postgres://x/y", JWT_JWKS_URL: "https://login.zz/jwks" };
  expect(await secretsLeft(env, run)).toEqual(["JWT_SECRET"]);
  expect(await secretsLeft({ ...env, JWT_SECRET: "it" }, run)).toEqual([]);
  expect(calls).toEqual(Array(2).fill("secret list --format json"));
});

test("a Worker without secrets keeps none, nor does one that is not there yet; any other failure is said", async () => {
  expect(await secretsLeft({}, async () => listing())).toEqual([]);
  const failing = (output: string) => secretsLeft({}, async () => ({ code: 1, output }));
  expect(await failing('✘ [ERROR] Worker "overture" not found.\n')).toEqual([]);
  await expect(failing("✘ [ERROR] fetch failed\n")).rejects.toThrow("fetch failed");
});
