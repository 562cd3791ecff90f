import { OvertureError } from "../sdk/index.ts";
import type { Command } from "./command.ts";
import { apply } from "./commands/apply.ts";
import { doctor } from "./commands/doctor.ts";
import { events } from "./commands/events.ts";
import { importLeads } from "./commands/import.ts";
import { login } from "./commands/login.ts";
import { pay } from "./commands/pay.ts";
import { plan } from "./commands/plan.ts";
import { pull } from "./commands/pull.ts";
import { watch } from "./commands/watch.ts";
import { why } from "./commands/why.ts";
import { EXIT, Refusal } from "./refusal.ts";
import { plain, processTerminal, type Terminal } from "./terminal.ts";

/** Said by the build. */
declare const OVERTURE_VERSION: string;

const COMMANDS: Record<string, Command> = {
  login,
  plan,
  apply,
  pull,
  import: importLeads,
  watch,
  why,
  events,
  pay,
  doctor,
};

const usage = (): string =>
  [
    "overture COMMAND ... [--json]",
    ...Object.values(COMMANDS).map(({ usage: how, about }) => `\n  ${how}\n      ${about}`),
    "\nExit codes: 0 same or done, 1 failed, 2 changes, 3 refused, 4 stale.",
  ].join("\n");

async function run([name = "--help", ...args]: string[], terminal: Terminal): Promise<number> {
  if (["help", "--help", "-h"].includes(name) || args.includes("--help")) {
    const one = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    terminal.out(one === undefined ? usage() : `overture ${one.usage}\n  ${one.about}`);
    return EXIT.same;
  }
  if (name === "--version") {
    terminal.out(OVERTURE_VERSION);
    return EXIT.same;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined)
    throw new Refusal(
      `There is no command ${plain(name)}.`,
      "overture --help says which there are.",
    );
  return command.run(args, terminal);
}

/** What went wrong, for people on stderr and, with `--json`, for programs on stdout. */
function tell(error: unknown, isJson: boolean, { out, note }: Terminal): number {
  const known = error instanceof OvertureError ? error : null;
  const isRefused =
    error instanceof Refusal || (known !== null && known.status >= 400 && known.status < 500);
  const code = known?.code === "PLAN_STALE" ? EXIT.stale : isRefused ? EXIT.refused : EXIT.failed;
  const lines = error instanceof Refusal ? error.lines : [plain((error as Error).message)];
  if (isJson)
    out(
      JSON.stringify({
        error: lines.join("\n"),
        ...(known && { status: known.status, code: known.code, request_id: known.requestId }),
      }),
    );
  else {
    for (const line of lines) note(line);
    if (known !== null)
      note(`  ${known.code}${known.requestId ? `, request ${plain(known.requestId)}` : ""}`);
  }
  return code;
}

const terminal = processTerminal();
const args = process.argv.slice(2);
try {
  process.exitCode = await run(args, terminal);
} catch (error) {
  process.exitCode = tell(error, args.includes("--json"), terminal);
}
