/** Members with scores, kept in Redis's order: by score, then by the member's bytes. */
export interface SortedSet {
  scores: Map<string, number>;
  ordered: Member[];
}

export interface Member {
  member: string;
  score: number;
}

export const createSortedSet = (): SortedSet => ({ scores: new Map(), ordered: [] });

export function put(set: SortedSet, member: string, score: number): void {
  remove(set, member);
  set.scores.set(member, score);
  set.ordered.splice(position(set, member, score), 0, { member, score });
}

export function remove(set: SortedSet, member: string): boolean {
  const score = set.scores.get(member);
  if (score === undefined) return false;
  set.scores.delete(member);
  set.ordered.splice(position(set, member, score), 1);
  return true;
}

/** The rank of a member, lowest score first, or null. */
export function rankOf(set: SortedSet, member: string): number | null {
  const score = set.scores.get(member);
  return score === undefined ? null : position(set, member, score);
}

/** How many members come before those for which `reached` holds; it must be false first, then true. */
export function countBefore(set: SortedSet, reached: (item: Member) => boolean): number {
  let low = 0;
  let high = set.ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reached(set.ordered[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const position = (set: SortedSet, member: string, score: number) =>
  countBefore(set, (item) => item.score > score || (item.score === score && item.member >= member));
