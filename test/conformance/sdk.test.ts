import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type Tenant, type TestApi } from "../support/api.ts";
import { serve } from "../support/serve.ts";

/** `npm run sdk:tools` installs what is here: Redocly and openapi-typescript in test/sdk, the Python generator in .local. */
const SDK = path.resolve(import.meta.dirname, "../sdk");
const ROOT = path.resolve(SDK, "../..");
const DESCRIPTION = path.join(ROOT, "public/openapi.json");
const tool = (name: string) => path.join(SDK, "node_modules/.bin", name);
const hasNodeTools = existsSync(tool("redocly")) && existsSync(tool("openapi-typescript"));
const python = process.env["SDK_PYTHON"] || path.join(ROOT, ".local/sdk-python/bin/python");
const hasPython =
  spawnSync(python, ["-c", "import openapi_python_client, httpx, attrs"]).status === 0;

if (!hasNodeTools) console.log("Redocly, openapi-typescript: not run (npm run sdk:tools)");
if (!hasPython) console.log("openapi-python-client: not run (npm run sdk:tools)");

/** Throws with what the program wrote when it fails. */
async function run(program: string, args: string[], cwd: string, env = {}): Promise<string> {
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
  try {
    const options = { cwd, env: { ...process.env, ...quiet, ...env }, maxBuffer: 2 ** 26 };
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${path.basename(program)} ${args[0]}: ${stdout}\n${stderr}`, { cause: error });
  }
}

describe.runIf(hasNodeTools || hasPython)(
  "what reads the description",
  { timeout: 180_000 },
  () => {
    let api: TestApi;
    let tenant: Tenant;
    let served: Awaited<ReturnType<typeof serve>>;
    let folder: string;
    beforeAll(async () => {
      api = await startApi();
      tenant = await api.tenant();
      served = await serve(api);
      mkdirSync(path.join(ROOT, ".local"), { recursive: true });
      folder = mkdtempSync(path.join(ROOT, ".local/sdk-"));
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true });
      await served.close();
      await api.close();
    });

    test.runIf(hasNodeTools)("Redocly finds nothing to warn of", async () => {
      const said = await run(tool("redocly"), ["lint", DESCRIPTION, "--format=json"], SDK);
      const output = said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1);
      const { problems } = JSON.parse(output) as { problems: unknown[] };
      expect(problems).toEqual([]);
    });

    test.runIf(hasNodeTools)("a client of openapi-typescript compiles, and calls", async () => {
      for (const file of ["first-call.ts", "tsconfig.json"])
        cpSync(path.join(SDK, file), path.join(folder, file));
      symlinkSync(path.join(SDK, "node_modules"), path.join(folder, "node_modules"));
      await run(
        tool("openapi-typescript"),
        [DESCRIPTION, "-o", "api.d.ts", "--default-non-nullable=false"],
        folder,
      );
      await run(tool("tsc"), ["-p", "."], folder);
      const said = await run(process.execPath, ["first-call.ts", served.url, tenant.key], folder);
      expect(JSON.parse(said)).toMatchObject(FIRST_CALLS);
    });

    test.runIf(hasPython)("a client of openapi-python-client imports, and calls", async () => {
      const args = ["generate", "--path", DESCRIPTION, "--output-path", "client"];
      const warnings = await run(python, ["-m", "openapi_python_client", ...args], folder);
      // Of a body that is a raw mail no client is made, and of an answer that is one no type.
      expect(warnings.match(/WARNING parsing .*/g)).toEqual([
        expect.stringContaining("/messages/{message_id}/raw"),
        expect.stringContaining("POST /api/v1/mailer/inbound"),
      ]);
      const script = path.join(SDK, "first_call.py");
      const said = await run(python, [script, served.url, tenant.key], folder, {
        PYTHONPATH: path.join(folder, "client"),
      });
      expect(JSON.parse(said)).toMatchObject(FIRST_CALLS);
    });
  },
);

const FIRST_CALLS = {
  name: "Hello",
  channel: "email",
  email: "ada@example.com",
  total: "0",
  refused: { detail: "TEMPLATE_NOT_FOUND", message: expect.any(String) },
};
