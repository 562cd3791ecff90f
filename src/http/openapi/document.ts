import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { nameEnums } from "./enums.ts";
import { completeRefusals, ERROR_RESPONSES } from "./error-responses.ts";
import * as errorSchemas from "./error-schemas.ts";
import { addExamples } from "./examples.ts";
import { HEADERS } from "./headers.ts";
import { type Description, everyOperation } from "./model.ts";
import { describedRoute, type Said } from "./route.ts";
import { keepUsed, namePages, shareParameters } from "./share.ts";
import { tagsOf } from "./tags.ts";
import { expandVariants } from "./variants.ts";

const DESCRIPTION =
  "Outreach automation: leads, campaigns by email and professional network, sending that explains itself, and pay-per-call data. " +
  "Match on the HTTP status first; the error body is supplementary.";

const SECURITY_SCHEMES = {
  api_key: {
    type: "http",
    scheme: "bearer",
    description: "A workspace API key: `Authorization: Bearer svc_live_...`.",
  },
  login: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A login JWT, in the same header. It is in the login's own workspace, or in the one whose id the header `Overture-Workspace` says.",
  },
};

/** OpenAPI 3.1.0, generated from the operations themselves; what several of them say is said once. */
export function openApiDocument(operations: readonly { said: Said }[]): Description {
  const described = new OpenAPIHono();
  const registry = described.openAPIRegistry;
  for (const { said } of operations)
    registry.registerPath(createRoute(describedRoute(said) as never));
  for (const [name, schema] of Object.entries(errorSchemas)) registry.register(name, schema);
  const generated = described.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Overture",
      version: "1.0.0",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/", description: "The deployment that served this description." }],
    security: [{ api_key: [] }, { login: [] }],
  }) as unknown as Omit<Description, "tags">;
  // A copy in which nothing is the same object twice, so that a change of one place is a change of one place.
  const { paths, components, ...head } = JSON.parse(JSON.stringify(generated)) as typeof generated;
  const description: Description = {
    ...head,
    paths,
    tags: [],
    components: {
      schemas: components.schemas,
      responses: structuredClone(ERROR_RESPONSES),
      parameters: {},
      headers: structuredClone<Description["components"]["headers"]>(HEADERS),
      examples: {},
      securitySchemes: SECURITY_SCHEMES,
    },
  };
  description.tags = tagsOf(new Set(everyOperation(description).flatMap(({ tags = [] }) => tags)));
  expandVariants(description.components);
  completeRefusals(description);
  namePages(description);
  nameEnums(description);
  shareParameters(description);
  addExamples(description);
  keepUsed(description);
  return description;
}
