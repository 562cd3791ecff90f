/** `npm start`: the whole service on this machine, until Ctrl-C. */
import "./stack/warp.ts";
import { parseArgs } from "node:util";
import { startInBackground } from "./start-background.ts";
import { startForeground } from "./start-foreground.ts";
import { findRunning } from "./stack/running.ts";

const HELP = `npm start -- [options]

  --no-demo      do not run the demo campaign
  --port N       port of the API (8787, or a free one if that is taken)
  --fresh        begin with an empty database, mailbox and queue, and with real time
  --watch        build the console again with every change of it; load the page again then
  --cells 2      two cells behind a router (docs/design/cells.md)
  --background   return when the service is up; npm run stop ends it
`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      "no-demo": { type: "boolean", default: false },
      port: { type: "string" },
      fresh: { type: "boolean", default: false },
      watch: { type: "boolean", default: false },
      cells: { type: "string", default: "1" },
      background: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new Error(`--port takes a number from 1 to 65535, not "${values.port}"`);
  }
  if (values.cells !== "1" && values.cells !== "2")
    throw new Error(`--cells takes 1 or 2, not "${values.cells}"`);
  return { ...values, port, cells: values.cells === "2" ? (2 as const) : (1 as const) };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return void console.log(HELP);
  const running = findRunning();
  if (running) {
    console.log(
      `Overture is running already (process ${running.pid}): API ${running.base_url}, mailbox ${running.mailbox_url}`,
    );
    console.log("Everything about it is in .local/stack.json; npm run stop ends it.");
    if (options.fresh) throw new Error("--fresh needs it stopped first.");
    return;
  }
  if (options.background)
    return startInBackground(process.argv.slice(2).filter((each) => each !== "--background"));
  const { port, fresh, watch, cells } = options;
  await startForeground({ port, fresh, watch, cells, demo: !options["no-demo"] });
}

try {
  await main();
} catch (error) {
  console.error(`\n${(error as Error).message}`);
  process.exit(1);
}
