import * as fs from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConfig } from "#src/config.ts";
import { fitParameters, PARAMETER_ROOM } from "#src/providers/messaging/template-parameters.ts";
import {
  approvedTemplates,
  fillTemplate,
  parameterCount,
} from "../../../scripts/stack/messaging/templates.ts";
import { ENVIRONMENT } from "../../support/environment.ts";

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);

describe("parameters are made what the API takes", () => {
  const hostile = fc.array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 900 }),
      fc.string({
        unit: fc.constantFrom(
          "\n",
          "\t",
          " ",
          "\u00a0",
          "\u2028",
          "a",
          "😀",
          "\ud83d",
          "\u202e",
          "\u2067",
        ),
      }),
    ),
    { minLength: 1, maxLength: 6 },
  );

  test("whatever they are: no line end, tab or run of spaces, none empty, all within the room", () => {
    fc.assert(
      fc.property(hostile, (texts) => {
        const fitted = fitParameters(texts);
        expect(fitted).toHaveLength(texts.length);
        for (const text of fitted) {
          expect(text).not.toBe("");
          expect(text).not.toMatch(/[\s\u0000-\u001f\u007f-\u009f]{2}|[\n\r\t\u2028\u2029]/);
          expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
          expect(text.isWellFormed()).toBe(true);
        }
        expect(lengthOf(fitted)).toBeLessThanOrEqual(PARAMETER_ROOM);
      }),
    );
  });

  test("what fits is left as it is", () => {
    const words = fc.string({
      unit: fc.constantFrom("a", "é", "日", "😀", "-"),
      minLength: 1,
      maxLength: 70,
    });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (texts) => {
        expect(fitParameters(texts)).toEqual(texts);
      }),
    );
  });

  test("a campaign's name stays whole beside a long reply, which keeps its beginning", () => {
    const [campaign, reply, action] = fitParameters(["Spring", "word ".repeat(500), "Answer it"]);
    expect([campaign, action]).toEqual(["Spring", "Answer it"]);
    expect(reply).toMatch(/^(word ){100,}word…$|^(word )+w?o?r?d?…$/);
  });

  test("two long ones share the room", () => {
    const lengths = fitParameters(["x".repeat(5000), "y".repeat(400), "z"]).map(
      ({ length }) => length,
    );
    expect(lengths).toEqual([299, 299, 1]);
  });

  test("a cut never leaves half of a character", () => {
    for (const room of [4, 5, 6, 7])
      expect(fitParameters(["😀😀😀😀😀"], room)[0]).toMatch(/^(😀)+…$/u);
  });
});

describe("the registered templates", () => {
  const deploying = fs
    .readFileSync(new URL("../../../docs/deploying.md", import.meta.url), "utf8")
    .replace(/^ {3}/gm, "");
  const settings = readConfig(ENVIRONMENT).whatsappTemplates;

  test("are those of the configuration's defaults", () => {
    const { lead, digest, campaign, language } = settings;
    expect(
      approvedTemplates.map((each) => [each.name, each.language, parameterCount(each)]),
    ).toEqual([
      [lead, language, 4],
      [digest, language, 4],
      [campaign, language, 3],
    ]);
  });

  test.each(approvedTemplates.map((template) => [template.name, template] as const))(
    "%s is as the docs have it, keeps the rules of an approval, and holds the longest parameters",
    (_, template) => {
      const { body } = template;
      expect(deploying).toContain(`\`${template.name}\`:\n\n\`\`\`text\n${body}\n\`\`\``);
      expect(body).not.toMatch(/^\{\{|\}\}$|\}\}\s*\{\{|\n{3}| {5}|\t/);
      const words = body.replace(/\{\{\d\}\}/g, "").match(/[a-z]+/gi)!;
      expect(words.length).toBeGreaterThanOrEqual(2 * parameterCount(template) + 1);
      const longest = fitParameters(
        Array.from({ length: parameterCount(template) }, () => "x".repeat(2000)),
      );
      expect(fillTemplate(template, longest).length).toBeLessThanOrEqual(1024);
    },
  );
});

test("half of a WhatsApp configuration is told, not ignored", () => {
  const faults = (more: Record<string, string>) => {
    try {
      readConfig(more);
      return [];
    } catch (error) {
      return (error as { faults: string[] }).faults.filter((each) => each.startsWith("WHATSAPP"));
    }
  };
  expect(faults({ ...ENVIRONMENT, WHATSAPP_PHONE_NUMBER_ID: "1" })).toEqual([
    "WHATSAPP_ACCESS_TOKEN: set it together with WHATSAPP_PHONE_NUMBER_ID, or neither",
  ]);
  expect(faults({ ...ENVIRONMENT, WHATSAPP_APP_SECRET: "s".repeat(32) })).toEqual([
    "WHATSAPP_VERIFY_TOKEN: set it together with WHATSAPP_APP_SECRET, or neither",
  ]);
  expect(faults({ ...ENVIRONMENT, WHATSAPP_PHONE_NUMBER_ID: "+49 151" })).toContain(
    "WHATSAPP_PHONE_NUMBER_ID: must be the number's id, which is digits",
  );
  expect(faults({ ...ENVIRONMENT, WHATSAPP_API_VERSION: "latest" })).toHaveLength(1);
});
