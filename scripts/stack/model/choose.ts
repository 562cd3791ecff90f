import { createHash } from "node:crypto";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * The same of several for the same seed, on every machine. A sentence's seed is what it speaks of and nothing else, so
 * that another fact changes the sentences that state it and no other.
 */
export const choose = <Item>(items: readonly Item[], ...seed: string[]): Item =>
  items[Number.parseInt(sha256(JSON.stringify(seed)).slice(0, 8), 16) % items.length]!;

/** A share of all texts, always the same ones. */
export const happensTo = (text: string, share: number): boolean =>
  Number.parseInt(sha256(text).slice(0, 8), 16) < share * 2 ** 32;
