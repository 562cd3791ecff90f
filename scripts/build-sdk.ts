/**
 * `npm run build:sdk [-- --out FOLDER]`: the package of SDK and CLI as it is published, ready for `npm pack`, into
 * .local/sdk; `--check` only says whether it can be built and keeps to its size.
 */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { binary, rootFolder, runCommand } from "./command.ts";

/** Gzipped bytes of the SDK (docs/sdk.md). */
const MOST = 8_000;
/** The oldest that is still mended, and what `AbortSignal.any` needs. */
const NODE = "20.3";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    out: { type: "string", default: path.join(rootFolder, ".local", "sdk") },
  },
});
const root = JSON.parse(fs.readFileSync(path.join(rootFolder, "package.json"), "utf8")) as {
  name: string;
  version: string;
  description: string;
  license: string;
};

async function inScratch(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-sdk-"));
  try {
    await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function build(folder: string): Promise<void> {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const at = (...parts: string[]) => path.join(folder, ...parts);
  await Promise.all([bundle(folder), writeTypes(at("types"))]);
  fs.writeFileSync(at("package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  fs.copyFileSync(path.join(rootFolder, "LICENSE"), at("LICENSE"));
  fs.copyFileSync(path.join(rootFolder, "docs", "sdk.md"), at("README.md"));
  fs.chmodSync(at("cli.js"), 0o755);
  const bytes = gzipSync(fs.readFileSync(at("index.js")), { level: 9 }).length;
  console.log(`${folder}: the SDK takes ${bytes} bytes gzipped, of ${MOST}`);
  if (bytes > MOST) throw new Error(`The SDK takes ${bytes} bytes gzipped, and may take ${MOST}.`);
}

async function bundle(folder: string): Promise<void> {
  const options = {
    absWorkingDir: rootFolder,
    outdir: folder,
    bundle: true,
    format: "esm",
    minify: true,
    legalComments: "none",
    define: { OVERTURE_VERSION: JSON.stringify(root.version) },
  } satisfies esbuild.BuildOptions;
  const target = "es2022";
  await Promise.all([
    esbuild.build({ ...options, target, entryPoints: { index: "src/sdk/index.ts" } }),
    esbuild.build({
      ...options,
      platform: "node",
      target: `node${NODE}`,
      entryPoints: { cli: "src/cli/main.ts" },
      banner: { js: "#!/usr/bin/env node" },
    }),
  ]);
}

/** The declarations of the SDK's own files and of the API's types. */
async function writeTypes(folder: string): Promise<void> {
  const declare = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
  const args = ["-p", "src/sdk/tsconfig.json", ...declare, "--outDir", folder];
  const { code, output } = await runCommand(binary("tsc"), args);
  if (code !== 0) throw new Error(output);
  for (const entry of fs.globSync("**/*.d.ts", { cwd: folder })) {
    const file = path.join(folder, entry);
    const text = fs.readFileSync(file, "utf8");
    // What a reader of declarations finds is a .js file's .d.ts.
    fs.writeFileSync(file, text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

const manifest = () => ({
  name: root.name,
  version: root.version,
  description: `SDK and command line of ${root.description.replace(/^O/, "o")}`,
  license: root.license,
  type: "module",
  engines: { node: `>=${NODE}` },
  exports: { ".": { types: "./types/sdk/index.d.ts", default: "./index.js" } },
  types: "./types/sdk/index.d.ts",
  bin: { overture: "./cli.js" },
  sideEffects: false,
  files: ["index.js", "cli.js", "types"],
});

try {
  await (values.check ? inScratch(build) : build(path.resolve(values.out)));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
