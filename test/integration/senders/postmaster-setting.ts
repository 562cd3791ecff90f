import { afterAll, beforeAll, beforeEach } from "vitest";
import { fetchPostmaster } from "#src/domain/senders/postmaster/fetch.ts";
import type { DayFigures } from "../../../scripts/stack/postmaster/figures.ts";
import {
  type PostmasterPart,
  startPostmaster,
} from "../../../scripts/stack/postmaster/postmaster.ts";
import { oauthEnv } from "../../../scripts/stack/oauth/env.ts";
import { type OauthPart, startOauth } from "../../../scripts/stack/oauth/oauth.ts";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";
import { APP, consentAt } from "../../support/oauth.ts";

export const DOMAINS = "/api/v1/mailer/domains";
export let api: TestApi;
export let oauth: OauthPart;
export let google: PostmasterPart;
export let tenant: Tenant;
export const lines: string[] = [];
let count = 0;

/** A service that reads Gmail's figures from a stand-in, and for each test a workspace. */
export function usePostmaster(): void {
  beforeAll(async () => {
    oauth = await startOauth({ clients: [APP] });
    google = await startPostmaster({ grants: oauth.grants });
    api = await startApi({
      ...oauthEnv(oauth, APP),
      POSTMASTER_BASE_URL: google.url,
      MAIL_OAUTH_RETURN_HOSTS: "app.test",
    });
    api.onLog((line) => lines.push(line));
  });
  afterAll(async () => {
    await api.close();
    await google.close();
    await oauth.close();
  });
  beforeEach(async () => {
    google.faults.clear();
    oauth.faults.clear();
    await rows("delete from postmaster_logins");
    tenant = await api.tenant();
  });
}

export const rows = async (sql: string, values: unknown[] = []) =>
  (await api.sql.query(sql, values)).rows;

export interface MadeDomain {
  id: string;
  domain: string;
}
export const makeDomain = async (
  label = `figures${count++}`,
  owner = tenant,
): Promise<MadeDomain> => (await owner.call("POST", DOMAINS, { domain: `${label}.zz` })).body;

export const beginAt = ({ id }: MadeDomain, body: object = {}, owner = tenant) =>
  owner.call("POST", `${DOMAINS}/${id}/postmaster`, body);
export const figuresOf = async ({ id }: MadeDomain, owner = tenant) =>
  (await owner.call("GET", `${DOMAINS}/${id}/postmaster`)).body;

/** A person's consent at Google, and the way back with a browser. */
export async function consent(made: MadeDomain, email = "owner@gmail.zz", body: object = {}) {
  const { body: begun } = await beginAt(made, body);
  const path = await consentAt(begun.authorize_url, { email });
  const reply = await api.request(path, { redirect: "manual" });
  await api.settled();
  return { status: reply.status, text: await reply.text(), to: reply.headers.get("location") };
}

/** Figures are read that are due by then. */
export async function readAfter(seconds: number) {
  api.advance(seconds);
  await fetchPostmaster(api.deps);
}

export const DAY = 86_400;
export const dayBefore = (days: number): string =>
  new Date(api.deps.clock.now().getTime() - days * DAY * 1000).toISOString().slice(0, 10);
export const calls = () => google.log.entries().length;

/** Gives a domain these spam rates on these days before today. */
export function putSpam({ domain }: MadeDomain, rates: Record<number, number>): void {
  const plain = { auth: { spf: 1, dkim: 1, dmarc: 1 }, tls: 1, errors: {} };
  const days = Object.entries(rates).map(([before, spam]): [string, DayFigures] => [
    dayBefore(Number(before)),
    { spam, ...plain },
  ]);
  google.put(domain, { days: new Map(days), needsWork: {} });
}
