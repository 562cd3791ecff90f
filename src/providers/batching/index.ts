/** A queue that hands messages over many at a time: at least once, in any order, again until each is acknowledged. */
export interface BatchingQueue {
  /** Resolves when the queue has all of them; after a rejection it may have some. */
  send(messages: readonly unknown[]): Promise<void>;
}

/** A message of a batch, as its consumer gets it. */
export interface BatchedMessage {
  body: unknown;
  /** 1 when it is delivered for the first time. */
  attempts: number;
  ack(): void;
  retry(options: { delaySeconds: number }): void;
}
