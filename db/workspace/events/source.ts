import type { Told } from "./catalogue.ts";
import type { EventType } from "./types.ts";

/**
 * One trigger: which change of which table it tells, and what of it. All of it is SQL over `old` and `new`. A trigger
 * cannot be forgotten by a statement, and tells what an older release does as well; what it does not know is who asked,
 * which the transaction says (`overture.actor`, db/base/acting.ts). It tells ids and codes: what may name or quote a person
 * stays where erasure finds it.
 */
export interface EventSource {
  name: string;
  table: string;
  /** `insert`, or the columns whose change is told. */
  on: "insert" | readonly string[];
  when?: string;
  type: string;
  at?: string;
  campaign?: string;
  data: Record<string, string>;
  /** What has to be done and known before: declarations and statements of plpgsql. */
  first?: { declare: string; body: string; found: string };
}

export const quoted = (word: string): string => `'${word}'`;
export const changed = (column: string): string => `old.${column} is distinct from new.${column}`;
export const becomes = (column: string): string =>
  `old.${column} is null and new.${column} is not null`;

export function toldOf<State extends string>(told: Told<State>): [State, EventType][] {
  return (Object.entries(told) as [State, EventType | null][]).filter(
    (entry): entry is [State, EventType] => entry[1] !== null,
  );
}

/** The type by the state that a column has by now; `but` comes before it. */
export function byState<State extends string>(column: string, told: Told<State>, but = "") {
  const entries = toldOf(told);
  const cases = entries.map(([state, type]) => `when ${quoted(state)} then ${quoted(type)}`);
  const type = `case new.${column} ${cases.join(" ")} end`;
  return {
    on: [column],
    when: `${changed(column)} and new.${column} in (${entries.map(([state]) => quoted(state)).join(", ")})`,
    type: but === "" ? type : `case ${but} else ${type} end`,
  };
}

/** Few words of our own or of a provider, about a sender and never about a recipient. */
export const words = (column: string) => `left(new.${column}, 300)`;
