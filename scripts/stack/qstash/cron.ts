const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Of cron expressions only the engine's: every minute, or every so many of an hour, in UTC. Throws an Error for others. */
export function parseCron(expression: string): number {
  const step = /^\*(?:\/(\d+))? \* \* \* \*$/.exec(expression);
  const minutes = Number(step?.[1] ?? 1);
  if (step === null || minutes < 1 || minutes > 59)
    throw new Error(`the local stack takes "*/<minutes> * * * *" alone, not "${expression}"`);
  return minutes;
}

/** The first run after `after`. An hour that is not a multiple of the minutes ends with a shorter gap, as cron has it. */
export function nextRun(cron: string, after: number): number {
  const step = parseCron(cron) * MINUTE;
  const hour = Math.floor(after / HOUR) * HOUR;
  return Math.min(hour + (Math.floor((after - hour) / step) + 1) * step, hour + HOUR);
}
