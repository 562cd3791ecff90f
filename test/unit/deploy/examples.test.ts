import { expect, test } from "vitest";
import type { Config } from "#src/config.ts";
import { addressForm } from "../../../scripts/doctor/address.ts";
import { ask, type Check } from "../../../scripts/doctor/context.ts";
import { login } from "../../../scripts/doctor/login.ts";
import { readWrangler } from "../../../scripts/deploy/settings.ts";

const saidBy = async (check: Check, url: string) => {
  const issuer = { issuer: url, audience: "overture", key: { kind: "hs256", secret: "it" } };
  const config = { publicBaseUrl: url, issuers: [issuer], oidc: null } as unknown as Config;
  const wrangler = readWrangler();
  const said = await check.run({ config, env: {}, wrangler, isDeployed: false, ask });
  return said.map(({ verdict, says }) => `${verdict}: ${says}`);
};

test.each([
  ["https://overture.example.com", true],
  ["https://example.com/", true],
  ["https://outreach.bestexample.com", false],
  ["https://login.best-example.com/", false],
  ["https://example.com.mine.zz/", false],
  ["https://mine.zz/example.com/", false],
])("%s is an example left over: %s", async (url, isExample) => {
  const address = await saidBy(addressForm, url);
  expect(address.includes("fail: PUBLIC_BASE_URL is still the example")).toBe(isExample);
  const logins = await saidBy(login, url);
  expect(logins.includes("fail: JWT_ISSUER is still the example")).toBe(isExample);
});

test("an issuer that is no URL is one by its name", async () => {
  expect(await saidBy(login, "login.example.com")).toEqual([
    "fail: JWT_ISSUER is still the example",
  ]);
  expect(await saidBy(login, "mine")).toEqual([expect.stringMatching(/^ok: tokens are signed/)]);
});
