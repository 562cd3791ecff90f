/** `npm run build`: the Worker as a deployment would bundle it, and the local entry. */
import { bundleWorker, LOCAL_ENTRY, WORKER_ENTRY } from "./stack/bundle.ts";
import { rootFolder } from "./command.ts";

for (const entry of [WORKER_ENTRY, LOCAL_ENTRY]) {
  const { file, built, seconds, bytes } = await bundleWorker(entry);
  const how = built ? `built in ${seconds.toFixed(1)} s` : "unchanged";
  console.log(
    `${entry} -> ${file.slice(rootFolder.length + 1)}  ${Math.round(bytes / 1024)} kB, ${how}`,
  );
}
