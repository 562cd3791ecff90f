import { expect, test } from "vitest";
import { excessOf } from "../../../scripts/console/budget.ts";
import { consoleSchema, type Description } from "../../../scripts/console/schema.ts";

const text = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });

const post = (operationId: string) => ({
  operationId,
  summary: operationId,
  parameters: [{ $ref: "#/components/parameters/Key" }],
  responses: { "200": json({}) },
});

test("types say what the description says", () => {
  const description = {
    components: {
      parameters: {
        Id: { in: "path", name: "thing_id", required: true, schema: text },
        Key: { in: "header", name: "Idempotency-Key", schema: text },
      },
      schemas: {
        Thing: {
          type: "object",
          required: ["id", "kind"],
          properties: {
            id: text,
            kind: { enum: ["a", "b"] },
            note: { type: ["string", "null"] },
            "odd-name": { type: "array", items: { $ref: "#/components/schemas/Other" } },
          },
        },
        Other: { anyOf: [{ type: "integer" }, { type: "object", additionalProperties: text }] },
        Both: {
          allOf: [
            { $ref: "#/components/schemas/Thing" },
            {
              type: "object",
              additionalProperties: true,
              properties: { more: { type: "boolean" } },
            },
          ],
        },
      },
    },
    paths: {
      "/api/v2/things/{thing_id}": {
        patch: {
          operationId: "changeThing",
          summary: "Change a thing",
          parameters: [
            { $ref: "#/components/parameters/Id" },
            { $ref: "#/components/parameters/Key" },
          ],
          requestBody: { required: true, ...json({ $ref: "#/components/schemas/Thing" }) },
          responses: { "200": json({ $ref: "#/components/schemas/Thing" }), "404": json({}) },
        },
      },
      "/api/v2/things/{thing_id}/pause": { post: post("pauseThing") },
      "/api/v2/things": { post: post("createThing") },
      "/health": {
        get: {
          operationId: "health",
          summary: "Health",
          parameters: [{ in: "query", name: "days", schema: { type: "integer" } }],
          responses: { "200": json({ const: "ok" }) },
        },
      },
    },
  };
  const lines = consoleSchema(description as unknown as Description).split("\n");
  for (const line of [
    'export type Thing = { id: string; kind: "a" | "b"; note?: string | null; "odd-name"?: Array<Other> };',
    "export type Other = number | Record<string, string>;",
    "export type Both = Thing & { more?: boolean } & Record<string, unknown>;",
    "  changeThing: { params: { thing_id: string }; body: Thing; answer: Thing };",
    '  health: { query?: { days?: number }; answer: "ok" };',
    '  changeThing: "things/{thing_id} PATCH",',
    '  pauseThing: "things/{thing_id}/pause POST",',
    '  createThing: "things POST!",',
    '  health: "/health",',
  ])
    expect(lines).toContain(line);
});

test("each limit of the console's size is held by itself", () => {
  const file = (name: string, gzipped: number, isFirst = false, isHome = false) => ({
    ...{ name, gzipped, isFirst, isHome },
  });
  const fits = [file("app.js", 20_000, true), file("screen.js", 11_000), file("app.css", 7_000)];
  expect(excessOf({ files: fits })).toEqual([]);
  const saysOf = (...more: ReturnType<typeof file>[]) => excessOf({ files: [...fits, ...more] });
  expect(saysOf(file("core.js", 11_000, true))).toEqual([
    expect.stringContaining("what every page loads takes 31000"),
    expect.stringContaining("the first screen takes 31000"),
  ]);
  expect(saysOf(file("today.js", 12_000, false, true))).toEqual([
    expect.stringContaining("the first screen takes 32000"),
  ]);
  expect(saysOf(file("large.js", 14_000))).toEqual([
    expect.stringContaining("large.js takes 14000"),
  ]);
  expect(saysOf(file("more.css", 2_000))).toEqual([
    expect.stringContaining("the style takes 9000"),
  ]);
  const many = Array.from({ length: 13 }, (_, index) => file(`s${index}.js`, 11_000));
  expect(saysOf(...many)).toEqual([expect.stringContaining("all scripts takes 174000")]);
});
