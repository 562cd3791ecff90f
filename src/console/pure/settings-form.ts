/** A campaign's settings as a person edits them, and the change that the API is asked for: nothing that is as before. */
import type { Faults } from "./step-faults.ts";
import { instantOf, wallAt, type Weekday } from "./wall-time.ts";

export interface StoredSettings {
  name: string;
  description: string | null;
  sending_window_start: string;
  sending_window_end: string;
  send_days: Weekday[];
  daily_limit: number;
  max_new_leads_per_day: number | null;
  min_interval_seconds: number;
  timezone: string;
  use_lead_timezone: boolean;
  alias_ids: string[] | null;
  connected_account_id: string | null;
  launch_type: "immediate" | "scheduled";
  start_date: string | null;
  system_prompt: string | null;
  unreviewed_launch_policy: string;
  stop_on_reply: boolean;
  stop_on_auto_reply: boolean;
  stop_on_company_reply: boolean;
}

/** As the fields have it: text, but for what is chosen. */
export type SettingsForm = {
  [Name in keyof StoredSettings]: StoredSettings[Name] extends boolean
    ? boolean
    : StoredSettings[Name] extends Weekday[]
      ? string[]
      : StoredSettings[Name] extends string[] | null
        ? string[]
        : string;
};

const BOOLEANS = [
  "use_lead_timezone",
  "stop_on_reply",
  "stop_on_auto_reply",
  "stop_on_company_reply",
] as const;

export function settingsForm(stored: StoredSettings): SettingsForm {
  const { start_date: start } = stored;
  return {
    name: stored.name,
    description: stored.description ?? "",
    sending_window_start: stored.sending_window_start.slice(0, 5),
    sending_window_end: stored.sending_window_end.slice(0, 5),
    send_days: stored.send_days,
    daily_limit: String(stored.daily_limit),
    max_new_leads_per_day: String(stored.max_new_leads_per_day ?? ""),
    min_interval_seconds: String(stored.min_interval_seconds),
    timezone: stored.timezone,
    alias_ids: stored.alias_ids ?? [],
    connected_account_id: stored.connected_account_id ?? "",
    launch_type: stored.launch_type,
    start_date: start === null ? "" : wallAt(Date.parse(start), stored.timezone).slice(0, 16),
    system_prompt: stored.system_prompt ?? "",
    unreviewed_launch_policy: stored.unreviewed_launch_policy,
    ...(Object.fromEntries(BOOLEANS.map((name) => [name, stored[name]])) as Pick<
      SettingsForm,
      (typeof BOOLEANS)[number]
    >),
  };
}

const NUMBERS = ["daily_limit", "max_new_leads_per_day", "min_interval_seconds"] as const;
const NULLED = ["max_new_leads_per_day", "connected_account_id", "system_prompt"];

/** What is typed and no value at all; the rest is the API's to judge. */
export function settingsFaults(form: SettingsForm): Faults {
  const faults: Faults = {};
  for (const name of NUMBERS)
    if (!/^\s*\d{1,9}\s*$/.test(form[name]) && (form[name].trim() !== "" || !NULLED.includes(name)))
      faults[name] = "Give a whole number.";
  if (form.start_date !== "" && isZone(form.timezone) && startOf(form) === null)
    faults["start_date"] = "Give a date and a time.";
  if (!isZone(form.timezone)) faults["timezone"] = "This is no time zone; Europe/Berlin is one.";
  return faults;
}

/** The start is a time on the clocks of the zone beside it. */
const startOf = ({ start_date: wall, timezone }: SettingsForm): string | null => {
  const found = instantOf(wall, timezone);
  return found === null ? null : new Date(found.at).toISOString();
};

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

/** The body of a change: the fields that differ from what was stored. */
export function settingsChange(
  stored: StoredSettings,
  form: SettingsForm,
): Record<string, unknown> {
  const before = settingsForm(stored);
  const change: Record<string, unknown> = {};
  for (const name of Object.keys(before) as (keyof SettingsForm)[]) {
    if (JSON.stringify(form[name]) === JSON.stringify(before[name])) continue;
    change[name] = valueOf(form, name);
  }
  // The same time on other clocks is another instant.
  if ("timezone" in change && form.start_date !== "") change["start_date"] = startOf(form);
  return change;
}

function valueOf(form: SettingsForm, name: keyof SettingsForm): unknown {
  const value = form[name];
  if (name === "start_date") return value === "" ? null : startOf(form);
  if (typeof value !== "string") return value;
  if (value.trim() === "" && NULLED.includes(name)) return null;
  return NUMBERS.some((each) => each === name) ? Number(value) : value;
}
