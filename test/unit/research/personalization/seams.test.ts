import { describe, expect, test } from "vitest";
import { z } from "zod";
import { leadFacts, senderFacts } from "#src/domain/research/personalization/facts.ts";
import {
  draftHash,
  leadIdentityFingerprint,
  researchFingerprint,
  stepConfigFingerprint,
} from "#src/domain/research/personalization/fingerprints.ts";
import { ANSWER_SCHEMA, readAnswer } from "#src/domain/research/personalization/output.ts";
import {
  DEFAULT_PROMPT,
  promptVersionHash,
  resolvePrompt,
} from "#src/domain/research/personalization/prompts.ts";

describe("facts", () => {
  test("a lead's facts are its fields and its own columns, flat, without what is empty or ours", () => {
    const facts = leadFacts({
      id: "x",
      firstName: "Ada",
      last_name: " ",
      company: "Acme",
      custom: {
        company: "Hidden",
        plan: { seats: 12, paid: true },
        links: ["a", null, "b"],
        n: null,
      },
    });
    expect(facts).toEqual({
      first_name: "Ada",
      company: "Acme",
      "plan.seats": "12",
      "plan.paid": "true",
      links: "a, b",
    });
  });

  test("the sender's prompt is no fact about the sender", () => {
    const profile = { name: "DE", fullName: "Jo Doe", custom_prompt: "Write.", version: 3 };
    expect(senderFacts(profile)).toEqual({ full_name: "Jo Doe" });
  });

  test("nesting and number of facts are bounded", () => {
    let deep: Record<string, unknown> = { end: "x" };
    for (let n = 0; n < 5_000; n++) deep = { a: deep };
    expect(leadFacts(deep)).toEqual({});
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, "x"]));
    expect(Object.keys(leadFacts(wide))).toHaveLength(200);
  });
});

describe("the prompt", () => {
  test("is the first that says something: override, campaign, sender, ours", () => {
    expect(resolvePrompt({ override: "a", campaign: "b", sender: "c" }).source).toBe(
      "custom_override",
    );
    expect(resolvePrompt({ override: " ", campaign: "b", sender: "c" })).toEqual({
      text: "b",
      source: "campaign_system_prompt",
    });
    expect(resolvePrompt({ campaign: null, sender: "c" }).source).toBe("sender_profile_custom");
    expect(resolvePrompt({})).toEqual({ text: DEFAULT_PROMPT, source: "default" });
  });

  test("has a version that follows its text and the model, and nothing else", async () => {
    const model = { name: "m", parameters: { temperature: 0.7, maxTokens: 1_500 } };
    const warmer = { ...model, parameters: { ...model.parameters, temperature: 1 } };
    const one = await promptVersionHash({ text: "a" }, model);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(await promptVersionHash({ text: "a" }, { ...model })).toBe(one);
    expect(await promptVersionHash({ text: "b" }, model)).not.toBe(one);
    expect(await promptVersionHash({ text: "a" }, { ...model, name: "n" })).not.toBe(one);
    expect(await promptVersionHash({ text: "a" }, warmer)).not.toBe(one);
  });
});

describe("fingerprints", () => {
  const lead = { email: "Ada@Acme.zz", first_name: "Ada", company: "Acme", title: null };

  test("of a lead: its identity, however it is spelled, and nothing beside", async () => {
    const one = await leadIdentityFingerprint(lead);
    const same = {
      title: " ",
      company: "Acme",
      firstName: "Ada",
      email: "ada@acme.zz",
      phone: "1",
    };
    expect(await leadIdentityFingerprint(same)).toBe(one);
    for (const field of [
      "email",
      "first_name",
      "last_name",
      "full_name",
      "company",
      "title",
      "profile_url",
    ])
      expect(await leadIdentityFingerprint({ ...lead, [field]: "other" })).not.toBe(one);
  });

  test("of a step: whatever decides its text", async () => {
    const step = { step: 1, channel: "email", action_type: "email" };
    const variant = { label: "A", type: "INLINE", subject: "s", body: "b" };
    const [template, profile] = [
      { id: "t", version: 1 },
      { id: "p", version: 1 },
    ];
    const all = await Promise.all([
      stepConfigFingerprint(step, variant, template, profile),
      stepConfigFingerprint({ ...step, step: 2 }, variant, template, profile),
      stepConfigFingerprint(step, { ...variant, label: "B" }, template, profile),
      stepConfigFingerprint(step, { ...variant, body: "c" }, template, profile),
      stepConfigFingerprint(step, variant, { id: "t", version: 2 }, profile),
      stepConfigFingerprint(step, variant, null, profile),
      stepConfigFingerprint(step, variant, template, { id: "p", version: 2 }),
      stepConfigFingerprint(step, variant, template, null),
    ]);
    expect(new Set(all).size).toBe(all.length);
    const weighed = { ...variant, weight: 7 };
    expect(await stepConfigFingerprint(step, weighed, template, profile)).toBe(all[0]);
  });

  test("of research and of a draft: their text", async () => {
    expect(await researchFingerprint("a")).not.toBe(await researchFingerprint("b"));
    expect(await draftHash({ subject: "ab", body: "c" })).not.toBe(
      await draftHash({ subject: "a", body: "bc" }),
    );
  });
});

describe("the answer", () => {
  const draft = {
    subject: "S",
    body: 'B {with} "braces" \\',
    commonality: {
      text: "t",
      confidence_score: 0.5,
      rarity_score: 1,
      relevance_score: 0,
      supporting_evidence: ["e"],
    },
  };
  const json = JSON.stringify(draft);

  test("has on the wire the shape that is read, without bounds", () => {
    const scores = {
      confidence_score: z.number(),
      rarity_score: z.number(),
      relevance_score: z.number(),
    };
    const shape = z.strictObject({
      subject: z.string(),
      body: z.string(),
      commonality: z.strictObject({
        text: z.string(),
        ...scores,
        supporting_evidence: z.array(z.string()),
      }),
    });
    const { $schema: _, ...wire } = z.toJSONSchema(shape);
    expect(ANSWER_SCHEMA.schema).toEqual(wire);
  });

  test.each([
    ["alone", json],
    ["in a fence", `\`\`\`json\n${json}\n\`\`\``],
    ["in prose", `Here is {the} draft:\n${json}\nHope it helps {or not}.`],
    ["in another object", `{"draft": ${json}}`],
    ["behind a brace that nothing closes", `{ ${json}`],
    ["with a field of its own", json.replace("{", '{"note":1,')],
  ])("is found %s", (_, text) => expect(readAnswer(text)).toEqual(draft));

  test.each([
    ["truncated JSON", json.slice(0, -3)],
    ["prose", "I cannot help with that."],
    ["nothing", ""],
    ["another shape", '{"subject": 1, "body": []}'],
    ["an endless text", `${json}${" ".repeat(100_000)}`],
  ])("is not found in %s", (_, text) => expect(readAnswer(text)).toBeNull());

  test("scores that are none are 0, and none is beyond 0 and 1", () => {
    const odd = {
      ...draft,
      commonality: {
        ...draft.commonality,
        confidence_score: "0.7",
        rarity_score: 80,
        relevance_score: {},
      },
    };
    expect(readAnswer(JSON.stringify(odd))?.commonality).toMatchObject({
      confidence_score: 0.7,
      rarity_score: 1,
      relevance_score: 0,
    });
    expect(readAnswer('{"subject":"a","body":"b"}')?.commonality.text).toBe("");
  });
});
