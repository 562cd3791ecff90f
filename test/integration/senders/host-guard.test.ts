import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";

/** As deployed: nobody may be connected with this machine. */
let deployed: TestApi;
/** As the local stack: loopback is allowed. */
let local: TestApi;
let tenant: Tenant;
let neighbour: Tenant;
let foreign: Server;
let connections = 0;

const BANNER = "SSH-2.0-OpenSSH_9.6 secret-host";

beforeAll(async () => {
  deployed = await startApi({
    ALLOW_LOOPBACK: "false",
    VERIFIER_EGRESS: "prober",
    PROBER_URL: "https://prober.overture.test",
    PROBER_SECRET: "prober-secret-for-tests",
  });
  local = await startApi();
  tenant = await deployed.tenant({ plan: "paid" });
  neighbour = await local.tenant({ plan: "paid" });
  foreign = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
    socket.write(`${BANNER}\r\n`);
  });
  await new Promise<void>((done) => foreign.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  foreign.close();
  await Promise.all([deployed.close(), local.close()]);
});

const PATH = "/api/v1/mailer/aliases";
const port = () => (foreign.address() as AddressInfo).port;
let count = 0;

const create = (who: Tenant, transport: Record<string, unknown>) =>
  who.call("POST", PATH, {
    email: `a${count++}@sender.zz`,
    display_name: "A",
    transport: { kind: "smtp", port: 587, security: "starttls", ...transport },
  });

test("an alias names no private host and no port but those of mail, neither new nor changed", async () => {
  const { body: alias } = await create(tenant, { host: "smtp.acme.zz" });
  const wrong = [
    { host: "10.0.0.5" },
    { host: "0x7f.1" },
    { host: "metadata.google.internal" },
    { host: "localhost" },
    { host: "127.0.0.1", port: 5432, security: "none" },
    { host: "smtp.acme.zz", port: 6379 },
  ];
  for (const transport of wrong) {
    expect([transport, (await create(tenant, transport)).status]).toEqual([transport, 422]);
    const change = { transport: { kind: "smtp", port: 587, security: "starttls", ...transport } };
    expect((await tenant.call("PATCH", `${PATH}/${alias.id}`, change)).status).toBe(422);
  }
  const refused = await create(tenant, { host: "169.254.169.254" });
  expect(refused.text).toContain("link-local, where clouds keep their metadata");
  expect((await create(tenant, { host: "localhost" })).text).toContain("the machine itself");
});

test("a name that leads into a private network, or to this machine, is never dialled", async () => {
  const zone = [
    "private.guard.zz A 10.0.0.5",
    "here.guard.zz A 127.0.0.1",
    "mixed.guard.zz A 93.184.216.34",
    "mixed.guard.zz AAAA fd00:ec2::254",
    "alias.guard.zz CNAME private.guard.zz",
  ].join("\n");
  for (const api of [deployed, local]) api.dns.zones.put("guard.zz", `${zone}\n`);
  const report = async (who: Tenant, host: string) => {
    const { body } = await create(who, { host });
    const test = (await who.call("POST", `${PATH}/${body.id}/test`)).body;
    const alias = (await who.call("GET", `${PATH}/${body.id}`)).body;
    expect(alias).toMatchObject({
      status: "error",
      last_error: test.message,
      last_error_kind: "account",
    });
    return test;
  };
  expect(await report(tenant, "private.guard.zz")).toMatchObject({
    ok: false,
    stage: "connect",
    message:
      "private.guard.zz leads to 10.0.0.5, which is a private network (RFC 1918): this service connects to public hosts only.",
  });
  for (const host of ["here.guard.zz", "mixed.guard.zz", "alias.guard.zz"])
    expect((await report(tenant, host)).message).toContain("public hosts only");
  expect((await report(neighbour, "private.guard.zz")).message).toContain("public hosts only");
});

test("what answers in another protocol is not quoted", async () => {
  const { body } = await create(neighbour, { host: "127.0.0.1", port: port(), security: "none" });
  const before = connections;
  const reply = await neighbour.call("POST", `${PATH}/${body.id}/test`);
  expect(connections).toBe(before + 1);
  expect(reply.body).toMatchObject({ ok: false, stage: "greeting" });
  expect(reply.text).not.toContain("SSH");
  expect(reply.text).toContain("does not speak SMTP");
});

/** An alias whose tokens come from there. */
const createOauth = (token_url: string) =>
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
  const { status, body } = await createOauth(url);
  expect([status, body.detail]).toEqual([422, "VALIDATION_ERROR"]);
});

test("a name that leads to this machine is not asked, and the alias says why", async () => {
  deployed.dns.zones.put("inner.zz", "login.inner.zz A 127.0.0.1\n");
  const { body: alias } = await createOauth("https://login.inner.zz/token");
  const { body } = await tenant.call("POST", `/api/v1/mailer/aliases/${alias.id}/test`);
  expect(body).toMatchObject({ ok: false, stage: "auth" });
  expect(body.message).toMatch(/oauth\.token_url cannot be used: .*127\.0\.0\.1/);
  const now = await tenant.call("GET", `/api/v1/mailer/aliases/${alias.id}`);
  expect(now.body).toMatchObject({ status: "error", last_error: body.message });
});

test("a name that nobody knows is the account's trouble too", async () => {
  deployed.dns.zones.put("gone.zz", "other.gone.zz A 93.184.216.34\n");
  const { body: alias } = await createOauth("https://login.gone.zz/token");
  const { body } = await tenant.call("POST", `/api/v1/mailer/aliases/${alias.id}/test`);
  expect(body).toMatchObject({ ok: false, message: expect.stringContaining("no address in DNS") });
});
