import { AppError } from "#src/errors.ts";
import { createHold } from "#src/platform/large-bodies.ts";
import { systemClock } from "#src/platform/system.ts";
import { readCells, RouterConfigError } from "./cells.ts";
import { bringMail } from "./mail.ts";
import { refuse } from "./refuse.ts";
import { createRouter } from "./router.ts";

const UNCONFIGURED = "The router is not configured; its log says what is wrong.";

type Env = Record<string, unknown>;

let made:
  | { cells: ReturnType<typeof readCells>["cells"]; router: ReturnType<typeof createRouter> }
  | undefined;

function madeFor(env: Env) {
  if (made === undefined) {
    const read = readCells(env);
    made = { cells: read.cells, router: createRouter({ ...read, now: () => systemClock.now() }) };
  }
  return made;
}

/** The Worker before the cells (docs/design/cells.md). */
export default {
  async fetch(request, env) {
    try {
      return await madeFor(env).router.fetch(request);
    } catch (error) {
      if (!(error instanceof RouterConfigError)) throw error;
      // oxlint-disable-next-line no-console -- Workers write their log there
      console.error(error.message);
      return refuse(request, new AppError("unavailable", "NOT_CONFIGURED", UNCONFIGURED));
    }
  },
  // A throw is a temporary failure to the mail's sender, which tries again.
  async email(message, env) {
    const secret = env["INBOUND_SECRET"];
    if (typeof secret !== "string") throw new Error("INBOUND_SECRET is not set");
    const hold = createHold();
    try {
      hold.grow(message.rawSize);
      const raw = new Uint8Array(await new Response(message.raw).arrayBuffer());
      const { from, to } = message;
      await bringMail(madeFor(env).cells, secret, { raw, from, to, at: systemClock.now() });
    } finally {
      hold.release();
    }
  },
} satisfies ExportedHandler<Env>;
