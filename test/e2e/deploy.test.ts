import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isSecret } from "../../scripts/deploy/secrets.ts";
import { stepsOf } from "../../scripts/deploy/steps.ts";
import { rootFolder } from "../../scripts/command.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** `npm run deploy` and `npm run doctor` as commands, as far as they go without an account of Cloudflare's. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-deploying-"));
const file = path.join(folder, "deployment.env");
let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  // Mail of the stack's own has certificates that nobody else trusts.
  const {
    DIAL_PORTS: _,
    SITE_PORTS: __,
    SYSTEM_MAIL_URL: ___,
    SYSTEM_MAIL_FROM: ____,
    INBOUND_MX: _____,
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
}, 120_000);
afterAll(async () => {
  await service?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

function run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(rootFolder, "scripts", script), ...args],
      { cwd: rootFolder },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

const secrets = () =>
  Object.entries(env).flatMap(([name, value]) =>
    isSecret(name) && value.length >= 6 ? [value] : [],
  );
const leaked = (output: string) => secrets().filter((value) => output.includes(value));

test("the doctor says a table, or JSON, and fails with 1 when something is wrong", async () => {
  const table = await run("doctor.ts", "--settings", file);
  expect([table.code, table.output.match(/^FAIL.*$/gm)]).toEqual([0, null]);
  expect(table.output).toMatch(/^ok {4}database +answers, and has every migration$/m);
  expect(table.output).toMatch(/\d+ ok, \d+ to look at, 0 wrong, \d+ not configured\n$/);
  expect(leaked(table.output)).toEqual([]);

  const broken = path.join(folder, "broken.env");
  fs.writeFileSync(
    broken,
    fs.readFileSync(file, "utf8").replace(/^QSTASH_TOKEN=.*$/m, 'QSTASH_TOKEN="not it"'),
  );
  const json = await run("doctor.ts", "--settings", broken, "--json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.output)).toContainEqual({
    part: "queue",
    verdict: "fail",
    says: "QSTASH_TOKEN is refused",
    fix: expect.stringContaining("console.upstash.com, QStash"),
  });
});

test("a rehearsal says each command without a secret, bundles, and leaves none behind", async () => {
  const { code, output } = await run("deploy.ts", "--dry-run", "--settings", file);
  expect(output).toContain("npx wrangler whoami");
  expect(output).toContain("npm run db:migrate");
  expect(output).toContain(`--var PUBLIC_BASE_URL:${service.baseUrl}`);
  expect(output).toMatch(/The Worker bundles: Total Upload: .* gzip: /);
  expect(code).toBe(0);
  expect(leaked(output)).toEqual([]);
  const left = fs.readdirSync(path.join(rootFolder, ".local"));
  expect(left.filter((name) => name.startsWith("secrets-"))).toEqual([]);
}, 180_000);

test("the steps around Cloudflare's own do what they say", async () => {
  const [, values, migrations, , ready, outside] = stepsOf(env, file);
  expect(await values!.run()).toContain("0 wrong");
  expect(await migrations!.run()).toBe("up to date");
  expect(JSON.parse(await ready!.run())).toMatchObject({ status: "ready" });
  expect(await outside!.run()).toContain("answers, and is ready");
  const [, refused] = stepsOf({ ...env, UPSTASH_REDIS_REST_TOKEN: "not it" }, file);
  await expect(refused!.run()).rejects.toThrow("UPSTASH_REDIS_REST_TOKEN is refused");
});

test("without a file one is begun, and nothing else is done", async () => {
  const begun = path.join(folder, "begun.env");
  const { code, output } = await run("deploy.ts", "--settings", begun);
  expect(code).toBe(1);
  expect(output).toContain("is begun: fill it in");
  expect(fs.readFileSync(begun, "utf8")).toMatch(/^MASTER_KEY=\S{44}$/m);
});
