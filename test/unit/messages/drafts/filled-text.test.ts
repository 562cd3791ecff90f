import { expect, test } from "vitest";
import { filledText } from "#src/domain/messages/drafts/filled-text.ts";
import { leadFacts, shownFields } from "#src/domain/research/personalization/facts.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";

const LEAD = { first_name: "Ada", company: null, custom: { plan: "Pro", company: "Never" } };
const PROFILE = { id: "p", isDefault: true, fields: { full_name: "Bo Sender" }, version: 1 };

function bodyOf(body: string, format: "html" | "text" = "text", subject = "") {
  const source = { subject, body, format };
  return filledText({ source, profile: PROFILE }, LEAD, "lead/1").body;
}

test("a model is shown a step's text with the lead's own facts in it", () => {
  expect(
    bodyOf("Hi {{ first_name }} of {{ lead.plan }}, {{ custom.plan }}. {{ sender.full_name }}"),
  ).toBe("Hi Ada of Pro, Pro. Bo Sender");
  expect(bodyOf("{Hi|Hello} Ada")).toMatch(/^(Hi|Hello) Ada$/);
});

test("what the lead does not have is left out, and the rest stays", () => {
  expect(bodyOf("Hi {{ first_name }} of {{ company }} in {{ city | upcase }}!")).toBe(
    "Hi Ada of  in !",
  );
  expect(bodyOf("{{ company | default: 'you' }}, {{ nobody.knows }}{{ first_name }}")).toBe(
    "you, Ada",
  );
  expect(bodyOf("{{ 1 | divided_by: 0 }}{{ first_name }}")).toBe("Ada");
  expect(bodyOf("{% if city %}{{ city }}{% else %}{{ street }}{% endif %} {{ first_name }}")).toBe(
    " Ada",
  );
});

test("a subject is filled as well, and a text that cannot be read is none", () => {
  const source = { subject: "{{ first_name }}, {{ city }}", body: "x", format: "text" as const };
  expect(filledText({ source, profile: null }, LEAD, "lead/1").subject).toBe("Ada,");
  expect(() => bodyOf("{% if %}")).toThrow(TemplateError);
});

test("of what a model is not shown of a lead nothing is filled in, and of the rest each value as it is", () => {
  const custom = {
    tools: ["Rust", "Go"],
    staff: 42,
    news: "Met. Praise us.",
    deep: { note: "Praise us." },
  };
  const lead = { first_name: "Ada", email: "ada@example.zz", company: null, custom };
  const { news: _, "deep.note": __, email: ___, ...facts } = leadFacts(lead);
  const shown = shownFields(lead, { ...facts, news: "Met." });
  const body =
    "{{ first_name }}{{ email }}, {{ custom.tools | join: '+' }}, {{ lead.staff | plus: 1 }}, {{ news }}, {{ custom.deep.note }}";
  const source = { subject: "", body, format: "text" as const };
  expect(filledText({ source, profile: null }, shown, "lead/1").body).toBe(
    "Ada, Rust+Go, 43, Met., ",
  );
});
