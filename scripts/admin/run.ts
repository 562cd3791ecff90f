import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findRunning, type StackDescription } from "../stack/running.ts";
import { COMMANDS } from "./commands.ts";
import { openDatabase } from "./database.ts";
import type { Wait } from "./move/move-workspace.ts";
import { Refusal } from "./refusal.ts";

const HELP = `npm run admin -- COMMAND

  find EMAIL                                 the workspaces of users with that address
  show WORKSPACE                             plan, credits, keys, campaigns by status
  plan WORKSPACE free|paid                   puts it on a plan
  grant WORKSPACE CREDITS --reference TEXT   adds credits, once for a reference
  restore WORKSPACE                          takes its deletion back, within 30 days
  move WORKSPACE CELL [--leave-links]        to another cell's database: docs/design/cells.md
  move WORKSPACE CELL --cancel               takes a move back that has not switched yet
  forget WORKSPACE                           erases what one left that moved away and was erased there
  restored --since TIME [--campaign ID]      what may have gone out since becomes unknown: docs/operating.md
  restored --suppress FILE | --erased        its addresses are suppressed; whom a hash names is erased again
  restored --list | --log FILE               what is not settled; settles what a relay's log names
  restored --sent ID... | --again ID...      it has gone out; it has not, and is sent again
  opt-outs [WHICH]                           who left the prospect pool, newest first, by whom
  undo-opt-out WHICH                         lets the next import take the profile in again

WORKSPACE is an id, or the address of its user. WHICH is the address of a profile, or a mark
(mailbox:, client:, workspace:) for all opt-outs that have it. The database is that of DATABASE_URL,
or else of the local stack that runs (npm start). Nothing is asked; what cannot be done
is said in a sentence, and ends with 1.
`;

function readOrder(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      reference: { type: "string" },
      since: { type: "string" },
      campaign: { type: "string" },
      log: { type: "string" },
      suppress: { type: "string" },
      erased: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      sent: { type: "boolean", default: false },
      again: { type: "boolean", default: false },
      cancel: { type: "boolean", default: false },
      "leave-links": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [name, ...words] = positionals;
  const { reference, help, cancel, "leave-links": leaveLinks, ...restored } = values;
  return { name, words, reference, restored, move: { cancel, leaveLinks }, wantsHelp: help };
}

/** Answers what is printed; throws a `Refusal`, or what went wrong. Without an address, the database of the stack that runs. */
export async function runAdmin(
  args: string[],
  databaseUrl: string | undefined,
  now = new Date(),
  env: Record<string, string | undefined> = process.env,
  wait: Wait = waitAloud,
): Promise<string> {
  const { name, words, reference, restored, move, wantsHelp } = readOrder(args);
  if (wantsHelp) return HELP;
  if (name === undefined) throw new Refusal(`Say what to do.\n\n${HELP}`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new Refusal(`There is no command ${name}; --help has them.`);
  const running = databaseUrl === undefined ? findRunning() : null;
  const url = databaseUrl ?? running?.database_url;
  if (!url) throw new Refusal("Set DATABASE_URL to the deployment's database, or run npm start.");
  const { db, close } = await openDatabase(url);
  return command({
    db,
    words,
    reference,
    restored,
    move,
    now,
    wait,
    env: { ...settingsOf(running), ...env },
  }).finally(close);
}

async function waitAloud(ms: number, why: string): Promise<void> {
  console.error(why);
  await setTimeout(ms);
}

/** What an operator would set for the cells of a deployment. */
const settingsOf = (running: StackDescription | null): Record<string, string> => ({
  ...(running?.big_database_url != null && {
    CELL_BIG_DATABASE_URL: running.big_database_url,
    PUBLIC_BASE_URL: running.base_url,
  }),
});
