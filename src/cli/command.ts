import { parseArgs, type ParseArgsConfig } from "node:util";
import { Refusal } from "./refusal.ts";
import type { Terminal } from "./terminal.ts";

/** What a command is: how it is called, and what it does; resolves with its exit code. */
export interface Command {
  usage: string;
  about: string;
  run(args: string[], terminal: Terminal): Promise<number>;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options and words of a command line; every command takes `--json`. */
export function readArgs<const O extends Options>(
  args: string[],
  options: O,
  { min = 0, max = min }: { min?: number; max?: number } = {},
) {
  const all = { ...options, json: { type: "boolean", default: false } } as O & {
    json: { type: "boolean"; default: false };
  };
  let read;
  try {
    read = parseArgs({ args, options: all, allowPositionals: true });
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
  if (read.positionals.length < min || read.positionals.length > max)
    throw new Refusal(
      read.positionals.length < min ? "Something is missing." : "There is more than one can take.",
    );
  return { values: read.values, words: read.positionals };
}
