import { createPublicKey, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { dkimKeyContext } from "#src/domain/senders/domains.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";
import { insertAliases } from "../../support/engine.ts";

const PATH = "/api/v1/mailer/domains";

useApi({ env: { TRACKING_BASE_URL: "https://track.overture.test" }, eachTest: true });

test("a domain comes with its key and with what to publish", async () => {
  const made = await tenant.call("POST", PATH, { domain: "Mail.Bücher.Example" });
  expect(made.status).toBe(201);
  const { id, dkim_public_key, dkim_selector } = made.body;
  const name = "mail.xn--bcher-kva.example";
  expect(made.body).toMatchObject({
    domain: name,
    status: "pending",
    checked_at: null,
    failing_since: null,
  });
  const key = createPublicKey({
    key: Buffer.from(dkim_public_key, "base64"),
    format: "der",
    type: "spki",
  });
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
  const records = made.body.records.map((record: Record<string, unknown>) => [
    record["purpose"],
    record["type"],
    record["host"],
    record["required"],
  ]);
  expect(records).toEqual([
    ["ownership", "TXT", `_overture.${name}`, true],
    ["dkim", "TXT", `${dkim_selector}._domainkey.${name}`, true],
    ["dkim", "TXT", `${dkim_selector}-ed25519._domainkey.${name}`, false],
    ["spf", "TXT", name, true],
    ["dmarc", "TXT", `_dmarc.${name}`, true],
    ["mx", "MX", name, false],
    ["return_path", "MX", `bounce.${name}`, false],
    ["spf", "TXT", `bounce.${name}`, false],
    ["tracking", "CNAME", `link.${name}`, false],
  ]);
  for (const record of made.body.records)
    expect(record).toMatchObject({ found: [], status: "unknown" });
  expect(made.body.records[1].expected).toBe(`v=DKIM1; k=rsa; p=${dkim_public_key}`);
  expect(made.body.records[2].expected).toMatch(/^v=DKIM1; k=ed25519; p=[\w+/]{43}=$/);
  expect(made.body.records[8].expected).toBe("track.overture.test");
  expect((await tenant.call("GET", `${PATH}/${id}`)).body).toEqual(made.body);
  expect((await tenant.call("GET", PATH)).body).toEqual([made.body]);
});

test("the private key is stored sealed, is that of the public key, and is never answered", async () => {
  const { body, text } = await tenant.call("POST", PATH, { domain: "sealed.example" });
  expect(text).not.toContain("private");
  const { rows } = await api.sql.query("select dkim_private_key from mail_domains where id = $1", [
    body.id,
  ]);
  expect(rows[0].dkim_private_key).toMatch(/^v1\./);
  const opened = await api.deps.vault.open(rows[0].dkim_private_key, dkimKeyContext(body.id));
  const half = createPublicKey({
    key: Buffer.from(opened, "base64"),
    format: "der",
    type: "pkcs8",
  } as never);
  expect(half.export({ format: "der", type: "spki" }).toString("base64")).toBe(
    body.dkim_public_key,
  );
  await expect(
    api.deps.vault.open(rows[0].dkim_private_key, dkimKeyContext(randomUUID())),
  ).rejects.toMatchObject({ name: "OperationError" });
});

test("a workspace has a domain once, also when asked twice at once; another workspace may have it too", async () => {
  const replies = await Promise.all(
    [1, 2].map(() => tenant.call("POST", PATH, { domain: "once.example" })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.detail).toBe("DOMAIN_EXISTS");
  const other = await api.tenant();
  expect((await other.call("POST", PATH, { domain: "once.example" })).status).toBe(201);
});

test.each([
  "",
  "com",
  "localhost",
  "1.2.3.4",
  "[::1]",
  "co.uk",
  "github.io",
  "a b.com",
  "a@b.com",
  "https://a.com",
  "exa_mple.com",
  `${"x".repeat(64)}.com`,
  5,
])("%j is no domain to send from", async (domain) => {
  const reply = await tenant.call("POST", PATH, { domain });
  expect([reply.status, reply.body.details?.[0].loc]).toEqual([422, ["body", "domain"]]);
});

test("a domain that an alias uses stays", async () => {
  const { id } = (await tenant.call("POST", PATH, { domain: "used.example" })).body;
  const [alias] = await insertAliases(api.sql, tenant, 1, { now: api.deps.clock.now() });
  await api.sql.query("update mail_aliases set domain_id = $2 where id = $1", [alias, id]);
  const refused = await tenant.call("DELETE", `${PATH}/${id}`);
  expect([refused.status, refused.body.detail, refused.body.alias_ids]).toEqual([
    409,
    "IN_USE",
    [alias],
  ]);
  await api.sql.query("update mail_aliases set domain_id = null where id = $1", [alias]);
  expect((await tenant.call("DELETE", `${PATH}/${id}`)).body).toEqual({ success: true });
  expect((await tenant.call("DELETE", `${PATH}/${id}`)).body.detail).toBe("MAIL_DOMAIN_NOT_FOUND");
});
