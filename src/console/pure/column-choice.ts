/** What a column of a file becomes: a field of a lead, a field of one's own, or nothing. */
import { LEAD_TEXTS } from "../api/lists.ts";

/** "" leaves it out, "custom" takes it under its own name. */
export type Choice = string;

export interface TriedColumn {
  header: string;
  guess: string | null;
  samples: string[];
}

const CUSTOM = "custom.";
export const FIELDS: readonly string[] = [...LEAD_TEXTS, "tags"];

export const choiceOf = (target: string | null): Choice => target ?? "";

/** The choices of a column: the fields, its own name as a field, and what it is now where that is another one. */
export function choicesFor({ header, guess }: TriedColumn): string[] {
  const own = `${CUSTOM}${keyOf(header)}`;
  const all = [...FIELDS, own];
  return guess !== null && !all.includes(guess) ? [...all, guess] : all;
}

/** As an import names it: "Team size" is team_size. */
function keyOf(header: string): string {
  const key = header
    .replace(/^custom\./i, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  return key.slice(0, LONGEST_KEY) || "column";
}

const LONGEST_KEY = 100;

export const ownName = (choice: Choice): string | null =>
  choice.startsWith(CUSTOM) ? choice.slice(CUSTOM.length) : null;

/** Of what the person chose otherwise than was guessed. */
export const mappingOf = (chosen: Readonly<Record<string, Choice>>) =>
  Object.fromEntries(
    Object.entries(chosen).map(([header, choice]) => [header, choice === "" ? null : choice]),
  );
