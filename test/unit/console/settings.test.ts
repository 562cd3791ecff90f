import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WEEKDAYS } from "#src/domain/campaigns/read.ts";
import { instantsOfWall } from "#src/platform/time-zone.ts";
import { dayWords, scheduleWords } from "#src/console/pure/schedule-words.ts";
import {
  settingsChange,
  settingsFaults,
  settingsForm,
  type StoredSettings,
} from "#src/console/pure/settings-form.ts";

const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => `${parts.map((part) => String(part).padStart(2, "0")).join(":")}:00`);
const stored: fc.Arbitrary<StoredSettings> = fc.record({
  name: fc.string({ minLength: 1 }),
  description: fc.option(fc.string({ minLength: 1 })),
  sending_window_start: time,
  sending_window_end: time,
  send_days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
  daily_limit: fc.integer({ min: 1, max: 10_000 }),
  max_new_leads_per_day: fc.option(fc.integer({ min: 1, max: 10_000 })),
  min_interval_seconds: fc.integer({ min: 60, max: 3600 }),
  timezone: zone,
  use_lead_timezone: fc.boolean(),
  alias_ids: fc.option(fc.array(fc.uuid(), { minLength: 1 })),
  connected_account_id: fc.option(fc.uuid()),
  launch_type: fc.constantFrom("immediate" as const, "scheduled" as const),
  start_date: fc.option(
    fc
      .integer({ min: 29_000_000, max: 32_000_000 })
      .map((minutes) => new Date(minutes * 60_000).toISOString()),
  ),
  system_prompt: fc.option(fc.string({ minLength: 100 }).filter((text) => text.trim() !== "")),
  unreviewed_launch_policy: fc.constantFrom("launch_default", "hold", "cancel"),
  stop_on_reply: fc.boolean(),
  stop_on_auto_reply: fc.boolean(),
  stop_on_company_reply: fc.boolean(),
});

describe("settings that are edited", () => {
  test("and not changed ask for no change, and have no fault", () => {
    fc.assert(
      fc.property(stored, (settings) => {
        expect(settingsChange(settings, settingsForm(settings))).toEqual({});
        expect(settingsFaults(settingsForm(settings))).toEqual({});
      }),
    );
  });

  test("into others ask for exactly what differs, as the API has it", () => {
    fc.assert(
      fc.property(stored, stored, (before, after) => {
        const change = settingsChange(before, settingsForm(after));
        const result: Record<string, unknown> = { ...before, ...change };
        for (const [name, value] of Object.entries(after)) {
          if (name === "start_date") continue;
          // The form has no seconds, no empty list that is null, and no text that is null.
          const short = (each: unknown) =>
            name.startsWith("sending_window")
              ? String(each).slice(0, 5)
              : each === null && name === "alias_ids"
                ? []
                : each === null && name === "description"
                  ? ""
                  : each;
          expect([name, short(result[name])]).toEqual([name, short(value)]);
        }
        for (const name of Object.keys(change))
          if (name !== "start_date")
            expect(before[name as keyof StoredSettings]).not.toEqual(
              after[name as keyof StoredSettings],
            );
      }),
    );
  });

  test("a start is a time on the clocks of the zone, and moves with the zone", () => {
    fc.assert(
      fc.property(stored, zone, (settings, other) => {
        fc.pre(settings.start_date !== null && settings.timezone !== other);
        const form = { ...settingsForm(settings), timezone: other };
        const wanted = instantsOfWall(Date.parse(`${form.start_date}:00Z`), other).first;
        expect(settingsChange(settings, form)).toEqual({
          timezone: other,
          start_date: new Date(wanted).toISOString(),
        });
      }),
    );
  });

  const form = settingsForm({
    ...fc.sample(stored, { numRuns: 1, seed: 1 })[0]!,
    start_date: null,
  });
  test.each([
    ["daily_limit", "many", "Give a whole number."],
    ["daily_limit", "", "Give a whole number."],
    ["min_interval_seconds", "1.5", "Give a whole number."],
    ["timezone", "Mars/Olympus", "This is no time zone; Europe/Berlin is one."],
    ["timezone", "+02:00", "This is no time zone; Europe/Berlin is one."],
    ["start_date", "2026-02-30T10:00", "Give a date and a time."],
  ])("%s cannot be %j", (name, typed, words) => {
    expect(settingsFaults({ ...form, timezone: "UTC", [name]: typed })).toEqual({ [name]: words });
  });
  test("no limit of new leads is none", () => {
    expect(settingsFaults({ ...form, timezone: "UTC", max_new_leads_per_day: "" })).toEqual({});
  });
});

describe("a schedule in words", () => {
  test.each([
    [["mon", "tue", "wed", "thu", "fri"], "Mon-Fri"],
    [[...WEEKDAYS], "every day"],
    [["fri", "mon", "wed"], "Mon, Wed, Fri"],
    [["sat", "sun"], "Sat, Sun"],
    [["thu"], "Thu"],
  ] as const)("%j is %s", (days, words) => expect(dayWords(days)).toBe(words));
  test("with its hours and its zone", () => {
    const campaign = {
      send_days: [...WEEKDAYS],
      sending_window_start: "00:00:00",
      sending_window_end: "00:00:00",
      timezone: "Europe/Berlin",
      use_lead_timezone: true,
    };
    expect(scheduleWords(campaign)).toBe("every day all day in each lead's zone");
    expect(
      scheduleWords({ ...campaign, sending_window_end: "17:30:00", use_lead_timezone: false }),
    ).toBe("every day 00:00-17:30 Europe/Berlin");
  });
});
