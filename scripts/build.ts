/** `npm run build`: the Worker as a deployment would bundle it, and the local entry. */
import { rootFolder } from "./command.ts";
import { bundleWorker, LOCAL_ENTRY, WORKER_ENTRY } from "./stack/bundle.ts";

try {
  for (const entry of [WORKER_ENTRY, LOCAL_ENTRY]) {
    const { file, built, seconds, bytes } = await bundleWorker(entry);
    const how = built ? `built in ${seconds.toFixed(1)} s` : "unchanged";
    const target = file.slice(rootFolder.length + 1);
    console.log(`${entry} -> ${target}  ${Math.round(bytes / 1024)} kB, ${how}`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
