import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { runVerificationJob } from "#src/domain/research/verification/run-job.ts";
import type { Tenant } from "../../../support/api.ts";
import { queryOf } from "../../../support/query.ts";
import { api, useApi } from "../../../support/use-api.ts";

useApi();
const query = queryOf(() => api.sql);

/** Of a domain that DNS does not know: a verdict without a mail host. */
let EMAIL: string;
let count = 0;
beforeEach(() => {
  EMAIL = `anna@gone${++count}.zz`;
});

interface Source {
  source: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  records: any[];
}

async function exported(tenant: Tenant): Promise<Map<string, Source["records"]>> {
  const { status, body } = await tenant.call("POST", "/api/v1/leads/export", { email: EMAIL });
  expect(status).toBe(200);
  return new Map(body.sources.map(({ source, records }: Source) => [source, records]));
}

async function importLead(tenant: Tenant, lead: object = {}): Promise<string> {
  const { id } = (await tenant.call("POST", "/api/v1/datasets", { name: "People" })).body;
  const { body } = await tenant.call("POST", `/api/v1/datasets/${id}/import`, {
    rows: [{ email: EMAIL, ...lead }],
  });
  expect(body).toMatchObject({ created: 1 });
  return id;
}

async function verify(tenant: Tenant, force = false): Promise<void> {
  const order = { email: EMAIL, force };
  const { status, body } = await tenant.call("POST", "/api/v1/email-finder/verify", order);
  expect(status).toBe(202);
  expect(await runVerificationJob(api.deps, body.job_id)).toBe("completed");
}

const keyOf = async (tenant: Tenant, wanted: object): Promise<string> =>
  (await tenant.callAsUser("POST", "/api/v1/api-keys", { name: "CI", ...wanted })).body.key;

describe("a key with scopes", () => {
  test.each([
    ["POST", "/api/v1/leads/export", { email: "ada@example.zz" }],
    // A single mail's preview has its body.
    ["GET", "/api/v1/confirmations", undefined],
  ])("does not open %s %s, whichever it has: no scope does", async (method, at, sent) => {
    const tenant = await api.tenant();
    const ask = (credential: string) =>
      api.request(at, {
        method,
        headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
    for (const scopes of [["leads:read", "campaigns:read"], ["conversations:read"]]) {
      const refused = await ask(await keyOf(tenant, { scopes }));
      expect(refused.status).toBe(403);
      const body = await refused.json();
      expect(body).toMatchObject({ detail: "SCOPE_MISSING" });
      expect(JSON.stringify(body)).not.toContain("undefined");
      expect(refused.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope"');
    }
    for (const credential of [await keyOf(tenant, {}), tenant.key, tenant.jwt])
      expect((await ask(credential)).status).toBe(200);
  });
});

describe("of what all workspaces share a person's export has", () => {
  test("no verdict on an address that another workspace verified, with a lead of it or without", async () => {
    const first = await api.tenant({ credits: 5 });
    await verify(first);
    const second = await api.tenant();
    expect([...(await exported(second)).keys()]).toEqual([]);
    await importLead(second);
    expect([...(await exported(second)).keys()]).toEqual(["leads"]);
  });

  test("the verdict that the workspace was given, and nothing of a later one of another's", async () => {
    const first = await api.tenant({ credits: 5 });
    await importLead(first);
    await verify(first);
    const before = await exported(first);
    const [{ verdict }] = before.get("verification_jobs")!;
    expect(before.get("leads")).toMatchObject([{ verification: verdict }]);
    const [shared] = before.get("verified_addresses")!;
    expect(shared).toMatchObject({ reason: verdict.reason, backend: verdict.backend });
    expect(new Date(shared.checked_at)).toEqual(new Date(verdict.checked_at));
    // Another is asking at this moment, and then has its answer.
    await query`update verified_addresses set probing_until = now()`;
    expect((await exported(first)).get("verified_addresses")).toEqual([shared]);
    await query`update verified_addresses set probing_until = null`;
    api.advance(3_600);
    const second = await api.tenant({ credits: 5 });
    await verify(second, true);
    const after = await exported(first);
    expect([...after.keys()].toSorted()).toEqual(["leads", "verification_jobs"]);
    expect(after.get("verification_jobs")).toMatchObject([{ verdict }]);
    expect((await exported(second)).get("verified_addresses")).toHaveLength(1);
  });

  test("nothing of another's answer that the workspace was given out of the cache, but that answer", async () => {
    await verify(await api.tenant({ credits: 5 }));
    const second = await api.tenant({ credits: 5 });
    const dataset = await importLead(second);
    const { status } = await second.call("POST", `/api/v1/email-verification/dataset/${dataset}`);
    expect(status).toBe(200);
    const found = await exported(second);
    expect([...found.keys()].toSorted()).toEqual(["dataset_verification_rows", "leads"]);
    expect(found.get("leads")).toMatchObject([{ verification: { backend: "cache" } }]);
  });

  test("nothing of how a company's addresses are written: whom it was learned for stands nowhere", async () => {
    const hash = createHash("sha256").update(EMAIL).digest("hex");
    const domain = EMAIL.split("@")[1];
    await query`insert into learned_addresses values (${domain}, ${hash}, 'first', now())`;
    const tenant = await api.tenant();
    await importLead(tenant);
    expect([...(await exported(tenant)).keys()]).toEqual(["leads"]);
  });

  test("no entry of the pool for a profile that somebody wrote into a lead of their own", async () => {
    const url = `https://www.linkedin.com/in/pool${count}`;
    await query`insert into prospects (profile_url, profile_key, full_name, company, quality, tag_ids, created_at, updated_at)
      values (${url}, ${url.slice(12)}, 'Zyxwva', 'Sold Corp', 80, '{}', now(), now())`;
    const tenant = await api.tenant();
    await importLead(tenant, { profile_url: url });
    const found = await exported(tenant);
    expect([...found.keys()]).toEqual(["leads"]);
    expect(found.get("leads")).toMatchObject([{ profile_url: url }]);
    expect(JSON.stringify(found.get("leads"))).not.toMatch(/Zyxwva|Sold Corp/);
  });
});
