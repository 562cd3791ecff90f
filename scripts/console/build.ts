import * as fs from "node:fs";
import * as path from "node:path";
import * as esbuild from "esbuild";
import { rootFolder } from "../command.ts";
import { HOME, joined } from "./joined.ts";
import { shellPage } from "./shell-page.ts";
import { usedOperations } from "./used-operations.ts";

const TARGET = path.join(rootFolder, "public", "console");
/** Of files whose names change with what is in them: kept by browsers for good (`public/_headers`). */
const FILES = path.join(TARGET, "f");

export interface BuiltConsole {
  /** By its name in public/console/f/. */
  files: Map<string, Uint8Array>;
  /** What the page loads first: the script, and what it imports before it does anything. */
  first: string[];
  /** What the page that people come to loads besides. */
  home: string[];
  style: string;
}

const options = {
  absWorkingDir: rootFolder,
  entryPoints: { app: "src/console/main.tsx" },
  outdir: FILES,
  bundle: true,
  splitting: true,
  // The condition "browser" gives the signals in older syntax, which takes more bytes.
  platform: "neutral",
  define: { "window.__PREACT_SIGNALS_DEVTOOLS__": "false" },
  format: "esm",
  target: ["es2023", "chrome123", "firefox128", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  metafile: true,
  write: false,
  logLevel: "silent",
} satisfies esbuild.BuildOptions;

/** Builds the console and writes it, the page that names the files last. */
export async function buildConsole(): Promise<BuiltConsole> {
  try {
    return write(await esbuild.build({ ...options, plugins: [await joining(), usedOperations] }));
  } catch (error) {
    throw new Error(`The console could not be built:\n${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The graph of modules is read first: what is shared is found in it. */
async function joining(): Promise<esbuild.Plugin> {
  const { metafile } = await esbuild.build({ ...options, minify: false });
  return joined(metafile, options.entryPoints.app);
}

export async function watchConsole(say: (line: string) => void): Promise<void> {
  const tell: esbuild.Plugin = {
    name: "tell",
    setup(build) {
      build.onEnd((result) => {
        for (const { text, location } of result.errors)
          say(`${location?.file ?? ""}:${location?.line ?? ""} ${text}`);
        if (result.errors.length > 0) return;
        write(result as BuildOutput);
        say(`built at ${new Date().toLocaleTimeString("en-GB")}: load the page again`);
      });
    },
  };
  await (await esbuild.context({ ...options, plugins: [tell] })).watch();
}

type BuildOutput = Pick<esbuild.BuildResult<typeof options>, "outputFiles" | "metafile">;

function write({ outputFiles, metafile }: BuildOutput): BuiltConsole {
  const files = new Map(
    outputFiles.map(({ path: at, contents }) => [path.basename(at), contents] as const),
  );
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([at, output]) => [path.basename(at), output]),
  );
  const { app } = options.entryPoints;
  // The entry itself does nothing but import the file that all screens share, its own code among it.
  const stub = [...outputs].find(([, { entryPoint }]) => entryPoint === app)![0];
  const entry = [...outputs].find(([, { inputs }]) => app in inputs)![0];
  /** With all that it imports before it runs. */
  const withImports = (start: string): string[] => {
    const all = [start];
    for (const name of all)
      for (const { path: at, kind } of outputs.get(name)!.imports)
        if (kind === "import-statement" && !all.includes(path.basename(at)))
          all.push(path.basename(at));
    return all;
  };
  const first = withImports(entry);
  const today = [...outputs].find(([, { entryPoint }]) => entryPoint === HOME)![0];
  const home = withImports(today).filter((name) => !first.includes(name));
  const style = path.basename(outputs.get(stub)!.cssBundle!);
  // One style is all that is named: what esbuild makes of it for each screen is the same again.
  for (const name of files.keys())
    if (name.endsWith(".css") ? name !== style : name === stub && stub !== entry)
      files.delete(name);
  fs.mkdirSync(FILES, { recursive: true });
  for (const [name, content] of files) replace(path.join(FILES, name), content);
  replace(path.join(TARGET, "shell.html"), shellPage({ scripts: first, style }));
  for (const old of fs.readdirSync(FILES))
    if (!files.has(old) && !old.endsWith(".part"))
      fs.rmSync(path.join(FILES, old), { force: true });
  return { files, first, home, style };
}

/** At once, since others may read it or write the same. */
function replace(file: string, content: Uint8Array | string): void {
  const part = `${file}.${process.pid}.part`;
  fs.writeFileSync(part, content);
  fs.renameSync(part, file);
}
