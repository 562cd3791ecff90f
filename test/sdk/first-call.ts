// The first minutes with a generated client; `api.d.ts` beside it is written by openapi-typescript.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

declare const process: { argv: string[] };

const [baseUrl, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const created = await client.POST("/api/v1/templates", {
  body: { name: "Hello", body: "Hello {{ first_name }}" },
});
if (created.data === undefined) throw new Error(JSON.stringify(created.error));
const channel: components["schemas"]["Channel"] = created.data.channel;

const dataset = await client.POST("/api/v1/datasets", { body: { name: "Observatories" } });
const imported = await client.POST("/api/v1/datasets/{dataset_id}/import", {
  params: { path: { dataset_id: dataset.data!.id } },
  // Rows are open objects.
  body: { rows: [{ email: "grace@example.com", company: "Analytical Engines" }] },
});

const lead = await client.POST("/api/v1/datasets/{dataset_id}/leads", {
  params: { path: { dataset_id: dataset.data!.id } },
  body: { email: "ada@example.com", first_name: "Ada" },
});

const campaigns = await client.GET("/api/v1/campaigns/", { params: { query: { limit: 1 } } });
const reason: components["schemas"]["PausedReason"] | null | undefined =
  campaigns.data?.[0]?.paused_reason;

const refused = await client.GET("/api/v1/templates/{template_id}", {
  params: { path: { template_id: dataset.data!.id } },
});

console.log(
  JSON.stringify({
    name: created.data.name,
    channel,
    created: imported.data && "created" in imported.data ? imported.data.created : null,
    email: lead.data?.email,
    total: campaigns.response.headers.get("x-total-count"),
    reason: reason ?? null,
    refused: refused.error,
  }),
);
