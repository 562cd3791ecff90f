import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience } from "../support/patience.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

/** Of `npm run sdk:tools`. */
const INSPECTOR = path.resolve(
  import.meta.dirname,
  "../sdk/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);
const hasInspector = existsSync(INSPECTOR);
if (!hasInspector) console.log("@modelcontextprotocol/inspector: not run (npm run sdk:tools)");

interface Told {
  result: { tools: { name: string }[]; isError?: boolean; content: { text: string }[] };
  /** What some clients would refuse of the tools' schemas, or not understand; absent where there is nothing. */
  schemaFindings?: unknown[];
}

/** `modern` is revision 2026-07-28. */
describe.runIf(hasInspector).each(["legacy", "modern"] as const)(
  "the official inspector, %s",
  (era) => {
    let service: SharedService;
    let home: string;
    beforeAll(async () => {
      service = await sharedService();
      home = mkdtempSync(path.join(tmpdir(), "inspector-"));
    });
    afterAll(() => rmSync(home, { recursive: true, force: true }));

    /** Throws with the inspector's exit code and words where it ends with another than 0. */
    async function inspect(...order: string[]): Promise<Told> {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          ...[INSPECTOR, "--cli", `${service.baseUrl}/mcp`, "--transport", "http"],
          ...["--header", `Authorization: Bearer ${service.access.api_key}`],
          ...["--protocol-era", era, "--quiet", "--format", "json", ...order],
        ],
        // It keeps files of its own at home.
        { env: { ...process.env, HOME: home, CI: "1" }, timeout: patience(60_000) },
      );
      return JSON.parse(stdout) as Told;
    }

    test(
      "lists the tools and finds no fault in their schemas",
      { timeout: patience(60_000) },
      async () => {
        const { result, schemaFindings } = await inspect("--method", "tools/list", "--strict");
        expect(schemaFindings ?? []).toEqual([]);
        const names = result.tools.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(["overview", "launch_campaign"]));
      },
    );

    test("calls one", { timeout: patience(60_000) }, async () => {
      const name = `Listed ${era}`;
      await service.api("POST", "/api/v1/datasets", { name });
      const call = ["--method", "tools/call", "--tool-name", "find"];
      const { result } = await inspect(...call, "--tool-arg", "what=datasets");
      expect(result.isError ?? false).toBe(false);
      expect(result.content[0]!.text).toContain(name);
    });
  },
);
