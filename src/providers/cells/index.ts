/** A person as their identity provider names them: users have other ids in each cell. */
export interface Login {
  issuer: string;
  subject: string;
}

/** The other cells of the deployment. Each call rejects unless all of them did it. */
export interface OtherCells {
  /** Hands over hits of messages that this cell does not know; done when every other cell has taken those that it knows. */
  bringHits(packs: readonly unknown[]): Promise<void>;
  /** Ends the sessions of these logins that began before then. */
  endSessions(logins: readonly Login[], before: Date): Promise<void>;
}
