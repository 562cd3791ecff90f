/**
 * Five-field cron expressions (crontab(5)): numbers, names, lists, ranges,
 * steps, the `@daily` kind, and a leading `CRON_TZ=Zone`.
 *
 * A run happens at each whole minute whose local fields all match. So a time
 * that the clocks skip in spring does not run that day, and one that they
 * repeat in autumn runs twice, as with Go's robfig/cron, whose `CRON_TZ=` this is.
 */
export interface Cron {
  zone: string;
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  daysOfMonth: ReadonlySet<number>;
  months: ReadonlySet<number>;
  daysOfWeek: ReadonlySet<number>;
  /** crontab(5): if both day fields are restricted, a day that matches either one runs. */
  eitherDay: boolean;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAYS = "sun mon tue wed thu fri sat".split(" ");

const ALIASES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Throws an Error that says what is wrong. */
export function parseCron(expression: string): Cron {
  const [, zone = "UTC", rest = ""] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(expression.trim())!;
  formatterOf(zone);
  const fields = (ALIASES[rest.toLowerCase()] ?? rest).trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5) throw new Error(`expected 5 cron fields, found ${fields.length}`);
  const daysOfWeek = parseField(weekday!, 0, 7, DAYS, 0);
  return {
    zone,
    minutes: parseField(minute!, 0, 59),
    hours: parseField(hour!, 0, 23),
    daysOfMonth: parseField(day!, 1, 31),
    months: parseField(month!, 1, 12, MONTHS, 1),
    daysOfWeek: new Set([...daysOfWeek].map((value) => value % 7)),
    eitherDay: !/^[*?]/.test(day!) && !/^[*?]/.test(weekday!),
  };
}

function parseField(field: string, min: number, max: number, names: string[] = [], offset = 0) {
  const value = (text: string) => {
    const named = names.indexOf(text.toLowerCase());
    const number = named >= 0 ? named + offset : Number(text);
    if (!/^(\d+|[a-z]{3})$/i.test(text) || !(number >= min && number <= max)) {
      throw new Error(`"${text}" is not between ${min} and ${max}`);
    }
    return number;
  };
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const [range = "", step, ...more] = part.split("/");
    const [first = "", last, ...moreEnds] = range.split("-");
    if (more.length > 0 || moreEnds.length > 0) throw new Error(`cannot read "${part}"`);
    const all = first === "*" || first === "?";
    if (all && last !== undefined) throw new Error(`cannot read "${part}"`);
    const start = all ? min : value(first);
    // "5/15" means from 5 on; Sunday's second name 7 is not part of "*".
    const openEnd = max === 7 ? 6 : max;
    const end = last !== undefined ? value(last) : all || step !== undefined ? openEnd : start;
    const by = step === undefined ? 1 : Number(step);
    if (!Number.isInteger(by) || by < 1) throw new Error(`"${step}" is not a step`);
    if (end < start) throw new Error(`"${range}" ends before it starts`);
    for (let item = start; item <= end; item += by) values.add(item);
  }
  return values;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HORIZON = 9 * 366 * DAY;

/** The first run after `after`, or null if none comes within nine years (30 February). */
export function nextRun(cron: Cron, after: Date): Date | null {
  let at = Math.floor(after.getTime() / MINUTE) * MINUTE + MINUTE;
  const end = at + HORIZON;
  while (at < end) {
    const local = localFields(cron.zone, at);
    const skip = skipToCandidate(cron, local);
    if (skip === 0) return new Date(at);
    at += skip;
  }
  return null;
}

interface Local {
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
}

/**
 * How far the next match lies ahead at least, 0 if this minute matches. Stays
 * two hours short of a day's end, so that no change of the clocks is jumped over.
 */
function skipToCandidate(cron: Cron, local: Local): number {
  const toNextHour = (60 - local.minute) * MINUTE;
  if (!cron.months.has(local.month) && local.day < 27) return (27 - local.day) * DAY;
  if (!cron.months.has(local.month) || !matchesDay(cron, local)) {
    return Math.max(toNextHour, (22 - local.hour) * HOUR);
  }
  if (!cron.hours.has(local.hour)) return toNextHour;
  return cron.minutes.has(local.minute) ? 0 : MINUTE;
}

function matchesDay(cron: Cron, local: Local): boolean {
  const byMonth = cron.daysOfMonth.has(local.day);
  const byWeek = cron.daysOfWeek.has(local.weekday);
  return cron.eitherDay ? byMonth || byWeek : byMonth && byWeek;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  formatters.set(zone, created);
  return created;
}

function localFields(zone: string, at: number): Local {
  const utc = zone === "UTC" ? at : wallClock(zone, at);
  const date = new Date(utc);
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

/** The zone's wall clock at an instant, read as if it were UTC. */
function wallClock(zone: string, at: number): number {
  const numbers = formatterOf(zone).format(at).match(/\d+/g)!.map(Number);
  const [month, day, year, hour, minute] = numbers as [number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute);
}
