import { LiquidError } from "liquidjs";
import { NO_VALUE } from "./template-engine.ts";

/** A template that cannot be read, or that asks for more than it may. `line` and `column` count from 1. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly kind: "syntax" | "limit";
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(kind: "syntax" | "limit", message: string, line?: number, column?: number) {
    super(message);
    this.kind = kind;
    this.line = line;
    this.column = column;
  }
}

/** The names, if missing variables are all that went wrong. */
export function missingVariables(error: unknown): string[] | null {
  const all = flatErrors(error);
  const names = all.map(missingName);
  return all.length > 0 && names.every((name) => name !== undefined) ? [...new Set(names)] : null;
}

function missingName({ message, token }: LiquidError): string | undefined {
  if (message.startsWith(NO_VALUE)) return token.getText().replace(/^\{\{-?\s*|\s*-?\}\}$/g, "");
  return /^undefined variable: ([^,\n]+)/.exec(message)?.[1];
}

function flatErrors(error: unknown): LiquidError[] {
  if (!LiquidError.is(error)) return [];
  const inner = (error as LiquidError & { errors?: LiquidError[] }).errors;
  return inner ? inner.flatMap(flatErrors) : [error];
}

export function asTemplateError(error: unknown): unknown {
  const [first] = flatErrors(error).filter((each) => missingName(each) === undefined);
  if (!first) return error;
  const message = first.message.replace(/, line:\d+, col:\d+$/, "");
  const kind = /limit exceeded/.test(message) ? "limit" : "syntax";
  const [line, column] = positionOf(first);
  return new TemplateError(kind, message, line, column);
}

function positionOf({
  token,
}: LiquidError): [line: number | undefined, column: number | undefined] {
  if (typeof token?.input !== "string") return [undefined, undefined];
  const before = token.input.slice(0, token.begin).split("\n");
  return [before.length, before.at(-1)!.length + 1];
}
