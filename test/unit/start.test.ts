import * as path from "node:path";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const ENTRY = "src/worker.ts";

/** Files and packages that a start evaluates: what is reached without an `import()`. */
function startedBy({ inputs }: Metafile): Set<string> {
  const reached = new Set<string>();
  const open = [ENTRY];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    for (const { path: next, kind } of inputs[at]?.imports ?? [])
      if (kind === "import-statement") open.push(next);
  }
  return reached;
}

test("the agents' protocol and paid calls are no part of the Worker's start", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outdir: "nowhere",
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    packages: "external",
    external: ["cloudflare:*"],
    logLevel: "silent",
  });
  expect(Object.keys(metafile.inputs)).toEqual(
    expect.arrayContaining(["src/mcp/server.ts", "src/http/wallet/middleware.ts"]),
  );
  const started = [...startedBy(metafile)];
  expect(started).toContain("src/app.ts");
  expect(
    started.filter((each) => /^(src\/mcp\/(mount|server)|@modelcontextprotocol|@x402)/.test(each)),
  ).toEqual([]);
});
