import fc from "fast-check";

const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const time = fc.constantFrom("00:00", "08:30", "09:00:00", "17:00", "23:59:59");

/** Texts as people write them: what a template would read as its own is left out. */
const words = (max: number) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: max })
    .map((text) => text.replaceAll(/[{}%\p{C}]/gu, "") || "x")
    .filter((text) => text.trim() !== "" && text.isWellFormed());

const variant = fc.record(
  {
    type: fc.constant("INLINE"),
    subject: words(60),
    body: words(400),
    weight: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: ["type", "body"] },
);
const step = fc.record(
  {
    delay_days: fc.integer({ min: 0, max: 30 }),
    track_opens: fc.boolean(),
    track_clicks: fc.boolean(),
    variants: fc.array(variant, { minLength: 1, maxLength: 4 }),
  },
  { requiredKeys: ["variants"] },
);

/** All that a file of an email campaign may say or leave unsaid. */
export const campaignFiles = fc.record(
  {
    name: words(100),
    description: maybe(words(100)),
    launch_type: fc.constantFrom("immediate", "scheduled"),
    start_date: fc.constantFrom("2031-02-03T04:05:06+02:00", "2031-02-03T04:05:06.007Z"),
    daily_limit: fc.integer({ min: 1, max: 10_000 }),
    max_new_leads_per_day: maybe(fc.integer({ min: 1, max: 10_000 })),
    min_interval_seconds: fc.integer({ min: 60, max: 3600 }),
    sending_window_start: time,
    sending_window_end: time,
    timezone: fc.constantFrom("UTC", "Asia/Kolkata", "America/New_York"),
    use_lead_timezone: fc.boolean(),
    send_days: maybe(fc.shuffledSubarray(WEEK, { minLength: 1 })),
    system_prompt: maybe(fc.constant("Write one short letter. ".repeat(8))),
    unreviewed_launch_policy: fc.constantFrom("launch_default", "hold", "cancel"),
    stop_on_reply: fc.boolean(),
    stop_on_auto_reply: fc.boolean(),
    stop_on_company_reply: fc.boolean(),
    steps: fc
      .array(step, { minLength: 1, maxLength: 4 })
      .map((steps) => steps.map((each, index) => ({ step: index + 1, ...each }))),
  },
  { requiredKeys: ["name", "start_date", "steps"] },
);
