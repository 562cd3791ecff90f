import { beforeAll, expect, test } from "vitest";
import { type Publishable, zoneFor } from "../support/publish.ts";
import { advanceUntil, type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

interface Verification {
  status: string;
  records: { purpose: string; status: string }[];
}

test("workerd makes both keys, asks DNS, and says what is missing", async () => {
  const domain = (await service.api("POST", "/api/v1/mailer/domains", {
    domain: "workerd.zz",
  })) as Publishable & { id: string };
  const verify = async () =>
    (await service.api("POST", `/api/v1/mailer/domains/${domain.id}/verify`)) as Verification;
  expect((await verify()).status).toBe("pending");
  service.stack.dns.zones.put("workerd.zz", zoneFor(domain, ["return_path"]));
  const { status, records } = await verify();
  expect(status).toBe("verified");
  expect(records.filter((record) => record.status !== "ok")).toMatchObject([
    { purpose: "return_path", status: "missing" },
  ]);
  service.stack.dns.faults.order("unavailable", 1000);
  expect((await verify()).status).toBe("unknown");
  service.stack.dns.faults.clear();
  expect((await verify()).status).toBe("verified");
});

test("a domain whose records go is noticed by the regular check", async () => {
  const [domain] = (await service.api("GET", "/api/v1/mailer/domains")) as { id: string }[];
  service.stack.dns.zones.remove("workerd.zz");
  await service.advance(86_400);
  const read = () => service.api("GET", `/api/v1/mailer/domains/${domain!.id}`);
  // A check of the day that just passed may have come before this domain was due, and keeps the next away for 14 minutes.
  await advanceUntil(service, { seconds: 900, moves: 10 }, "it is failing", async () => {
    await service.stack.heartbeat.runNow();
    return ((await read()) as Verification).status === "failing";
  });
});
