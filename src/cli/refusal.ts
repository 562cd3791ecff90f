/** What a command ends with. */
export const EXIT = {
  /** File and campaign are alike, or what was asked for is done. */
  same: 0,
  /** A failure that the service did not answer with: no network, a defect. */
  failed: 1,
  changes: 2,
  refused: 3,
  stale: 4,
} as const;

/** A command that is not carried out, in words for its caller. */
export class Refusal extends Error {
  readonly lines: readonly string[];
  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}
