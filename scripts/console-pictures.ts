/**
 * `npm run console:pictures [-- --only /settings]`: every page of the console as a person sees it, in light, dark and at
 * 360 px, into .local/pictures/; and how long each takes to be first painted by a processor four times slower. Uses the
 * service that runs, or starts one for the time.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { rootFolder, runCommand } from "./command.ts";
import { takePictures } from "./console/pictures.ts";
import { findRunning } from "./stack/running.ts";

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, out: { type: "string" } },
});
const folder = path.resolve(values.out ?? path.join(rootFolder, ".local", "pictures"));

const script = (...args: string[]) =>
  runCommand(process.execPath, [path.join(import.meta.dirname, args[0]!), ...args.slice(1)]);

try {
  const wasRunning = findRunning() !== null;
  if (!wasRunning) {
    console.log("Starting the service, with its demo, for the pictures.");
    const { code, output } = await script("start.ts", "--background");
    if (code !== 0) throw new Error(output);
  }
  try {
    fs.mkdirSync(folder, { recursive: true });
    await takePictures({
      running: findRunning()!,
      folder,
      only: values.only ?? [],
      say: (line) => console.log(line),
    });
  } finally {
    if (!wasRunning) await script("stop.ts");
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
