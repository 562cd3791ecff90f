import * as fs from "node:fs";
import type * as esbuild from "esbuild";
import { rootFolder } from "../command.ts";

const ROW = /^  (\w+): ".*",\n/gm;

/** The table of operations (`src/console/api/schema.ts`) without those that the console names nowhere. */
export const usedOperations: esbuild.Plugin = {
  name: "used-operations",
  setup(build) {
    build.onLoad({ filter: /\/src\/console\/api\/schema\.ts$/ }, async ({ path }) => {
      const table = await fs.promises.readFile(path, "utf8");
      const named = await namesIn(path);
      return {
        contents: table.replace(ROW, (row, id: string) => (named.has(id) ? row : "")),
        loader: "ts",
      };
    });
  },
};

/** Every word that stands in quotes in the console's other files: an operation's id is always written out. */
async function namesIn(table: string): Promise<Set<string>> {
  const files = fs.globSync(`${rootFolder}/src/console/**/*.{ts,tsx}`);
  const texts = await Promise.all(
    files.filter((file) => file !== table).map((file) => fs.promises.readFile(file, "utf8")),
  );
  return new Set(texts.flatMap((text) => [...text.matchAll(/"(\w+)"/g)].map(([, word]) => word!)));
}
