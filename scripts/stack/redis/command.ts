import type { Keyspace } from "./keyspace.ts";
import type { Reply } from "./reply.ts";

export interface Command {
  /** Number of words including the name; negative: at least so many. As in Redis's COMMAND. */
  arity: number;
  /** `args` are the words after the name. */
  run(keys: Keyspace, args: string[]): Reply;
}

export type Commands = Readonly<Record<string, Command>>;
