import { createHash } from "node:crypto";
import pg from "pg";
import { insertActiveCampaign, insertAliases } from "../support/engine.ts";
import type { TestService } from "../support/service.ts";
import { makeWorkspaces } from "./http.ts";

/** Campaigns in each workspace's list. */
export const LISTED = 50;
const LEADS = 20_000;
const SENDERS = 10;
const MANY_SENDERS = [3_000, 10_000];
const MANY_LEADS = [100_000, 500_000];
const SUPPRESSIONS = 100_000;
/** Workspaces that have so many, each with its own quota of requests. */
export const SEARCHED = 4;

export interface ReadsData {
  keys: string[];
  /** One of the list of each workspace. */
  campaignIds: string[];
  /** Of the first workspace: a campaign of so many leads alone; and one of three over the same senders. */
  alone: string;
  competing: string;
  leads: number;
  suppressions: number;
  /** Campaigns of as many leads over so many senders; and of so many leads over ten. Each with the place of its workspace. */
  bySenders: Sized[];
  byLeads: Sized[];
}

interface Sized {
  size: number;
  workspace: number;
  campaignId: string;
}

/** Each workspace has a campaign made through the API, and as many copies as make the list; the first ones have more. */
export async function prepareReads(service: TestService): Promise<ReadsData> {
  const { keys, datasetIds, accountIds } = await makeWorkspaces(service);
  const campaignIds: string[] = [];
  for (const [index, key] of keys.entries()) {
    const response = await fetch(`${service.baseUrl}/api/v1/campaigns/`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: "Bench",
        dataset_id: datasetIds[index],
        alias_ids: [],
        type: "socialnet",
        connected_account_id: accountIds[index],
        steps: [{ step: 1, action_type: "message", message_template: "Hello {{ first_name }}" }],
      }),
    });
    campaignIds.push(((await response.json()) as { campaign_id: string }).campaign_id);
  }
  const sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 1 });
  try {
    await copyCampaigns(sql, campaignIds);
    const [one, other] = await Promise.all([ownerOf(sql, keys[0]!), ownerOf(sql, keys[1]!)]);
    const [alone] = await insertCampaigns(sql, one, { count: 1 });
    const [competing] = await insertCampaigns(sql, other, { count: 3 });
    let workspace = SEARCHED;
    const sized = async (wish: Partial<Wish>, size: number): Promise<Sized> => {
      const owner = await ownerOf(sql, keys[++workspace]!);
      const [campaignId] = await insertCampaigns(sql, owner, { count: 1, ...wish });
      return { size, workspace, campaignId: campaignId! };
    };
    const bySenders: Sized[] = [];
    for (const senders of MANY_SENDERS)
      bySenders.push(await sized({ senders, dailyLimit: 1_000_000 }, senders));
    const byLeads: Sized[] = [];
    for (const leads of MANY_LEADS) byLeads.push(await sized({ leads }, leads));
    for (const key of keys.slice(0, SEARCHED))
      await insertSuppressions(sql, await ownerOf(sql, key));
    await sql.query("vacuum analyze");
    const sizes = { leads: LEADS, suppressions: SUPPRESSIONS, bySenders, byLeads };
    return { keys, campaignIds, alone: alone!, competing: competing!, ...sizes };
  } finally {
    await sql.end();
  }
}

interface Owner {
  workspaceId: string;
  userId: string;
}

async function ownerOf(sql: pg.Pool, key: string): Promise<Owner> {
  const { rows } = await sql.query(
    "select workspace_id, user_id from api_keys where key_hash = $1",
    [createHash("sha256").update(key).digest("hex")],
  );
  return { workspaceId: rows[0].workspace_id, userId: rows[0].user_id };
}

async function copyCampaigns(sql: pg.Pool, campaignIds: string[]): Promise<void> {
  const { rows } = await sql.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_schema = 'public' and table_name = 'campaigns' and is_generated = 'NEVER' and column_name <> 'id'`,
  );
  const { names } = rows[0]!;
  await sql.query(
    `insert into campaigns (id, ${names})
     select gen_random_uuid(), ${names} from campaigns, generate_series(2, $1) where id = any($2)`,
    [LISTED, campaignIds],
  );
}

interface Wish {
  count: number;
  leads?: number;
  senders?: number;
  dailyLimit?: number;
}

/** Over the same senders, each of which may write fifty times a day. */
async function insertCampaigns(
  sql: pg.Pool,
  owner: Owner,
  { count, leads = LEADS, senders = SENDERS, dailyLimit = 500 }: Wish,
): Promise<string[]> {
  const now = new Date();
  const aliases = await insertAliases(sql, owner, senders, { now, aliasCap: 50 });
  const ids: string[] = [];
  for (let no = 0; no < count; no++) {
    const steps = [{ delayDays: 0 }, { delayDays: 3 }];
    const domain = `${owner.workspaceId.slice(0, 8)}-${no}.zz`;
    const order = { leads, aliases, now, steps, domain, dailyLimit };
    const { campaignId } = await insertActiveCampaign(sql, owner, order);
    ids.push(campaignId);
  }
  return ids;
}

/** Of which none is a lead's, and whose addresses stand among these in order. */
async function insertSuppressions(sql: pg.Pool, owner: Owner): Promise<void> {
  await sql.query(
    `insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
     select gen_random_uuid(), $1, $2, now(), now(), v, encode(sha256(convert_to(v, 'UTF8')), 'hex'), 'email', 'manual'
     from generate_series(1, $3::int) n, lateral (select 'lead' || n || '@suppressed.zz' as v) x`,
    [owner.workspaceId, owner.userId, SUPPRESSIONS],
  );
}
