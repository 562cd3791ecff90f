import type { Operations } from "../console/api/schema.ts";

export type Answer<Id extends keyof Operations> = Operations[Id]["answer"];
export type Body<Id extends keyof Operations> = Operations[Id] extends { body?: infer B }
  ? Exclude<B, undefined>
  : never;
export type Query<Id extends keyof Operations> = Operations[Id] extends { query?: infer Q }
  ? Exclude<Q, undefined>
  : never;
export type ItemOf<Id extends keyof Operations> =
  Answer<Id> extends { items: Array<infer Item> } ? Item : never;

export interface CallOptions {
  /** Up to 255 printable characters; one is drawn for each call that has none, and kept over its retries. */
  idempotencyKey?: string;
  /** The `ETag` that the record was read with: a change of what another changed meanwhile is refused (412). */
  ifMatch?: string;
  signal?: AbortSignal;
  /** Is told the headers of the answer, among them `ETag` and `Idempotent-Replayed`. */
  onHeaders?: (headers: Headers) => void;
}

export interface Page<Item> {
  items: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A list: `for await` goes through all of it, page by page; `page` asks for one page. */
export interface Pages<Item> extends AsyncIterable<Item> {
  page(): Promise<Page<Item>>;
}
