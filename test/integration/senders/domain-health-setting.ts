import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { DAY_MS } from "#src/platform/durations.ts";
import type { Tenant } from "../../support/api.ts";
import { type Publishable, zoneFor } from "../../support/publish.ts";
import { type Fact, insertSent } from "../../support/sent-messages.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

/** What is so for every file about the rules of large receivers. */
export const useHealth = (): void =>
  useApi({
    env: { REPORTS_DOMAIN: "reports.overture.zz", TRACKING_BASE_URL: "https://track.overture.zz" },
  });

export const PATH = "/api/v1/mailer/domains";
let count = 0;

export interface Rule {
  rule: string;
  asked_by: string[];
  status: string;
  evidence: string;
  figures: { name: string; value: number; limit: number | null }[];
  period: { since: string; until: string } | null;
  what_to_do: string | null;
}
export type Made = Publishable & { id: string; dkim_selector: string };

export const create = async (owner = tenant): Promise<Made> =>
  (await owner.call("POST", PATH, { domain: `health${count++}.zz` })).body;
export const publish = (made: Made, zone = zoneFor(made)) => api.dns.zones.put(made.domain, zone);
export const verify = async ({ id }: Made, owner = tenant) =>
  (await owner.call("POST", `${PATH}/${id}/verify`)).body;
export async function verified(owner = tenant): Promise<Made> {
  const made = await create(owner);
  publish(made);
  expect((await verify(made, owner)).status).toBe("verified");
  return made;
}
export const health = (id: string, owner: Tenant = tenant) =>
  owner.call("GET", `${PATH}/${id}/health`);
export const rules = async ({ id }: Made): Promise<Rule[]> => {
  const { status, body } = await health(id);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.rules;
};
export const rule = async (made: Made, name: string): Promise<Rule> =>
  (await rules(made)).find((each) => each.rule === name)!;
export const figureOf = (found: Rule, name: string) =>
  found.figures.find((each) => each.name === name)?.value;

export const now = () => api.deps.clock.now();
export const ago = (days: number) => new Date(now().getTime() - days * DAY_MS);

/** What an alias has besides an address of the domain. */
export type AliasFields = Record<string, string | boolean | Date | null>;
export async function alias(
  made: Made,
  fields: AliasFields = {},
  settings: object = {},
): Promise<string> {
  const id = randomUUID();
  const transport = { host: "smtp.relay.com", port: 587, security: "starttls", ...settings };
  const row = {
    ...{ id, workspace_id: tenant.workspaceId, user_id: tenant.userId, domain_id: made.id },
    ...{ created_at: ago(90), updated_at: now(), email: `a-${id.slice(0, 8)}@${made.domain}` },
    ...{ display_name: "Ann", transport_kind: "smtp", transport_settings: transport },
    ...{ status: "active", daily_limit: 50, is_default: false, ...fields },
  };
  await api.sql.query(
    `insert into mail_aliases select (jsonb_populate_record(null::mail_aliases, $1::jsonb || '{"revision": 1}')).*`,
    [JSON.stringify(row)],
  );
  return id;
}
export const returned = (made: Made, tls: boolean | null, more: AliasFields = {}): AliasFields => ({
  ...{ email: `ret-${randomUUID().slice(0, 8)}@${made.domain}`, return_test_tls: tls },
  ...{ return_test_asked_at: ago(1), return_test_seen_at: ago(1), ...more },
});
export async function tested(
  made: Made,
  tls: boolean | null,
  more: AliasFields = {},
): Promise<string> {
  const fields = returned(made, tls, more);
  return alias(made, { ...fields, return_test_address: fields["email"]! });
}
export const inbox = (aliasId: string, broken: boolean, readAt: Date | null) => query`
  insert into inboxes (alias_id, workspace_id, host, port, folder, next_read_at, failures, stuck, last_error, broken, read_at)
  values (${aliasId}, ${tenant.workspaceId}, 'imap.zz', 993, 'INBOX', ${ago(-1)}, 0, 0, ${broken ? "The login\u202e was refused." : null}, ${broken}, ${readAt})`;

/** So many messages, of which some came to something. */
export async function sent(
  made: Made,
  total: number,
  facts: Partial<Record<Fact, number>>,
  days = 3,
) {
  const laneId = await alias(made);
  const all = Object.entries(facts).flatMap(([fact, many]) => Array(many).fill(fact as Fact));
  await insertSent(
    api.sql,
    tenant,
    Array.from({ length: total }, (_, at) => ({
      ...{ campaignId: randomUUID(), laneId, at: ago(days) },
      facts: all[at] === undefined ? [] : [all[at]],
    })),
  );
  return laneId;
}

/** Sums of reports as receivers sent them. */
export async function reported(
  { id }: Made,
  rows: {
    reporter?: string;
    ip?: string;
    operator?: string;
    messages: number;
    ours?: number;
    aligned?: number;
    forwarded?: number;
    days?: number;
  }[],
) {
  for (const row of rows)
    await query`
      insert into dmarc_sources (domain_id, day, reporter, source_ip, operator, messages, ours, aligned, aligned_dkim, aligned_spf, quarantined, rejected, forwarded)
      values (${id}, ${ago(row.days ?? 2)}, ${row.reporter ?? "one.zz"}, ${row.ip ?? "8.8.4.1"}, ${row.operator ?? ""}, ${row.messages}, ${row.ours ?? 0}, ${row.aligned ?? 0}, ${row.aligned ?? 0}, 0, 0, 0, ${row.forwarded ?? 0})`;
}
export const sessions = ({ id }: Made, result: string, many: number, reporter = "one.zz") => query`
  insert into tls_sessions (domain_id, day, reporter, policy_type, result, sessions)
  values (${id}, ${ago(2)}, ${reporter}, 'sts', ${result}, ${many})`;

export const without = (purpose: string) => (made: Made) => zoneFor(made, [purpose]);
export const PASSING = [
  { reporter: "one.zz", messages: 150, ours: 150, aligned: 150 },
  { reporter: "two.zz", messages: 50, ours: 50, aligned: 50 },
];

/** [rule, what is so, its status, what its evidence says, what it says to do] */
export type Case = [
  string,
  string,
  string,
  (made: Made) => Promise<unknown>,
  RegExp,
  RegExp | null,
];
export const zoned = (zone: (made: Made) => string) => async (made: Made) => {
  publish(made, zone(made));
  await verify(made);
};
export const nothing = async () => {};
export const failingDns = async (made: Made) => {
  api.dns.faults.order("servfail", 200);
  await verify(made);
  api.dns.faults.clear();
};

/** Each case once, on a verified domain of its own. */
export const tryCases = (cases: Case[]): void =>
  test.each(cases)("%s is %s where %s", async (name, status, _what, make, evidence, todo) => {
    const made = await verified();
    await make(made);
    const found = await rule(made, name);
    expect(found).toMatchObject({ status, evidence: expect.stringMatching(evidence) });
    if (todo === null) expect(found.what_to_do).toBeNull();
    else expect(found.what_to_do).toMatch(todo);
    expect(found.period).not.toBeNull();
  });
