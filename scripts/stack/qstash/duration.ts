const SECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
};

/** Seconds of a duration such as "10s", "1d10h30m" or "6m5.5s"; null if it is none. A bare number is seconds. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/.test(trimmed)) return null;
  let seconds = 0;
  for (const [, amount, unit] of trimmed.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h|d)/g)) {
    seconds += Number(amount) * SECONDS_PER_UNIT[unit!]!;
  }
  return seconds;
}
