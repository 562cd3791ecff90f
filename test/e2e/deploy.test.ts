import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isSecret } from "../../scripts/deploy/secrets.ts";
import { stepsOf } from "../../scripts/deploy/steps.ts";
import { runScript } from "../support/run-script.ts";
import { type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

/** `npm run doctor` as a command, and the steps of `npm run deploy` that need no account of Cloudflare's. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-deploying-"));
const file = path.join(folder, "deployment.env");
let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await sharedService();
  // Mail of the stack's own has certificates that nobody else trusts.
  const {
    DIAL_PORTS: _,
    SITE_PORTS: __,
    SYSTEM_MAIL_URL: ___,
    SYSTEM_MAIL_FROM: ____,
    INBOUND_MX: _____,
    REPORTS_DOMAIN: ________,
    // The identity provider's name leads to this machine for the Worker alone.
    OIDC_CLIENT_ID: ______,
    OIDC_CLIENT_SECRET: _______,
    ...own
  } = service.stack.workerEnv(service.baseUrl);
  env = own;
  fs.writeFileSync(
    file,
    Object.entries(env)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(""),
    { mode: 0o600 },
  );
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const secrets = () =>
  Object.entries(env).flatMap(([name, value]) =>
    isSecret(name) && value.length >= 6 ? [value] : [],
  );
const leaked = (output: string) => secrets().filter((value) => output.includes(value));

test("the doctor fails with 1 when something is wrong, and says it as JSON where that is asked for", async () => {
  const broken = path.join(folder, "broken.env");
  fs.writeFileSync(
    broken,
    fs.readFileSync(file, "utf8").replace(/^QSTASH_TOKEN=.*$/m, 'QSTASH_TOKEN="not it"'),
  );
  const json = await runScript("doctor.ts", "--settings", broken, "--json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.output)).toContainEqual({
    part: "queue",
    verdict: "fail",
    says: "QSTASH_TOKEN is refused",
    fix: expect.stringContaining("console.upstash.com, QStash"),
  });
});

test("the steps around Cloudflare's own do what they say", async () => {
  const [, , values, migrations, , , ready, outside] = stepsOf(env, file);
  const table = await values!.run();
  expect(table.match(/^FAIL.*$/gm)).toBeNull();
  expect(table).toMatch(/^ok {4}database +answers, and has every migration$/m);
  expect(table).toMatch(/\d+ ok, \d+ to look at, 0 wrong, \d+ not configured$/);
  expect(leaked(table)).toEqual([]);
  expect(await migrations!.run()).toBe("up to date");
  expect(JSON.parse(await ready!.run())).toMatchObject({ status: "ready" });
  expect(await outside!.run()).toContain("answers, and is ready");
  const [, , refused] = stepsOf({ ...env, UPSTASH_REDIS_REST_TOKEN: "not it" }, file);
  await expect(refused!.run()).rejects.toThrow("UPSTASH_REDIS_REST_TOKEN is refused");
});
