import { RedisError, syntaxError } from "./reply.ts";

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const notAnInteger = () => new RedisError("ERR value is not an integer or out of range");

/** An exact 64-bit integer, as counters hold. */
export function int64(text: string): bigint {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) throw notAnInteger();
  const value = BigInt(text);
  if (value > INT64_MAX || value < INT64_MIN) throw notAnInteger();
  return value;
}

/** Adds within 64 bits or fails as Redis does. */
export function addInt64(left: bigint, right: bigint): bigint {
  const sum = left + right;
  if (sum > INT64_MAX || sum < INT64_MIN) {
    throw new RedisError("ERR increment or decrement would overflow");
  }
  return sum;
}

export const integer = (text: string) => Number(int64(text));

const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^([+-]?)inf(inity)?$/i;

export function float(text: string, message = "ERR value is not a valid float"): number {
  const infinite = INFINITE.exec(text);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  if (!FLOAT.test(text)) throw new RedisError(message);
  return Number(text);
}

export function formatFloat(value: number): string {
  if (value === Infinity) return "inf";
  if (value === -Infinity) return "-inf";
  return String(value);
}

/** Reads options one after another: names are case-insensitive, values taken by the caller. */
export function* options(args: string[]): Generator<{ name: string; next: () => string }> {
  let index = 0;
  const next = () => {
    const value = args[index++];
    if (value === undefined) throw syntaxError();
    return value;
  };
  while (index < args.length) yield { name: next().toUpperCase(), next };
}

/** Splits [a, b, c, d] into [[a, b], [c, d]]; an odd list fails with the command's arity error. */
export function pairs(args: string[], command: string): [string, string][] {
  if (args.length % 2 === 1 || args.length === 0) throw wrongArity(command);
  const result: [string, string][] = [];
  for (let i = 0; i < args.length; i += 2) result.push([args[i]!, args[i + 1]!]);
  return result;
}

export const wrongArity = (command: string) =>
  new RedisError(`ERR wrong number of arguments for '${command.toLowerCase()}' command`);

/** Turns Redis's inclusive, possibly negative range into array bounds [start, end). */
export function sliceBounds(start: number, stop: number, length: number): [number, number] {
  const from = start < 0 ? Math.max(0, length + start) : start;
  const to = stop < 0 ? length + stop : stop;
  return [Math.min(from, length), Math.max(Math.min(to + 1, length), 0)];
}

/** Compiles a glob of KEYS and SCAN: *, ?, [abc], [^a-z] and backslash. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.replace(
    /\\([\s\S])|\[(\^?)((?:\\[\s\S]|[^\]\\])*)\]|\*+|[\s\S]/g,
    (token, escaped?: string, not?: string, inside?: string) => {
      if (escaped !== undefined) return escape(escaped);
      if (inside !== undefined) return characterClass(not === "^", inside);
      if (token.startsWith("*")) return "[\\s\\S]*";
      if (token === "?") return "[\\s\\S]";
      return escape(token);
    },
  );
  const compiled = new RegExp(`^${source}$`);
  return (text) => compiled.test(text);
}

const escape = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

function characterClass(not: boolean, inside: string): string {
  if (inside === "") return not ? "[\\s\\S]" : "(?!)";
  const members = inside.replace(/\\([\s\S])|[\]^\\]/g, (token, escaped?: string) =>
    escape(escaped ?? token),
  );
  return `[${not ? "^" : ""}${members}]`;
}
