import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleWorker, WORKER_ENTRY } from "../../scripts/stack/bundle.ts";
import { createLocalCertificate } from "../../scripts/stack/certificate.ts";
import { startWorkerd, type Workerd } from "../../scripts/stack/workerd.ts";
import { type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
let worker: Workerd;
let relays: Record<"tls" | "starttls", SMTPServer>;

const certificate = createLocalCertificate(["mail.dial.zz"]);

async function startRelay(secure: boolean): Promise<SMTPServer> {
  const { key, cert } = certificate;
  const relay = new SMTPServer({ secure, key, cert, authOptional: true, logger: false });
  relay.on("error", () => {});
  await new Promise<void>((done) => relay.listen(0, "127.0.0.1", done));
  return relay;
}

const portOf = (relay: SMTPServer) => (relay.server.address() as AddressInfo).port;

beforeAll(async () => {
  service = await sharedService();
  relays = { tls: await startRelay(true), starttls: await startRelay(false) };
  service.stack.dns.zones.put(
    "dial.zz",
    "mail.dial.zz A 127.0.0.1\nother.dial.zz A 127.0.0.1\nprivate.dial.zz A 10.0.0.5\n",
  );
  const bundle = await bundleWorker(WORKER_ENTRY);
  worker = await startWorkerd({
    bundle: bundle.file,
    env: {
      ...service.stack.workerEnv(service.baseUrl),
      SMTP_PORTS: Object.values(relays).map(portOf).join(","),
    },
    caCertificates: [certificate.ca],
    hasEvents: false,
  });
});
afterAll(async () => {
  for (const relay of Object.values(relays)) relay.close();
  await worker.close();
});

async function report(host: string, security: "tls" | "starttls") {
  const port = portOf(relays[security]);
  const call = async (path: string, body?: unknown) => {
    const response = await fetch(`${worker.url}/api/v1/mailer/aliases${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.access.api_key}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const { id } = await call("", {
    email: `${security}-${host}`.replaceAll(".", "-") + "@sender.zz",
    display_name: "A",
    transport: { kind: "smtp", host, port, security },
  });
  return call(`/${String(id)}/test`);
}

test.each(["tls", "starttls"] as const)(
  "workerd dials the address that was judged, and %s verifies the name",
  async (security) => {
    expect(await report("mail.dial.zz", security)).toMatchObject({ ok: true, stage: "ready" });
    expect(await report("other.dial.zz", security)).toMatchObject({
      ok: false,
      stage: "tls",
    });
    expect((await report("private.dial.zz", security))["message"]).toContain("public hosts only");
  },
);

test("the local Worker finds the farm's hosts by their names, and trusts their certificates", async () => {
  const host = "mx.tlsfirst.zz";
  const { id } = (await service.api("POST", "/api/v1/mailer/aliases", {
    // Without a login the host takes mail for its own people alone.
    email: "anna.berg@tlsfirst.zz",
    display_name: "A",
    transport: { kind: "smtp", host, port: 587, security: "starttls" },
  })) as { id: string };
  const tested = await service.api("POST", `/api/v1/mailer/aliases/${id}/test`);
  expect(tested).toMatchObject({ ok: true, stage: "ready" });
  const traffic = service.stack.farm.traffic.operators();
  // The account is looked at, and then a mail sent by which replies are tested.
  expect(traffic.find(({ operator }) => operator === "tlsfirst.zz")?.connections).toBe(2);
});
