import { wrongArity } from "./arguments.ts";
import type { Command, Commands } from "./command.ts";
import { keyCommands } from "./key-commands.ts";
import type { Keyspace } from "./keyspace.ts";
import { OK, RedisError, type Reply } from "./reply.ts";
import { stringCommands } from "./string-commands.ts";

const flush: Command = {
  arity: -1,
  run(keys) {
    keys.clear();
    return OK;
  },
};

const serverCommands: Commands = {
  PING: { arity: -1, run: (_, [message]) => message ?? { status: "PONG" } },
  ECHO: { arity: 2, run: (_, [message]) => message! },
  DBSIZE: { arity: 1, run: (keys) => keys.entries().length },
  FLUSHDB: flush,
  FLUSHALL: flush,
  TIME: {
    arity: 1,
    run: ({ now }) => [String(Math.floor(now / 1000)), String((now % 1000) * 1000)],
  },
};

/** No script is ever known here, so that a client goes on to EVAL and hears there that none is run. */
const unknownScript: Command = {
  arity: -3,
  run() {
    throw new RedisError("NOSCRIPT No matching script. Please use EVAL.");
  },
};

const scriptCommands: Commands = {
  EVALSHA: unknownScript,
  EVALSHA_RO: unknownScript,
  SCRIPT: {
    arity: -2,
    run(_, [verb, ...digests]) {
      const name = verb!.toUpperCase();
      if (name === "EXISTS" && digests.length > 0) return digests.map(() => 0);
      if (name === "FLUSH") return OK;
      throw notScripted(`SCRIPT ${name}`);
    },
  },
};

const notScripted = (name: string) =>
  new RedisError(`ERR ${name} is not available here: the local stack runs no Lua scripts`);

const commands: Commands = {
  ...stringCommands,
  ...keyCommands,
  ...serverCommands,
  ...scriptCommands,
};

const SCRIPTING = /^(EVAL|EVAL_RO|FCALL|FCALL_RO|FUNCTION)$/;

/** Checks name and arity without running anything; a transaction is discarded by what this throws. */
export function findCommand(words: string[]): Command {
  const name = (words[0] ?? "").toUpperCase();
  if (SCRIPTING.test(name)) throw notScripted(name);
  if (!Object.hasOwn(commands, name))
    throw new RedisError(`ERR unknown command '${words[0] ?? ""}'`);
  const command = commands[name]!;
  const fits = command.arity < 0 ? words.length >= -command.arity : words.length === command.arity;
  if (!fits) throw wrongArity(name);
  return command;
}

/** Runs one command at `keys.now`; throws RedisError. */
export function execute(keys: Keyspace, words: string[]): Reply {
  return findCommand(words).run(keys, words.slice(1));
}
