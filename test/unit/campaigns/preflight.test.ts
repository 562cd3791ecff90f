import { describe, expect, test } from "vitest";
import type { AliasInputs } from "#db/campaigns/launch-inputs.ts";
import type { Step, Variant } from "#db/schema/index.ts";
import {
  CHECK_NAMES,
  type CheckedCampaign,
  type CheckInputs,
  type CheckName,
} from "#src/domain/campaigns/preflight/checks.ts";
import { checkLaunch } from "#src/domain/campaigns/preflight/preflight.ts";
import { requiredVariables } from "#src/domain/senders/templates/required-variables.ts";

const NOW = new Date("2026-03-02T08:00:00Z");

const inline = (body: string, more: Partial<Variant> = {}): Variant =>
  ({ label: "A", weight: 100, type: "INLINE", subject: "Hello", body, ...more }) as Variant;

const step = (more: Partial<Step> = {}): Step => ({
  step: 1,
  delay_days: 0,
  channel: "email",
  action_type: "send_email",
  ai_personalization_enabled: false,
  track_opens: false,
  track_clicks: false,
  variants: [inline("Text")],
  ...more,
});

const alias = (more: Partial<AliasInputs> = {}): AliasInputs => ({
  id: "a",
  email: "me@acme.zz",
  status: "active",
  lastError: null,
  lastErrorKind: null,
  dailyLimit: 500,
  minIntervalSeconds: null,
  domainStatus: "verified",
  domain: "sender.zz",
  domainLimit: null,
  replyTo: null,
  returnTestAddress: "me@acme.zz",
  returnTestAskedAt: new Date("2026-01-01T00:00:00Z"),
  returnTestSeenAt: new Date("2026-01-01T00:00:10Z"),
  ...more,
});

const campaign = (more: Partial<CheckedCampaign> = {}): CheckedCampaign => ({
  id: "c",
  workspaceId: "w",
  datasetId: "d",
  type: "email",
  aliasIds: ["a"],
  connectedAccountId: null,
  steps: [step()],
  timezone: "UTC",
  useLeadTimezone: false,
  sendingWindowStart: "09:00:00",
  sendingWindowEnd: "17:00:00",
  sendDays: ["mon"],
  dailyLimit: 90,
  minIntervalSeconds: 300,
  unreviewedLaunchPolicy: "launch_default",
  ...more,
});

const leads = (more: Partial<CheckInputs["leads"]> = {}): CheckInputs["leads"] => ({
  datasetStatus: "ready",
  total: 10,
  reachable: 10,
  suppressed: 0,
  risky: 0,
  invalid: 0,
  unverified: 0,
  having: { first_name: 10, company: 4 },
  ...more,
});

const inputs = (more: Partial<CheckInputs> = {}): CheckInputs => ({
  aliases: [alias()],
  account: null,
  sampleLeads: [],
  templates: [],
  profiles: [],
  leads: leads(),
  postalAddress: "1 Main Street",
  provided: {},
  isModelConfigured: false,
  isNetworkConfigured: true,
  creditsAvailable: 0,
  ...more,
});

function verdictOf(name: CheckName, c: CheckedCampaign, f: CheckInputs): string {
  const check = checkLaunch(c, f, NOW).find((each) => each.name === name)!;
  return check.ok ? "ok" : check.severity;
}

test("a sound campaign passes every check, in the contract's order", () => {
  const checks = checkLaunch(campaign(), inputs(), NOW);
  expect(checks.map(({ name }) => name)).toEqual(CHECK_NAMES);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

describe("leads", () => {
  test.each([
    ["no dataset", leads({ datasetStatus: null }), "error"],
    ["still importing", leads({ datasetStatus: "importing" }), "error"],
    ["none", leads({ total: 0, reachable: 0 }), "error"],
    ["none with an address", leads({ reachable: 0 }), "error"],
    ["some with an address", leads({ reachable: 1 }), "ok"],
  ])("%s", (_, stats, verdict) => {
    expect(verdictOf("has_leads", campaign(), inputs({ leads: stats }))).toBe(verdict);
  });

  test.each([
    [0, "ok"],
    [1, "warning"],
    [10, "error"],
  ])("%i of 10 suppressed: %s", (suppressed, verdict) => {
    const f = inputs({ leads: leads({ suppressed }) });
    expect(verdictOf("suppressed_share", campaign(), f)).toBe(verdict);
  });
});

describe("verification_share", () => {
  test.each([
    ["all safe", {}, "ok"],
    ["one risky", { risky: 1 }, "warning"],
    ["one invalid", { invalid: 1 }, "warning"],
    ["one never asked about", { unverified: 1 }, "warning"],
    ["none safe", { risky: 3, invalid: 3, unverified: 4 }, "warning"],
  ])("%s", (_, stats, verdict) => {
    const f = inputs({ leads: leads(stats) });
    expect(verdictOf("verification_share", campaign(), f)).toBe(verdict);
  });

  test("is nothing to a campaign that sends no email", () => {
    const network = campaign({ type: "socialnet", steps: [step({ channel: "socialnet" })] });
    const f = inputs({ leads: leads({ unverified: 10 }) });
    expect(verdictOf("verification_share", network, f)).toBe("ok");
  });
});

describe("open_tracking_weight", () => {
  const withText = (body: string, more: Partial<Step> = {}) =>
    campaign({ steps: [step({ variants: [inline(body)], track_opens: true, ...more })] });
  const words = (bytes: number) => "word ".repeat(Math.ceil(bytes / 5)).trim();

  test.each<[string, CheckedCampaign, string]>([
    ["a short text with a pixel", withText("<p>Hello</p>"), "warning"],
    ["one just short enough to count", withText(words(2860)), "warning"],
    ["a long text", withText(words(2880)), "ok"],
    ["a short one without the pixel", withText("Hello", { track_opens: false }), "ok"],
    ["markup, which is no words", withText(`<p title="${"x".repeat(4000)}">Hello</p>`), "warning"],
    ["variables, which are not", withText(`{{ ${"a".repeat(3500)} }}Hello`), "warning"],
  ])("%s", (_, tracked, verdict) => {
    expect(verdictOf("open_tracking_weight", tracked, inputs())).toBe(verdict);
  });

  test("says how many points, of which text, and what to do", () => {
    const check = checkLaunch(withText(words(2300)), inputs(), NOW).find(
      ({ name }) => name === "open_tracking_weight",
    )!;
    expect(check.message).toContain("2.8 of SpamAssassin's 5 points for step 1, variant A");
    expect(check.message).toContain("track_opens false");
  });
});

describe("senders", () => {
  test.each<[string, AliasInputs[], string]>([
    ["none", [], "error"],
    ["a pending one", [alias({ status: "pending" })], "error"],
    ["one of two", [alias(), alias({ status: "error" })], "warning"],
    ["a line that is down", [alias({ lastError: "refused", lastErrorKind: "line" })], "warning"],
    ["a sealed secret", [alias({ lastError: "sealed", lastErrorKind: "vault" })], "warning"],
  ])("active aliases: %s", (_, aliases, verdict) => {
    const c = campaign({ aliasIds: ["a", "b"].slice(0, Math.max(1, aliases.length)) });
    expect(verdictOf("aliases_active", c, inputs({ aliases }))).toBe(verdict);
  });

  test.each([
    ["pending", "error"],
    ["failing", "error"],
    [null, "warning"],
    ["verified", "ok"],
  ] as const)("a domain that is %s: %s", (domainStatus, verdict) => {
    const f = inputs({ aliases: [alias({ domainStatus })] });
    expect(verdictOf("alias_domain_verified", campaign(), f)).toBe(verdict);
  });

  test.each<[string, Partial<AliasInputs>, string]>([
    ["came back", {}, "ok"],
    ["was never asked for", { returnTestAskedAt: null, returnTestAddress: null }, "warning"],
    ["did not come back", { returnTestSeenAt: null }, "warning"],
    ["is under way", { returnTestSeenAt: null, returnTestAskedAt: NOW }, "warning"],
    ["was of another address", { replyTo: "team@acme.zz" }, "warning"],
  ])("replies: the last test %s", (_, change, verdict) => {
    const f = inputs({ aliases: [alias(), alias(change)] });
    expect(verdictOf("replies_return", campaign(), f)).toBe(verdict);
  });

  test("of replies that do not come back is said whose, and what to do", () => {
    const aliases = [
      alias({ email: "lost@acme.zz", returnTestAddress: "lost@acme.zz", returnTestSeenAt: null }),
      alias({ email: "new@acme.zz" }),
      alias(),
    ];
    const [check] = checkLaunch(campaign(), inputs({ aliases }), NOW).filter(
      ({ name }) => name === "replies_return",
    );
    expect(check?.message).toMatch(/^Replies to lost@acme\.zz do not come back.* to new@acme\.zz /);
    expect(check?.message).not.toContain("me@acme.zz");
  });

  test("capacity is cap or slots, whichever is less, and being short only warns", () => {
    // 8 hours of 300 s are 96 slots.
    expect(verdictOf("daily_limit_vs_capacity", campaign({ dailyLimit: 96 }), inputs())).toBe("ok");
    expect(verdictOf("daily_limit_vs_capacity", campaign({ dailyLimit: 97 }), inputs())).toBe(
      "warning",
    );
    const capped = inputs({ aliases: [alias({ dailyLimit: 50 })] });
    expect(verdictOf("daily_limit_vs_capacity", campaign({ dailyLimit: 51 }), capped)).toBe(
      "warning",
    );
    // Two of one domain share its limit; another domain has its own.
    const limited = { domainLimit: 30 };
    const shared = inputs({
      aliases: [alias(limited), alias(limited), alias({ domain: "other.zz", dailyLimit: 40 })],
    });
    const verdict = (dailyLimit: number) =>
      verdictOf("daily_limit_vs_capacity", campaign({ dailyLimit }), shared);
    expect([verdict(70), verdict(71)]).toEqual(["ok", "warning"]);
  });

  describe("steps on the network", () => {
    const invitation = (more: Partial<Step> = {}) =>
      step({ channel: "socialnet", action_type: "connection_request", variants: [], ...more });
    const social = (steps: Step[] = [invitation()]) =>
      campaign({ type: "socialnet", steps, aliasIds: null, dailyLimit: 20 });
    const account = (more: Partial<NonNullable<CheckInputs["account"]>> = {}) => ({
      id: "n",
      displayName: "Mara",
      status: "connected" as const,
      checkpointPending: false,
      lastError: null,
      isPremium: false,
      dailyConnectionLimit: 20,
      dailyMessageLimit: 50,
      ...more,
    });
    const people = [
      { campaignLeadId: "1", fields: { first_name: "Ada" } },
      { campaignLeadId: "2", fields: { first_name: "x".repeat(190) } },
    ];

    test("need no alias, and no mail check stands in their way", () => {
      const checks = checkLaunch(social(), inputs({ aliases: [], account: account() }), NOW);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    });

    test.each<[string, Partial<CheckInputs>, string]>([
      ["connected", { account: account() }, "ok"],
      ["gone", { account: null }, "error"],
      ["disconnected", { account: account({ status: "disconnected" }) }, "error"],
      ["at a challenge", { account: account({ checkpointPending: true }) }, "error"],
      ["of no network", { account: account(), isNetworkConfigured: false }, "error"],
    ])("need an account: %s", (_, more, verdict) => {
      expect(verdictOf("connected_account_ready", social(), inputs(more))).toBe(verdict);
    });

    test.each([
      [false, "200", "warning"],
      [true, "300", "ok"],
    ])(
      "are warned of with notes too long for the account (pays: %s, %s)",
      (isPremium, _, verdict) => {
        const noted = social([invitation({ message_template: "Hello dear {{ first_name }}" })]);
        const f = inputs({ account: account({ isPremium }), sampleLeads: people });
        expect(verdictOf("connected_account_ready", noted, f)).toBe(verdict);
      },
    );

    test("can do no more than the account may", () => {
      const capacity = (steps: Step[], dailyLimit: number) =>
        verdictOf(
          "daily_limit_vs_capacity",
          { ...social(steps), dailyLimit },
          inputs({ account: account() }),
        );
      expect([capacity([invitation()], 20), capacity([invitation()], 21)]).toEqual([
        "ok",
        "warning",
      ]);
      const message = invitation({ action_type: "message", message_template: "Hi" });
      expect(capacity([invitation(), message], 70)).toBe("ok");
    });
  });

  test("a missing postal address warns", () => {
    expect(verdictOf("postal_address", campaign(), inputs({ postalAddress: null }))).toBe(
      "warning",
    );
  });
});

describe("texts", () => {
  const template = { id: "t", name: "T", channel: "email", subject: "S", body: "B" } as const;
  const byTemplate = campaign({
    steps: [step({ variants: [{ label: "A", weight: 100, type: "TEMPLATE", template_id: "t" }] })],
  });

  test.each([
    ["is there", [template], "ok"],
    ["is gone", [], "error"],
    ["is for another channel", [{ ...template, channel: "socialnet" as const }], "error"],
    ["has no subject for the first email", [{ ...template, subject: null }], "error"],
  ])("a template that %s", (_, templates, verdict) => {
    expect(verdictOf("templates_exist", byTemplate, inputs({ templates }))).toBe(verdict);
  });

  test("a follow-up needs no subject", () => {
    const c = campaign({
      steps: [step(), step({ step: 2, variants: [inline("B", { subject: "" })] })],
    });
    expect(verdictOf("templates_exist", c, inputs())).toBe("ok");
  });

  test("an AI step says what would write its text, where there is no model", () => {
    const c = campaign({ steps: [step({ ai_personalization_enabled: true })] });
    const check = checkLaunch(c, inputs(), NOW).find(({ name }) => name === "templates_exist")!;
    expect(check).toMatchObject({ ok: false, severity: "error" });
    expect(check.message).toContain("step 1: a model writes its text");
  });

  test.each([
    ["{{ first_name }}", "ok"],
    ["{{ company }}", "warning"],
    ["{{ lead.company }}", "warning"],
    ["{{ custom.company }}", "warning"],
    ['{{ company | default: "you" }}', "ok"],
    ["{{ frist_name }}", "error"],
    ["{{ first_name", "error"],
    ["{% if company %}at {{ company }}{% endif %}", "ok"],
  ])("variables of %s: %s", (body, verdict) => {
    const c = campaign({ steps: [step({ variants: [inline(body)] })] });
    expect(verdictOf("variables_resolve", c, inputs())).toBe(verdict);
  });

  test("a warning counts the leads that will be skipped", () => {
    const c = campaign({ steps: [step({ variants: [inline("{{ company }}")] })] });
    const check = checkLaunch(c, inputs(), NOW).find(({ name }) => name === "variables_resolve")!;
    expect(check.message).toContain("company is missing for 6");
  });

  const profile = { id: "p", isDefault: true, fullName: "Ada", calendarUrl: null };
  test.each([
    ["{{ sender.full_name }}", [profile], "ok"],
    ["{{ sender.calendar_url }}", [profile], "error"],
    ["{{ sender.full_name }}", [], "error"],
    ["no sender at all", [], "ok"],
  ])("the sender profile for %s", (body, profiles, verdict) => {
    const c = campaign({ steps: [step({ variants: [inline(body)] })] });
    expect(verdictOf("sender_profile", c, inputs({ profiles }))).toBe(verdict);
  });

  test("a profile that is gone stops the launch", () => {
    const c = campaign({ steps: [step({ variants: [inline("B", { sender_profile_id: "x" })] })] });
    expect(verdictOf("sender_profile", c, inputs({ profiles: [profile] }))).toBe("error");
  });
});

test("a variable is required where no default and no condition makes up for it", () => {
  expect(
    requiredVariables("{{ a }} {{ b.c }} {{ d | default: 1 }} {% if e %}{{ e }}{% endif %}"),
  ).toEqual(["a", "b.c"]);
  expect(requiredVariables("{Hello {{ a }}|Hello}")).toEqual(["a"]);
});

describe("steps that a model writes", () => {
  const drafted = campaign({ steps: [step({ ai_personalization_enabled: true })] });
  const profile = { id: "p", isDefault: true };
  const has = (more: Partial<CheckInputs> = {}) =>
    inputs({ isModelConfigured: true, profiles: [profile], creditsAvailable: 10, ...more });

  test("need a model, a profile to write for, and nothing of what their text leaves open", () => {
    expect(verdictOf("templates_exist", drafted, has())).toBe("ok");
    expect(verdictOf("templates_exist", drafted, has({ isModelConfigured: false }))).toBe("error");
    expect(verdictOf("sender_profile", drafted, has())).toBe("ok");
    expect(verdictOf("sender_profile", drafted, has({ profiles: [] }))).toBe("error");
    const open = step({ ai_personalization_enabled: true, variants: [inline("{{ nobody_has }}")] });
    expect(verdictOf("variables_resolve", campaign({ steps: [open] }), has())).toBe("ok");
  });

  test.each([
    ["enough credits", {}, "ok"],
    ["too few", { creditsAvailable: 9 }, "warning"],
    ["too few, but some are approved", { creditsAvailable: 9, provided: { 1: 1 } }, "ok"],
    ["those of another step do not help", { creditsAvailable: 9, provided: { 2: 5 } }, "warning"],
    ["suppressed leads get none", { creditsAvailable: 8, leads: leads({ suppressed: 2 }) }, "ok"],
  ] as const)("%s", (_, more, verdict) => {
    expect(verdictOf("credits_sufficient", drafted, has(more))).toBe(verdict);
  });
});
