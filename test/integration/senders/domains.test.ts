import { beforeEach, expect, test } from "vitest";
import { recheckDomains } from "#src/domain/senders/domain-verify.ts";
import { storable } from "#src/platform/storable.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";
import { insertActiveCampaign, insertAliases } from "../../support/engine.ts";
import { type Publishable, zoneFor } from "../../support/publish.ts";

const PATH = "/api/v1/mailer/domains";
const DAY = 86_400;
let count = 0;

useApi({ eachTest: true });
beforeEach(async () => {
  api.dns.faults.clear();
  await api.sql.query(
    "update mail_domains set status = 'pending', created_at = now() - interval '1 year', checked_at = now() + interval '1 year'",
  );
});

type Made = Publishable & { id: string };

async function addDomain(owner = tenant, name = `d${count++}.zz`): Promise<Made> {
  return (await owner.call("POST", PATH, { domain: name })).body as Made;
}
const publish = (made: Made, without: string[] = []) =>
  api.dns.zones.put(made.domain, zoneFor(made, without));
const verify = async ({ id }: Made, owner = tenant) =>
  (await owner.call("POST", `${PATH}/${id}/verify`)).body;
const read = async ({ id }: Made, owner = tenant) =>
  (await owner.call("GET", `${PATH}/${id}`)).body;
const statusOf = (body: { records: { purpose: string; status: string }[] }, purpose: string) =>
  body.records.find((record) => record.purpose === purpose)?.status;

async function verified(): Promise<Made> {
  const made = await addDomain();
  publish(made);
  expect((await verify(made)).status).toBe("verified");
  return made;
}

test("a domain is pending until its records are there, and then verified", async () => {
  const made = await addDomain();
  const before = await verify(made);
  expect(before).toMatchObject({
    domain_id: made.id,
    domain: made.domain,
    status: "pending",
    verified: false,
    failing_since: null,
  });
  expect(before.records.map((record: { status: string }) => record.status)).toEqual(
    Array.from({ length: 9 }, () => "missing"),
  );
  publish(made, ["return_path", "tracking"]);
  const after = await verify(made);
  expect(after).toMatchObject({ status: "verified", verified: true });
  expect(statusOf(after, "tracking")).toBe("missing");
  const kept = await read(made);
  expect(kept).toMatchObject({ status: "verified", checked_at: after.checked_at });
  expect(kept.records).toMatchObject(after.records);
  const again = await tenant.call("POST", `/api/v2/mailer/domains/${made.id}/verify`);
  expect(again.body.records).toEqual(kept.records);
  const tracking = kept.records.find(({ purpose }: { purpose: string }) => purpose === "tracking");
  expect([tracking.why, tracking.fix]).toEqual([
    expect.stringContaining("has no such record"),
    expect.stringContaining(`with the value ${tracking.expected}`),
  ]);
  expect(kept.records[0].found).toEqual([`overture-domain=${made.id}`]);
});

test("verifying again, also several times at once, says the same", async () => {
  const made = await verified();
  const replies = await Promise.all([1, 2, 3].map(() => verify(made)));
  expect(replies.map(({ status }) => status)).toEqual(["verified", "verified", "verified"]);
});

test("a sender at a host that wants to be signed for itself is not aligned, however its address is written", async () => {
  const made = await verified();
  const [own, below] = await insertAliases(api.sql, tenant, 2, { now: api.deps.clock.now() });
  const move = (id: string, email: string) =>
    api.sql.query("update mail_aliases set domain_id = $2, email = $3 where id = $1", [
      id,
      made.id,
      email,
    ]);
  const host = `mail.${made.domain}`;
  api.dns.zones.put(
    made.domain,
    `${zoneFor(made)}_dmarc.${host}. TXT "v=DMARC1; p=none; adkim=s"\n`,
  );
  await move(own!, `Ann@${made.domain.toUpperCase()}`);
  expect((await verify(made)).status).toBe("verified");
  await move(below!, `Bob@${host.toUpperCase()}`);
  const { status, records } = await verify(made);
  const { found } = records.find(({ purpose }: { purpose: string }) => purpose === "dmarc");
  expect([status, found.at(-1)]).toEqual([
    "failing",
    `(mail from ${host} is not aligned with ${made.domain})`,
  ]);
});

test("a domain that was verified fails when a required record goes, and since when is kept", async () => {
  const made = await verified();
  publish(made, ["dmarc"]);
  const first = await verify(made);
  expect(first).toMatchObject({ status: "failing", verified: false });
  expect(first.failing_since).toBe(first.checked_at);
  api.advance(3600);
  const second = await verify(made);
  expect(second.failing_since).toBe(first.failing_since);
  publish(made);
  expect(await verify(made)).toMatchObject({ status: "verified", failing_since: null });
});

test.each(["servfail", "unavailable", "garbage"])(
  "resolvers that answer %s make it unknown and never failing, and take nothing back",
  async (fault) => {
    const made = await verified();
    api.dns.zones.remove(made.domain);
    api.dns.faults.order(fault, 1000);
    const reply = await verify(made);
    expect(reply).toMatchObject({ status: "unknown", verified: false, failing_since: null });
    expect(await read(made)).toMatchObject({ status: "verified", failing_since: null });
    api.dns.faults.clear();
    expect((await verify(made)).status).toBe("failing");
  },
);

test("nobody gets a domain by another's records; with its own token a second workspace may have it too", async () => {
  const made = await verified();
  const other = await api.tenant();
  const theirs = await addDomain(other, made.domain);
  const refused = await verify(theirs, other);
  expect(refused.status).toBe("pending");
  expect([statusOf(refused, "ownership"), statusOf(refused, "dkim")]).toEqual([
    "mismatch",
    "missing",
  ]);
  const shared = ["spf", "dmarc", "mx", "return_path", "tracking"];
  api.dns.zones.put(made.domain, zoneFor(made) + zoneFor(theirs, shared).replace(/_spf.*\n/, ""));
  expect((await verify(theirs, other)).status).toBe("verified");
  expect((await verify(made)).status).toBe("verified");
  api.dns.zones.remove(made.domain);
});

test("the regular check looks at new domains hourly and at verified ones daily", async () => {
  const [made, known] = [await addDomain(), await verified()];
  publish(made);
  await recheckDomains(api.deps);
  expect((await read(made)).checked_at).toBeNull();
  api.advance(3601);
  const before = (await read(known)).checked_at;
  await recheckDomains(api.deps);
  expect((await read(made)).status).toBe("verified");
  expect((await read(known)).checked_at).toBe(before);
  api.dns.zones.remove(known.domain);
  api.advance(DAY);
  await recheckDomains(api.deps);
  expect((await read(known)).status).toBe("failing");
  expect((await read(made)).status).toBe("verified");
});

test.each([
  ["that Postgres refuses", () => '"v=spf1 \\000 -all"'],
  [
    "whose cut halves a character",
    () =>
      `"v=spf1 " "${"x".repeat(240)}" "${"x".repeat(250)}" "${"x".repeat(250)}" "${"x".repeat(252)}" "\\240\\159\\152\\128"`,
  ],
])("a record %s is kept as far as it can be", async (_what, data) => {
  const made = await addDomain();
  api.dns.zones.put(made.domain, `${zoneFor(made, ["spf"])}${made.domain}. TXT ${data()}\n`);
  const spf = ({ records }: { records: { purpose: string; found: string[] }[] }) =>
    records
      .find(({ purpose }) => purpose === "spf")!
      .found.filter((text) => text.startsWith("v=spf1"));
  const found = spf(await verify(made));
  expect(found).toHaveLength(1);
  expect(found).toEqual(found.map(storable));
  expect(spf(await read(made))).toEqual(found);
});

test("a domain that cannot be checked is said in the log, and holds up no other and no end of failing ones", async () => {
  const [broken, made] = [await addDomain(), await addDomain()];
  publish(made);
  api.advance(3601);
  const { lookup } = api.deps.dns;
  const dns = {
    ...api.deps.dns,
    lookup: ((name, ...more) => {
      if (name.endsWith(broken.domain)) throw new Error("no word of it");
      return lookup(name, ...more);
    }) as typeof lookup,
  };
  const said: string[] = [];
  const log = { ...api.deps.log, error: (event: string) => void said.push(event) };
  await recheckDomains({ ...api.deps, dns, log });
  expect(said).toEqual(["domain_not_checked"]);
  expect((await read(made)).status).toBe("verified");
  expect((await read(broken)).checked_at).toBeNull();
});

test("after three days of failing its aliases stop, its campaigns pause with one notice, and its aliases come back with it", async () => {
  const made = await verified();
  const now = api.deps.clock.now();
  const [alias, spare] = await insertAliases(api.sql, tenant, 2, { now });
  await api.sql.query("update mail_aliases set domain_id = $2 where id = $1", [alias, made.id]);
  const alone = await insertActiveCampaign(api.sql, tenant, { now, leads: 1, aliases: [alias!] });
  const mixed = await insertActiveCampaign(api.sql, tenant, {
    now,
    leads: 1,
    aliases: [alias!, spare!],
  });
  const campaign = async (id: string) =>
    (
      await api.sql.query(
        "select status, paused_reason, paused_from from campaigns where id = $1",
        [id],
      )
    ).rows[0];
  const sender = async () =>
    (
      await api.sql.query(
        "select a.status, a.last_error, l.open from mail_aliases a join sender_lanes l using (id) where id = $1",
        [alias],
      )
    ).rows[0];
  publish(made, ["dkim"]);
  expect((await verify(made)).status).toBe("failing");
  api.advance(3 * DAY - 60);
  await recheckDomains(api.deps);
  expect((await campaign(alone.campaignId)).status).toBe("active");
  api.advance(120);
  await recheckDomains(api.deps);
  await recheckDomains(api.deps);
  expect(await campaign(alone.campaignId)).toEqual({
    status: "paused",
    paused_reason: "sender_domain_failing",
    paused_from: "active",
  });
  expect((await campaign(mixed.campaignId)).status).toBe("active");
  expect(await sender()).toMatchObject({ status: "error", open: false });
  const { rows: notices } = await api.sql.query(
    "select kind, payload from outbox where workspace_id = $1 and kind <> 'domain_rule_failing'",
    [tenant.workspaceId],
  );
  expect(notices).toMatchObject([
    { kind: "campaign_paused", payload: { reason: "sender_domain_failing" } },
  ]);
  const resume = () => tenant.call("POST", `/api/v1/campaigns/${alone.campaignId}/resume`);
  expect((await resume()).status).toBe(409);
  publish(made);
  expect((await verify(made)).status).toBe("verified");
  expect(await sender()).toEqual({ status: "active", last_error: null, open: true });
  expect((await resume()).status).toBe(200);
});

test("an account test that says nothing of the account does not keep a sender from coming back with its domain", async () => {
  const made = await verified();
  const [alias] = await insertAliases(api.sql, tenant, 1, { now: api.deps.clock.now() });
  await api.sql.query("update mail_aliases set domain_id = $2 where id = $1", [alias, made.id]);
  publish(made, ["dkim"]);
  await verify(made);
  api.advance(3 * DAY + 60);
  await recheckDomains(api.deps);
  // Nobody listens where its account is.
  const { body } = await tenant.call("POST", `/api/v1/mailer/aliases/${alias}/test`);
  expect(body.ok).toBe(false);
  publish(made);
  await verify(made);
  const { rows } = await api.sql.query("select open from sender_lanes where id = $1", [alias]);
  expect(rows).toEqual([{ open: true }]);
});

test("a launch refuses a sender whose domain is not verified", async () => {
  const made = await addDomain();
  const created = await tenant.call("POST", "/api/v1/mailer/aliases", {
    email: `a@${made.domain}`,
    display_name: "A",
    transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
  });
  const dataset = (await tenant.call("POST", "/api/v1/datasets", { name: "D" })).body.id;
  await tenant.call("POST", `/api/v1/datasets/${dataset}/import`, { rows: [{ email: "l@b.zz" }] });
  const campaign = await tenant.call("POST", "/api/v1/campaigns/", {
    name: "C",
    dataset_id: dataset,
    alias_ids: [created.body.id],
    steps: [{ step: 1, variants: [{ type: "INLINE", subject: "S", body: "B" }] }],
  });
  const launch = () => tenant.call("POST", `/api/v1/campaigns/${campaign.body.campaign_id}/launch`);
  const refused = await launch();
  expect([refused.status, refused.body.detail]).toEqual([422, "LAUNCH_PREFLIGHT_FAILED"]);
  expect(refused.body.checks).toContainEqual(
    expect.objectContaining({ name: "alias_domain_verified", ok: false, severity: "error" }),
  );
  publish(made);
  await verify(made);
  expect((await launch()).status).toBe(202);
});
