export interface SearchQuery {
  text: string;
  /** ISO 3166-1 alpha-2 in upper case: results from there first, where the engine can. */
  country: string | null;
}

export interface SearchHit {
  url: string;
  title: string;
  /** Without markup. */
  snippet: string;
}

export type SearchAnswer =
  | { kind: "hits"; hits: SearchHit[] }
  | { kind: "failed"; reason: SearchFailure; detail: string };

export type SearchFailure =
  /** No connection, a server error, or a connection that broke. */
  | "unavailable"
  | "timeout"
  /** The engine's own limit of calls. */
  | "rate_limited"
  /** The key, the plan or the engine's settings do not allow it: it will not pass by itself. */
  | "refused"
  /** An answer of another shape than is documented. */
  | "unreadable";

export interface SearchEngine {
  /** As the configuration calls it. */
  readonly name: string;
  /** Each search costs something. */
  readonly isPaid: boolean;
  /** Never throws for what engine and line do. The signal ends it early. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer>;
}
