import { expect, test } from "vitest";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi();

const TEMPLATES = "/api/v1/templates";
const template = { name: "T", channel: "email", subject: "S", body: "Hello" };

function post(body: BodyInit, headers: Record<string, string> = {}, path = TEMPLATES) {
  return api.request(path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tenant.key}`,
      "content-type": "application/json",
      ...headers,
    },
    body,
    duplex: "half",
  } as RequestInit);
}

/** A body whose sender goes away in the middle. */
const brokenOff = () =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"name": "T'));
    },
    pull(controller) {
      controller.error(new Error("the client went away"));
    },
  });

test("a body that breaks off is the caller's, of JSON, of a file and of a mail", async () => {
  expect((await post(brokenOff())).status).toBe(400);
  const { body } = await tenant.call("POST", "/api/v1/datasets", { name: "D" });
  const form = { "content-type": "multipart/form-data; boundary=b" };
  const path = `/api/v1/datasets/${body.id}/import`;
  expect((await post(brokenOff(), form, path)).status).toBe(400);
  const mail = { "content-type": "message/rfc822" };
  expect((await post(brokenOff(), mail, "/api/v1/mailer/inbound")).status).toBe(400);
});

test("a body that is compressed or of another charset is 415, one that is not UTF-8 is 400", async () => {
  const json = JSON.stringify(template);
  expect((await post(json, { "content-encoding": "identity" })).status).toBe(201);
  expect((await post(json, { "content-encoding": "gzip" })).status).toBe(415);
  const type = (charset: string) => ({ "content-type": `application/json; charset=${charset}` });
  expect((await post(json, type('"UTF-8"'))).status).toBe(201);
  expect((await post(json, type("iso-8859-1"))).status).toBe(415);
  expect((await post(Uint8Array.from([...Buffer.from('{"name": "'), 0xff, 34, 125]))).status).toBe(
    400,
  );
});

test("a path is the same whether its letters are escaped, also where the method is wrong", async () => {
  const escaped = "/api/v1/%74emplates";
  expect((await tenant.call("GET", escaped)).status).toBe(200);
  const reply = await tenant.call("DELETE", escaped);
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  expect((await tenant.call("GET", "/api/v1/%63ampaigns")).status).toBe(307);
  expect((await tenant.call("GET", "/api/v1/nothing%2Fhere")).status).toBe(404);
});

test.each(["0x10", "1e1", "10.0", "+5", "", " 5", "٣", "-1", "99999999999"])(
  "a limit of %j is 422",
  async (limit) => {
    const query = `limit=${encodeURIComponent(limit)}`;
    for (const path of ["/api/v1/campaigns/", "/api/v1/conversations"])
      expect((await tenant.call("GET", `${path}?${query}`)).status).toBe(422);
  },
);

test.each([
  ["a subject with a NUL", { subject: "a\u0000b" }],
  ["a subject with half a character", { subject: "a\ud800" }],
  ["a subject longer than any issuer gives", { subject: "a".repeat(256) }],
  ["an address with a NUL", { email: "a\u0000@example.com" }],
  ["an address longer than any", { email: `${"a".repeat(320)}@example.com` }],
  ["a time beyond all dates", { expiresAt: 1e300 }],
])("a login with %s is nobody we know", async (_, claims) => {
  const headers = { authorization: `Bearer ${await api.token(claims)}` };
  expect((await api.request("/api/v1/auth/verify", { headers })).status).toBe(401);
});

test("a login whose name is unfit to be shown goes without it", async () => {
  const headers = { authorization: `Bearer ${await api.token({ name: "a\u0000b" })}` };
  const reply = await api.request("/api/v1/auth/me", { headers });
  expect([reply.status, ((await reply.json()) as { name: string | null }).name]).toEqual([
    200,
    null,
  ]);
});
