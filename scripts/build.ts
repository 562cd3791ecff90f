/** `npm run build [-- --table]`: the Worker as a deployment would bundle it, and the local entry; `--table` says in docs/dependencies.md what the first is made of. */
import { staleTable, writeBundleTable } from "./bundle-table.ts";
import { rootFolder } from "./command.ts";
import { bundleWorker, LOCAL_ENTRY, WORKER_ENTRY } from "./stack/bundle.ts";

try {
  for (const entry of [WORKER_ENTRY, LOCAL_ENTRY]) {
    const bundle = await bundleWorker(entry);
    const { file, built, seconds, bytes } = bundle;
    const how = built ? `built in ${seconds.toFixed(1)} s` : "unchanged";
    const target = file.slice(rootFolder.length + 1);
    console.log(`${entry} -> ${target}  ${Math.round(bytes / 1024)} kB, ${how}`);
    if (entry !== WORKER_ENTRY) continue;
    if (process.argv.includes("--table")) writeBundleTable(bundle);
    const stale = staleTable(bundle);
    if (stale !== null) throw new Error(stale);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
