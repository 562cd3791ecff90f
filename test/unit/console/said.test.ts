/** What screens say of the API's states: each has words, and none leads nowhere. */
import { expect, test } from "vitest";
import { SEVERITIES, SUBJECTS } from "#src/domain/workspace/attention.ts";
import { EVENT_TYPES as TOLD } from "#src/domain/workspace/events/read.ts";
import { attentionPlace } from "../../../src/console/pure/attention-place.ts";
import { beginSteps } from "../../../src/console/pure/begin-steps.ts";
import { emailEventWords, emailSentence } from "../../../src/console/pure/email-words.ts";
import { groupTypes } from "../../../src/console/pure/event-types.ts";
import { EVENT_TYPES, eventPlace, eventWords } from "../../../src/console/pure/event-words.ts";
import { outcomeWords } from "../../../src/console/pure/message-words.ts";
import {
  deliveryWords,
  splitTypes,
  webhookState,
} from "../../../src/console/pure/webhook-words.ts";

test("every type of event is a sentence, with its facts and without them", () => {
  expect(EVENT_TYPES.toSorted()).toEqual([...TOLD].toSorted());
  for (const type of EVENT_TYPES) {
    const bare = eventWords({ type, data: {} });
    expect(bare).toMatch(/^\S.*[^.]\.$/);
    expect(bare).not.toMatch(/undefined|null|NaN/);
  }
  const nordic = (id: string) => (id === "c1" ? "Nordic" : undefined);
  expect(
    eventWords(
      { type: "campaign.paused", data: { campaign_id: "c1", reason: "bounce_rate_exceeded" } },
      nordic,
    ),
  ).toBe('"Nordic" was paused: bounce rate exceeded.');
  expect(
    eventWords(
      { type: "email.opened", data: { campaign_id: "c1", email: "ada@x.zz", machine: true } },
      nordic,
    ),
  ).toBe('A mail to ada@x.zz was opened, by a machine in "Nordic".');
  expect(eventWords({ type: "future.thing", data: { email: 7, machine: "x" } })).toBe(
    "Future.thing.",
  );
});

test("each type stands in one group of those that are offered", () => {
  expect(
    groupTypes(EVENT_TYPES)
      .flatMap(([, types]) => types)
      .toSorted(),
  ).toEqual([...TOLD].toSorted());
  expect(splitTypes(["email.*", "email.sent"])).toEqual({
    kinds: ["email.*"],
    types: ["email.sent"],
  });
});

test("an event leads to the most special page there is, and an id stays one part of its path", () => {
  expect(eventPlace({ type: "x", data: { campaign_id: "c", conversation_id: "v" } })).toBe(
    "/inbox/v",
  );
  expect(eventPlace({ type: "x", data: { campaign_id: "../c?x" } })).toBe("/campaigns/..%2Fc%3Fx");
  expect(eventPlace({ type: "x", data: { campaign_id: "c", placement_test_id: "p" } })).toBe(
    "/senders/placement/p",
  );
  expect(eventPlace({ type: "x", data: { campaign_id: 7 } })).toBeNull();
  expect(eventPlace({ type: "credits.low", data: { available: 3 } })).toBe("/credits");
});

test("whatever needs a person names a place, of each kind of subject", () => {
  expect(SEVERITIES.length).toBe(3);
  for (const type of SUBJECTS)
    expect([type, attentionPlace({ kind: "any", subject: { type, id: "1/2" } })?.path]).toEqual([
      type,
      expect.stringMatching(/^\/[\w-]+(\/[\w-]+)*(\/1%2F2)?$/),
    ]);
  const credits = { kind: "credits_low", subject: { type: "workspace", id: null } };
  expect(attentionPlace(credits)?.path).toBe("/credits");
  expect(attentionPlace({ kind: "new", subject: { type: "planet", id: "1" } })).toBeNull();
});

test("a step is done by what the API says, and says what is still wrong", () => {
  const none = { domains: [], aliases: [], datasets: [], campaigns: [] };
  const done = (begun: Parameters<typeof beginSteps>[0]) =>
    beginSteps(begun)
      .filter(({ isDone }) => isDone)
      .map(({ name }) => name);
  expect(done(none)).toEqual([]);
  expect(
    done({
      domains: [{ domain: "a.zz", status: "failing" }],
      aliases: [{ email: "a@a.zz", status: "error" }],
      datasets: [{ name: "Empty", row_count: 0 }],
      campaigns: [{ name: "Draft", launched_at: null }],
    }),
  ).toEqual([]);
  expect(
    done({
      domains: [
        { domain: "a.zz", status: "failing" },
        { domain: "b.zz", status: "verified" },
      ],
      aliases: [
        { email: "a@a.zz", status: "error" },
        { email: "b@a.zz", status: "active" },
      ],
      datasets: [{ name: "One", row_count: 1 }],
      campaigns: [{ name: "Launched", launched_at: "2026-01-01T00:00:00Z" }],
    }),
  ).toEqual(["domain", "alias", "people", "campaign"]);
});

test("a webhook and its deliveries are said in words", () => {
  const hook = {
    ...{ status: "active" as const, disabled_reason: null, failing_since: null },
    last_success_at: "2026-01-01T00:00:00Z",
  };
  const word = (more: Partial<Parameters<typeof webhookState>[0]>) =>
    webhookState({ ...hook, ...more }).word;
  expect([
    word({}),
    word({ failing_since: "2026-01-01T00:00:00Z" }),
    word({ status: "paused", failing_since: "2026-01-01T00:00:00Z" }),
    word({ status: "disabled", disabled_reason: "gone" }),
  ]).toEqual(["active", "failing", "paused", "disabled"]);
  expect(
    webhookState({ ...hook, status: "disabled", disabled_reason: "failing" }).sentence,
  ).toMatch(/five days/);
  const said = (more: object) =>
    deliveryWords({ state: "waiting", attempts: 1, status: null, error: null, ...more });
  expect(said({ attempts: 0 })).toBe("waits for its first try");
  expect(said({ status: 503 })).toBe("waits after 1 try; the last answered 503");
  expect(said({ state: "dead", attempts: 10, error: "no route" })).toBe(
    "given up after 10 tries; the last got no answer",
  );
  expect(said({ state: "delivered", attempts: 2, status: 200 })).toBe("taken after 2 tries");
});

test("an email's state says why, and what came of it by whom", () => {
  const mail = { error: null, suppression_reason: null };
  expect(emailSentence({ ...mail, status: "failed", error: "550 no." })).toBe(
    "It could not be sent: 550 no. It is not tried again.",
  );
  expect(
    emailSentence({ ...mail, status: "suppressed", suppression_reason: "unsubscribe" }),
  ).toMatch(/wants no more mail/);
  const click = { type: "click", url: "https://x.zz", reasons: ["prefetch"] };
  expect(emailEventWords(click)).toBe("A link was followed by a machine: https://x.zz");
  const open = { type: "open", url: null };
  expect(emailEventWords({ ...open, reasons: [] })).toBe("Opened");
  expect(emailEventWords({ ...open, reasons: ["image_proxy"] })).toBe("Opened");
  expect(emailEventWords({ ...open, reasons: ["apple_privacy_proxy"] })).toBe(
    "Opened by a machine",
  );
});

test("of a message is said what weighs most of all that came of it", () => {
  const at = "2026-11-26T09:00:00Z";
  const facts = [
    "complained",
    "bounced",
    "unsubscribed",
    "replied",
    "auto_replied",
    "soft_bounced",
  ];
  const message = (kind: string, happened: string[], more: object = {}) => ({
    ...(Object.fromEntries(
      facts.map((fact) => [`${fact}_at`, happened.includes(fact) ? at : null]),
    ) as Record<"complained_at", string>),
    ...{ kind, assumed: false, opened: false, clicked: false, ...more },
  });
  const said = (...of: Parameters<typeof message>) =>
    outcomeWords(message(...of) as Parameters<typeof outcomeWords>[0]).words;
  expect(facts.map((_, index) => said("sent", facts.slice(index)))).toEqual([
    ...["called spam", "bounced", "unsubscribed", "replied"],
    ...["answered by a machine", "bounced for now"],
  ]);
  expect(said("failed", ["replied"])).toBe("refused");
  expect(said("sent", [], { clicked: true, opened: true })).toBe("clicked");
  expect(said("sent", [], { opened: true, assumed: true })).toBe("opened");
  expect(said("sent", [], { assumed: true })).toBe("sent, as far as is known");
  expect(["sent", "invited", "visited"].map((kind) => said(kind, []))).toEqual([
    "sent",
    "invited",
    "visited",
  ]);
});
