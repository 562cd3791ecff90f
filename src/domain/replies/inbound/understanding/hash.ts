/** FNV-1a over UTF-16 units: `mixed` may be asked of each state on the way, so all beginnings of a word cost one pass. */
export const HASH_START = 0x811c9dc5;

export const extended = (state: number, unit: number): number =>
  Math.imul(state ^ unit, 0x01000193);

export function extendedBy(state: number, text: string): number {
  let hash = state;
  for (let at = 0; at < text.length; at++) hash = extended(hash, text.charCodeAt(at));
  return hash;
}

export function mixed(state: number): number {
  const hash = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export const hashed = (text: string): number => mixed(extendedBy(HASH_START, text));
