/** Whether this is the run that asks for the depth (`npm run test:full`). */
export const isFull = process.env["TEST_FULL"] !== undefined;

/** The size of something in the full run, and in the run that one waits for. */
export const inFull = <T>(full: T, byDefault: T): T => (isFull ? full : byDefault);
