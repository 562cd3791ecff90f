import { expect, test } from "vitest";
import { insertActiveCampaign } from "../../../support/engine.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

const PATH = "/api/v1/templates";

useApi();

const create = (body: unknown) => tenant.call("POST", PATH, body);
const base = { name: "First", subject: "Hello {{ first_name }}", body: "<p>{{ company }}</p>" };

test("a template is created with defaults, read, listed, changed and deleted", async () => {
  const made = await create({ ...base, tags: ["a", "a"] });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    name: "First",
    channel: "email",
    format: "html",
    variables: ["company", "first_name"],
    tags: ["a"],
    version: 1,
    archived_at: null,
    user_id: tenant.userId,
    workspace_id: tenant.workspaceId,
  });
  const one = `${PATH}/${made.body.id}`;
  expect((await tenant.call("GET", one)).body).toEqual(made.body);
  expect((await tenant.call("GET", PATH)).body).toContainEqual(made.body);
  const changed = await tenant.call("PATCH", one, { body: "Hi {{ title }}" });
  expect(changed.body).toMatchObject({ variables: ["first_name", "title"], version: 2 });
  expect((await tenant.call("DELETE", one)).body).toEqual({ success: true });
  expect((await tenant.call("GET", one)).body.detail).toBe("TEMPLATE_NOT_FOUND");
});

test("the version grows with what a reader sees, and with nothing else", async () => {
  const one = `${PATH}/${(await create(base)).body.id}`;
  const version = async (change: unknown) => (await tenant.call("PATCH", one, change)).body.version;
  expect(await version({ name: "Second", tags: ["x"] })).toBe(1);
  expect(await version({ archived: true })).toBe(1);
  expect(await version({ subject: base.subject })).toBe(1);
  expect(await version({ subject: "Other" })).toBe(2);
  expect(await version({ format: "text" })).toBe(3);
});

test("archiving is undone by its opposite, and the list can be asked for either", async () => {
  const owner = await api.tenant();
  const { id } = (await owner.call("POST", PATH, base)).body;
  const archived = await owner.call("PATCH", `${PATH}/${id}`, { archived: true });
  expect(archived.body.archived_at).toMatch(/Z$/);
  const ids = async (query: string) =>
    (await owner.call("GET", PATH + query)).body.map((template: { id: string }) => template.id);
  expect(await ids("?archived=true")).toEqual([id]);
  expect(await ids("?archived=false")).toEqual([]);
  expect(await ids("")).toEqual([id]);
  const restored = await owner.call("PATCH", `${PATH}/${id}`, { archived: false });
  expect(restored.body.archived_at).toBeNull();
});

test("spintax that never closes is 422, and braces that are none are taken", async () => {
  for (const [field, text] of [
    ["body", "{Hello|Hi {{ first_name }}, a word"],
    ["body", "{a|{b|c}"],
    ["subject", "{Hello|Hi"],
  ]) {
    const reply = await create({ ...base, [field!]: text });
    expect([reply.status, reply.body.detail, reply.body.field]).toEqual([
      422,
      "VALIDATION_ERROR",
      field,
    ]);
  }
  for (const body of ["{Hello|Hi} {there}", "a { b", "x } y | z", "<style>a{b|c</style>"])
    expect((await create({ ...base, body })).status).toBe(201);
  const { id } = (await create(base)).body;
  expect((await tenant.call("PATCH", `${PATH}/${id}`, { body: "{a|b" })).status).toBe(422);
});

test("a Liquid error names field and line", async () => {
  for (const [body, line] of [
    ["one\ntwo {{ first_name", 2],
    ["{% if first_name %}\nx", 1],
    ["a\n\n{% for x in y %}{% endfor %}", 3],
    ["{{ x | nonsense }}", 1],
  ] as const) {
    const reply = await create({ name: "Bad", body });
    expect([reply.status, reply.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    expect(reply.body.message).toContain(`body, line ${line}`);
  }
  const inSubject = await create({ ...base, subject: "{{ x" });
  expect(inSubject.body).toMatchObject({ field: "subject", line: 1 });
});

test("a blank subject of an email means the thread of the mail before it", async () => {
  expect(
    (await create({ name: "Follow-up", body: "Still there?", subject: " " })).body,
  ).toMatchObject({
    subject: null,
    format: "text",
  });
});

test("a network template is plain text without a subject", async () => {
  const made = await create({ name: "Hi", channel: "socialnet", body: "Hi <b>you</b>" });
  expect(made.body).toMatchObject({ channel: "socialnet", format: "text", subject: null });
  expect(
    (await create({ name: "Hi", channel: "socialnet", body: "x", subject: "y" })).body.error,
  ).toBe("Validation Error");
  expect(
    (await create({ name: "Hi", channel: "socialnet", body: "x", format: "html" })).status,
  ).toBe(422);
  const patched = await tenant.call("PATCH", `${PATH}/${made.body.id}`, { subject: "x" });
  expect([patched.status, patched.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
});

test("a subject is one line, a tag is short, and what is just short enough is taken", async () => {
  for (const wrong of [{ subject: "a\r\nBcc: b@example.com" }, { tags: ["x".repeat(101)] }])
    expect((await create({ ...base, ...wrong })).status).toBe(422);
  const longest = { subject: "x".repeat(998), body: "x".repeat(50_000) };
  expect((await create({ ...base, ...longest })).status).toBe(201);
});

test("two changes at once both count", async () => {
  for (let round = 0; round < 10; round++) {
    const one = `${PATH}/${(await create(base)).body.id}`;
    await Promise.all([
      tenant.call("PATCH", one, { subject: "{{ a }}" }),
      tenant.call("PATCH", one, { body: "{{ b }}" }),
    ]);
    expect((await tenant.call("GET", one)).body).toMatchObject({
      subject: "{{ a }}",
      body: "{{ b }}",
      variables: ["a", "b"],
      version: 3,
    });
  }
});

test("a template that a campaign under way uses stays", async () => {
  const { id } = (await create(base)).body;
  const { campaignId } = await insertActiveCampaign(api.sql, tenant, {
    leads: 1,
    now: api.deps.clock.now(),
  });
  const variants = [{ label: "A", weight: 1, type: "TEMPLATE", template_id: id }];
  await query`update campaigns set steps = jsonb_set(steps, '{0,variants}', ${JSON.stringify(variants)}) where id = ${campaignId}`;
  for (const status of ["scheduled", "launching", "active", "draining", "paused"]) {
    await query`update campaigns set status = ${status} where id = ${campaignId}`;
    const reply = await tenant.call("DELETE", `${PATH}/${id}`);
    expect([reply.status, reply.body.detail, reply.body.campaign_ids]).toEqual([
      409,
      "IN_USE",
      [campaignId],
    ]);
  }
  await query`update campaigns set status = 'completed' where id = ${campaignId}`;
  expect((await tenant.call("DELETE", `${PATH}/${id}`)).status).toBe(200);
});
