import { expect, test } from "vitest";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi();

const render = (body: unknown) => tenant.call("POST", "/api/v1/templates/render", body);

test("a text that is being written is shown with a lead's values, and nothing of it is stored", async () => {
  const datasetId = (await tenant.call("POST", "/api/v1/datasets", { name: "Engines" })).body.id;
  const lead = await tenant.call("POST", `/api/v1/datasets/${datasetId}/leads`, {
    email: "ada@example.zz",
    first_name: "Ada <b>",
    custom: { team: "Engines" },
  });
  const shown = await render({
    subject: "Hello {{ first_name }}",
    body: "<p>{{ first_name }} of {{ team }}<script>alert(1)</script></p>",
    lead_id: lead.body.id,
  });
  expect(shown.body).toMatchObject({
    subject: "Hello Ada <b>",
    format: "html",
    text: "Ada <b> of Engines",
    variables: ["first_name", "team"],
    missing: [],
  });
  expect(shown.body.html).not.toContain("script");
  expect((await tenant.call("GET", "/api/v1/templates")).body).toEqual([]);
  // What is typed in counts before what the lead has.
  const typed = await render({
    body: "{{ first_name }}",
    lead_id: lead.body.id,
    values: { first_name: "Grace" },
  });
  expect(typed.body).toMatchObject({ text: "Grace", format: "text", subject: "" });
  // A lead is found by its id alone, with the tag that a change of it asks for.
  const headers = { authorization: `Bearer ${tenant.key}` };
  const one = await api.request(`/api/v2/leads/${lead.body.id}`, { headers });
  const same = await api.request(`/api/v2/datasets/${datasetId}/leads/${lead.body.id}`, {
    headers,
  });
  expect(await one.json()).toEqual(await same.json());
  expect(one.headers.get("etag")).toBe(same.headers.get("etag"));
});

test("what has no value is named, and what cannot be read says where", async () => {
  const { body } = await render({ subject: "{{ a }}", body: "{{ b }} {{ c | default: 'x' }}" });
  expect(body).toMatchObject({ missing: ["a", "b"], variables: ["a", "b", "c"], text: "" });
  const broken = await render({ body: "{% if a %}" });
  expect(broken.status).toBe(422);
  const foreign = await render({
    body: "x",
    lead_id: "01a1fc0c-6921-718e-aa4a-ab45df202f30",
  });
  expect(foreign.status).toBe(404);
});
