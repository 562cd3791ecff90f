import * as fs from "node:fs";
import * as path from "node:path";
import type * as esbuild from "esbuild";
import { rootFolder } from "../command.ts";

/** The screen at /console. */
export const HOME = "src/console/screens/today.ts";

/**
 * esbuild makes a file for each set of entries that share a module: some twenty of 1 kB, each a request and
 * compressed by itself. Here what the page and its first screen need is one file, and what several others share a
 * second one: each entry is made to import all of it, so that there are two sets. A screen is then three scripts.
 */
export function joined({ inputs }: esbuild.Metafile, main: string): esbuild.Plugin {
  const closure = (start: string): Set<string> => {
    const all = new Set([start]);
    for (const file of all)
      for (const each of inputs[file]!.imports)
        if (each.kind === "import-statement" && each.path in inputs) all.add(each.path);
    return all;
  };
  const isScript = (file: string) => !file.endsWith(".css");
  const entries = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind }) => kind === "dynamic-import")
    .map(({ path: at }) => at);
  const closures = new Map([...new Set(entries)].map((entry) => [entry, closure(entry)]));
  const isShared = (file: string) =>
    [...closures.values()].filter((files) => files.has(file)).length > 1;
  const first = closure(main);
  for (const file of closures.get(HOME)!) if (isShared(file)) first.add(file);
  const common = Object.keys(inputs).filter((file) => isShared(file) && !first.has(file));
  const imported = (files: Iterable<string>) =>
    [...files]
      .filter(isScript)
      .map((file) => `import ${JSON.stringify(path.join(rootFolder, file))};\n`)
      .join("");
  return {
    name: "joined",
    setup(build) {
      build.onLoad({ filter: /\/src\/console\/.*\.tsx?$/ }, async ({ path: at }) => {
        const file = path.relative(rootFolder, at);
        if (file !== main && !closures.has(file)) return undefined;
        const source = await fs.promises.readFile(at, "utf8");
        const more = imported(first) + (file === main || file === HOME ? "" : imported(common));
        return { contents: `${source}\n${more}`, loader: file.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}
