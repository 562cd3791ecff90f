/** A store that may forget anything at any time: counters of the limiter and hints, never truth. */
export interface Cache {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /** Adds one to each counter and answers the new counts; a counter lives `ttlSeconds` from its first use. One round trip. */
  count(keys: { key: string; ttlSeconds: number }[]): Promise<number[]>;
  delete(key: string): Promise<void>;
}
