import { expect, test } from "vitest";
import type { Schema as JsonSchema } from "#src/http/openapi/model.ts";
import { faultOf } from "../../support/json-schema.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    count: { type: ["integer", "null"] },
    tags: { type: "array", items: { enum: ["a", "b"] } },
  },
  required: ["id"],
};
const id = "01a1fc0c-6921-718e-aa4a-ab45df202f28";

test.each([
  [{ id, count: null, tags: ["a"] }, null],
  [{ count: 1 }, "/id: is missing"],
  [{ id: "x" }, "/id: x is no uuid"],
  [{ id, count: 1.5 }, "/count: 1.5 is no integer,null"],
  [{ id, tags: ["c"] }, '/tags/0: "c" is none of ["a","b"]'],
  [{ id, secret: 1 }, "/secret: is not in the description"],
])("%j: %s", (value, fault) => {
  expect(faultOf(value, schema, {})).toBe(fault);
});
