import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

const DESCRIPTION =
  "Outreach automation: leads, campaigns by email and professional network, sending that explains itself, and pay-per-call data. " +
  "Match on the HTTP status first; the error body is supplementary.";

/** OpenAPI 3.1.0, generated from the routes themselves. */
export function openApiDocument(app: OpenAPIHono<AppEnv>) {
  app.openAPIRegistry.registerComponent("securitySchemes", "api_key", {
    type: "http",
    scheme: "bearer",
    description: "A workspace API key: `Authorization: Bearer svc_live_...`.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "login", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A login JWT, in the same header.",
  });
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Overture",
      version: "1.0.0",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    security: [{ api_key: [] }, { login: [] }],
  });
}
