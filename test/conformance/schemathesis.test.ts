import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { inFull } from "../support/full.ts";
import { serve } from "../support/serve.ts";
import { api, tenant, useApi } from "../support/use-api.ts";
import { oneOfEach } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const LOCAL = path.join(ROOT, ".local");
const python = process.env["SDK_PYTHON"] || path.join(LOCAL, "sdk-python/bin/python");
const hasTool = spawnSync(python, ["-c", "import schemathesis"]).status === 0;

if (!hasTool) console.log("schemathesis: not run (npm run sdk:tools)");

/** What ends all that the others are tried on, and what takes a mail, which the tool cannot write. */
const LEFT_OUT = ["deleteWorkspace", "receiveInboundMail"];
const CHECKS = [
  ...["not_a_server_error", "status_code_conformance", "content_type_conformance"],
  "response_schema_conformance",
];

useApi({ start: startWholeApi });

test.runIf(hasTool)(
  "schemathesis finds no answer of 500 or more, and none that /openapi/v2.json does not describe",
  { timeout: 1_800_000 },
  async () => {
    const ids = await oneOfEach(api, tenant);
    mkdirSync(LOCAL, { recursive: true });
    const config = path.join(LOCAL, "schemathesis.toml");
    writeFileSync(
      config,
      [
        "[phases.coverage]",
        // fetch, by which the tests ask the service, refuses TRACE itself.
        'unexpected-methods = ["PUT", "PATCH", "DELETE", "OPTIONS"]',
        "[parameters]",
        ...Object.entries(ids).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}`),
      ].join("\n"),
    );
    const served = await serve(api);
    // It asks more in a minute than anybody may.
    const refill = setInterval(() => api.forgetQuotas(), 200);
    const { stdout, stderr } = await promisify(execFile)(
      python,
      [
        ...["-m", "schemathesis.cli", "--config-file", config],
        ...["run", path.join(ROOT, "public/openapi/v2.json"), "--url", served.url, "--no-color"],
        ...["-H", `Authorization: Bearer ${tenant.key}`, "--checks", CHECKS.join(",")],
        ...["--phases", "examples,coverage,fuzzing", "--seed", "1"],
        ...["--max-examples", String(inFull(20, 4))],
        ...LEFT_OUT.flatMap((id) => ["--exclude-operation-id", id]),
      ],
      { maxBuffer: 2 ** 26, cwd: LOCAL },
    ).catch((failed: { stdout: string; stderr: string }) => failed);
    clearInterval(refill);
    await served.close();
    writeFileSync(path.join(LOCAL, "schemathesis.txt"), stdout + stderr);
    const failures = /=+ FAILURES =+[\s\S]*?=+ (?:WARNINGS|SUMMARY) =+/.exec(stdout)?.[0] ?? "";
    expect(failures.slice(0, 5_000)).toBe("");
    expect(stdout + stderr).toMatch(/(\d+) generated, \1 passed/);
  },
);
