import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openApiDocument } from "#src/http/openapi/document.ts";
import { everyOperation } from "#src/routes/index.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, operations } from "./operations.ts";
import { startWholeApi } from "./upstreams.ts";

useApi({ start: startWholeApi });

// So a bound in it is a bound of the service.
test("the description is what the routes say", async () => {
  const committed = JSON.parse(readFileSync("public/openapi.json", "utf8"));
  const said = openApiDocument(await everyOperation());
  expect(JSON.parse(JSON.stringify(said))).toEqual(committed);
});

// Paid calls are paid for in their own suite.
const cases = operations
  .filter(({ access, bodySchema, isSigned }) => access !== "wallet" && bodySchema && !isSigned)
  .map((operation) => [operation.name, operation] as const);

test.each(cases)("%s: the example of its body is a valid body", async (_name, operation) => {
  const tenant = await api.tenant();
  const call = operation.access === "jwt" ? tenant.callAsUser : tenant.call;
  const path = fill(operation.path, () => "01a1fc0c-6921-718e-aa4a-ab45df202f28");
  const reply = await call(operation.method, path, operation.example);
  // The ids it names are nobody's, and so is the key that is pasted, and the plan; a bearer has no session to change.
  const refused = { beginSession: 401, chooseWorkspace: 409, applyPlan: 400 }[operation.id] ?? 404;
  expect(reply).toMatchObject({ status: expect.toBeOneOf([200, 201, 202, refused]) });
});
