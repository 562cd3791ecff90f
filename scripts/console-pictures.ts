/**
 * `npm run console:pictures [-- --only /settings]`: every page of the console as a person sees it, in light, dark and at
 * 360 px, into .local/pictures/; and how long each takes to be first painted by a processor four times slower. Starts a
 * service of its own for the time, whose demo is in its second day. The README's two pictures are made with `--readme`.
 */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { rootFolder, runCommand } from "./command.ts";
import { takePictures, takeReadmePictures } from "./console/pictures.ts";
import { playDemo } from "./demo.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    out: { type: "string" },
    readme: { type: "boolean", default: false },
  },
});
/** One of the two follow-ups is sent then, one is to come, and there are answers. */
const HOURS = 32;
const usual = values.readme ? ["docs", "pictures"] : [".local", "pictures"];
const folder = path.resolve(values.out ?? path.join(rootFolder, ...usual));

const script = (...args: string[]) =>
  runCommand(process.execPath, [path.join(import.meta.dirname, args[0]!), ...args.slice(1)]);

const home = fs.mkdtempSync(path.join(os.tmpdir(), "overture-pictures-"));
// The database's own account has to pass through.
fs.chmodSync(home, 0o755);
process.env["OVERTURE_LOCAL"] = path.join(home, "local");
process.env["OVERTURE_STATE_HOME"] = path.join(home, "state");
// Only now, since it takes its folder from the environment when it is loaded.
const { findRunning } = await import("./stack/running.ts");

try {
  console.log("Starting a service for the pictures, and its demo until the second day.");
  const { code, output } = await script("start.ts", "--background", "--no-demo");
  if (code !== 0) throw new Error(output);
  const running = findRunning()!;
  await playDemo(running, HOURS);
  fs.mkdirSync(folder, { recursive: true });
  const say = (line: string) => console.log(line);
  if (values.readme) await takeReadmePictures({ running, folder, say });
  else await takePictures({ running, folder, only: values.only, say });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await script("stop.ts");
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
