import type { Config } from "#src/config.ts";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { WranglerSettings } from "../deploy/settings.ts";
import type { Said } from "./finding.ts";

/** What every check may use. */
export interface Context {
  config: Config;
  env: Record<string, string>;
  wrangler: WranglerSettings;
  /** Whether the Worker is there already: before the first deployment it is not asked. */
  isDeployed: boolean;
  authorities?: string;
  ask: Ask;
}

export interface Check {
  part: string;
  /** Needs a Worker that is deployed. */
  needsWorker?: true;
  run(context: Context): Promise<Said[]>;
}

/** `status` is 0 when no answer came, and `text` then says why. */
export interface Reply {
  status: number;
  text: string;
  /** Undefined when the body is no JSON. */
  json: unknown;
}
export type Ask = (url: string, init?: RequestInit) => Promise<Reply>;

const PATIENCE_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** One request; never throws, and follows no redirect, because what is asked has its answer at its own address. */
export const ask: Ask = async (url, init = {}) => {
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...init,
    });
    const text = (await readBoundedText(response, MAX_BYTES)) ?? "";
    return { status: response.status, text, json: parsed(text) };
  } catch (error) {
    return { status: 0, text: wordsOf(error), json: undefined };
  }
};

/** "fetch failed" says nothing; its cause does. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (inner instanceof Error) return wordsOf(inner);
  return error.name === "TimeoutError" ? "no answer in 10 s" : error.message;
}

/** "answered 404", or why nothing did. */
export const answerOf = ({ status, text }: Reply): string =>
  status === 0 ? `does not answer (${text})` : `answered ${status}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
