/** Token endpoints that tenants name, in a deployment that connects with public hosts alone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";

let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi({
    ALLOW_LOOPBACK: "false",
    VERIFIER_EGRESS: "prober",
    PROBER_URL: "https://prober.overture.test",
    PROBER_SECRET: "prober-secret-for-tests",
  });
  tenant = await api.tenant();
});
afterAll(() => api.close());

let count = 0;
const create = (token_url: string) =>
  tenant.call("POST", "/api/v1/mailer/aliases", {
    email: `a${count++}@sender.zz`,
    display_name: "A",
    transport: { kind: "smtp", host: "smtp.acme.zz", port: 587, security: "starttls" },
    oauth: { provider: "other", client_id: "x", refresh_token: "secret-refresh-token", token_url },
  });

test.each([
  "https://10.0.0.5/token",
  "https://0x7f.1/token",
  "https://[::1]/token",
  "https://localhost/token",
  "https://169.254.169.254/latest/meta-data",
  "https://metadata.google.internal/token",
  "https://login/token",
  "http://login.example.com/token",
  "https://login.example.com:6379/token",
])("%s is refused", async (url) => {
  const { status, body } = await create(url);
  expect([status, body.detail]).toEqual([422, "VALIDATION_ERROR"]);
});

test("a name that leads to this machine is not asked, and the alias says why", async () => {
  api.dns.zones.put("inner.zz", "login.inner.zz A 127.0.0.1\n");
  const { body: alias } = await create("https://login.inner.zz/token");
  const { body } = await tenant.call("POST", `/api/v1/mailer/aliases/${alias.id}/test`);
  expect(body).toMatchObject({ ok: false, stage: "auth" });
  expect(body.message).toMatch(/oauth\.token_url cannot be used: .*127\.0\.0\.1/);
  const now = await tenant.call("GET", `/api/v1/mailer/aliases/${alias.id}`);
  expect(now.body).toMatchObject({ status: "error", last_error: body.message });
});

test("a name that nobody knows is the account's trouble too", async () => {
  api.dns.zones.put("gone.zz", "other.gone.zz A 93.184.216.34\n");
  const { body: alias } = await create("https://login.gone.zz/token");
  const { body } = await tenant.call("POST", `/api/v1/mailer/aliases/${alias.id}/test`);
  expect(body).toMatchObject({ ok: false, message: expect.stringContaining("no address in DNS") });
});
