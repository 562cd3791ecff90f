import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isSecret } from "../../scripts/deploy/secrets.ts";
import { rootFolder } from "../../scripts/command.ts";
import { runScript } from "../support/run-script.ts";
import { sharedService } from "../support/shared-service.ts";

/** `npm run deploy` as a command, as far as it goes without an account of Cloudflare's. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-deploying-"));
const file = path.join(folder, "deployment.env");
let env: Record<string, string>;

beforeAll(async () => {
  const { stack, baseUrl } = await sharedService();
  env = stack.workerEnv(baseUrl);
  const lines = Object.entries(env).map(([name, value]) => `${name}="${value}"\n`);
  fs.writeFileSync(file, lines.join(""), { mode: 0o600 });
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test("a rehearsal says each command without a secret, bundles, and leaves none behind", async () => {
  const { code, output } = await runScript("deploy.ts", "--dry-run", "--settings", file);
  expect(output).toContain("npx wrangler whoami");
  expect(output).toContain("npm run db:migrate");
  expect(output).toContain(`--var PUBLIC_BASE_URL:${env["PUBLIC_BASE_URL"]}`);
  expect(output).toMatch(/The Worker bundles: Total Upload: .* gzip: /);
  expect(code).toBe(0);
  const secrets = Object.entries(env).filter(
    ([name, value]) => isSecret(name) && value.length >= 6,
  );
  expect(secrets.filter(([, value]) => output.includes(value))).toEqual([]);
  const left = fs.readdirSync(path.join(rootFolder, ".local"));
  expect(left.filter((name) => name.startsWith("secrets-"))).toEqual([]);
});

test("without a file one is begun, and nothing else is done", async () => {
  const begun = path.join(folder, "begun.env");
  const { code, output } = await runScript("deploy.ts", "--settings", begun);
  expect(code).toBe(1);
  expect(output).toContain("is begun: fill it in");
  expect(fs.readFileSync(begun, "utf8")).toMatch(/^MASTER_KEY=\S{44}$/m);
});
