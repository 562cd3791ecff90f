/**
 * `npm run console`: the web console for the browser, into public/console/; `--watch` builds it again with every change,
 * `--check` says whether it keeps to its size, `--sizes` how large each part is.
 */
import { parseArgs } from "node:util";
import { buildConsole, watchConsole } from "./console/build.ts";
import { excessOf, sizesOf } from "./console/budget.ts";

const { values } = parseArgs({
  options: {
    watch: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    sizes: { type: "boolean", default: false },
  },
});

try {
  if (values.watch) await watchConsole((line) => console.log(line));
  else {
    const built = await buildConsole();
    const sizes = sizesOf(built);
    if (values.sizes || !values.check)
      for (const { name, gzipped } of sizes.files)
        console.log(`${(gzipped / 1000).toFixed(1).padStart(6)} kB  ${name}`);
    const excess = excessOf(sizes);
    for (const line of excess) console.error(line);
    if (excess.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
