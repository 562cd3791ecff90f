/** The other cells of the deployment. */
export interface OtherCells {
  /** Hands over hits of messages that this cell does not know; done when every other cell has taken those that it knows. */
  bringHits(packs: readonly unknown[]): Promise<void>;
}
