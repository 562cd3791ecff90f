import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleOf, type Schema, type Schemas } from "#src/http/docs/schema-table.ts";
import type { TestApi } from "../support/api.ts";
import { document, fill, operations } from "./operations.ts";
import { startWholeApi } from "./upstreams.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startWholeApi();
});
afterAll(() => api.close());

const { schemas } = (document as unknown as { components: { schemas: Schemas } }).components;

const cases = operations.flatMap((operation) => {
  // Paid calls are paid for in their own suite.
  if (operation.access === "wallet") return [];
  const described = document.paths[operation.path]![operation.method.toLowerCase()]!;
  const schema = described.requestBody?.content["application/json"]?.schema as Schema | undefined;
  return schema === undefined || operation.isSigned
    ? []
    : [[operation.name, operation, schema] as const];
});

test.each(cases)(
  "%s: the example of the docs page is a valid body",
  async (_name, operation, schema) => {
    const tenant = await api.tenant();
    const call = operation.access === "jwt" ? tenant.callAsUser : tenant.call;
    const path = fill(operation.path, () => "01a1fc0c-6921-718e-aa4a-ab45df202f28");
    const reply = await call(operation.method, path, exampleOf(schema, schemas));
    // The ids it names are nobody's.
    expect(reply).toMatchObject({ status: expect.toBeOneOf([200, 201, 202, 404]) });
  },
);
