import { and, eq, inArray, or, sql } from "drizzle-orm";
import { campaignLeadId } from "../base/fragments/campaign-lead.ts";
import { commit, type Db } from "../base/client.ts";
import { leadFields } from "../engine/context.ts";
import { type LeadInputs, leadInputsStatement, readLeadInputs } from "./lead-inputs.ts";
import { providedTexts } from "./provided-texts.ts";
import { bool, integer, orNull, type Row, rowReader, text, typed } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import {
  type AccountState,
  type AliasErrorKind,
  type AliasStatus,
  type CampaignRow,
  type Channel,
  creditBalances,
  type DomainStatus,
  mailAliases,
  mailDomains,
  senderProfiles,
  templates,
  workspaces,
} from "../schema/index.ts";

export interface AliasInputs {
  id: string;
  email: string;
  status: AliasStatus;
  lastError: string | null;
  lastErrorKind: AliasErrorKind | null;
  dailyLimit: number;
  minIntervalSeconds: number | null;
  replyTo: string | null;
  /** The last test of whether replies come back. */
  returnTestAddress: string | null;
  returnTestAskedAt: Date | null;
  returnTestSeenAt: Date | null;
  /** Null when the alias has no domain record. */
  domainStatus: DomainStatus | null;
  /** Null without a domain record. */
  domain: string | null;
  /** What all aliases of the domain may send in a day; null without a limit. */
  domainLimit: number | null;
}

export interface TemplateInputs {
  id: string;
  name: string;
  channel: Channel;
  subject: string | null;
  body: string;
}

/** The account that does the steps on the network. */
export type AccountInputs = ReturnType<typeof readAccount>;
const readAccount = rowReader({
  id: text,
  displayName: text,
  status: typed<AccountState>(),
  checkpointPending: bool,
  lastError: orNull(text),
  isPremium: bool,
  dailyConnectionLimit: integer,
  dailyMessageLimit: integer,
});

export interface LaunchInputs {
  aliases: AliasInputs[];
  /** Null where the campaign names none, or it is gone. */
  account: AccountInputs | null;
  /** Some of the leads, of which is seen how long their notes become; empty where no step has one. */
  sampleLeads: SampleLead[];
  templates: TemplateInputs[];
  /** Those named, and the workspace's default. */
  profiles: (Record<string, unknown> & { id: string; isDefault: boolean })[];
  leads: LeadInputs;
  /** How many leads have an approved text for a step, are past it, or are done, by step; without the suppressed ones. */
  provided: Record<number, number>;
  postalAddress: string | null;
  creditsAvailable: number;
}

export interface InputsQuery {
  campaign: Pick<
    CampaignRow,
    "id" | "workspaceId" | "datasetId" | "type" | "aliasIds" | "connectedAccountId"
  >;
  /** How many leads are looked at one by one. */
  sampleSize: number;
  templateIds: string[];
  profileIds: string[];
  /** Variables of texts that the campaign itself carries; those of templates are found here. */
  inlineVariables: string[];
  now: Date;
}

/** All that a decision to launch rests on, in one round trip and one transaction. */
export async function loadLaunchInputs(db: Db, query: InputsQuery): Promise<LaunchInputs> {
  const { campaign, templateIds, profileIds } = query;
  const { workspaceId } = campaign;
  const [aliases, texts, profiles, leadRows, providedRows, workspaceRows, accounts, sample] =
    await commit(db, [
      db
        .select({
          id: mailAliases.id,
          email: mailAliases.email,
          status: mailAliases.status,
          lastError: mailAliases.lastError,
          lastErrorKind: mailAliases.lastErrorKind,
          dailyLimit: mailAliases.dailyLimit,
          minIntervalSeconds: mailAliases.minIntervalSeconds,
          replyTo: mailAliases.replyTo,
          returnTestAddress: mailAliases.returnTestAddress,
          returnTestAskedAt: mailAliases.returnTestAskedAt,
          returnTestSeenAt: mailAliases.returnTestSeenAt,
          domainStatus: mailDomains.status,
          domain: mailDomains.domain,
          domainLimit: mailDomains.dailyLimit,
        })
        .from(mailAliases)
        .leftJoin(mailDomains, eq(mailDomains.id, mailAliases.domainId))
        .where(
          and(
            eq(mailAliases.workspaceId, workspaceId),
            sql`${mailAliases.id} = any(${uuidArray(campaign.aliasIds ?? [])})`,
          ),
        ),
      db
        .select({
          id: templates.id,
          name: templates.name,
          channel: templates.channel,
          subject: templates.subject,
          body: templates.body,
        })
        .from(templates)
        .where(and(eq(templates.workspaceId, workspaceId), inArray(templates.id, templateIds))),
      db
        .select()
        .from(senderProfiles)
        .where(
          and(
            eq(senderProfiles.workspaceId, workspaceId),
            or(eq(senderProfiles.isDefault, true), inArray(senderProfiles.id, profileIds)),
          ),
        ),
      db.execute(leadInputsStatement(query)),
      db.execute<{ provided: Record<number, number> | null }>(
        providedTexts(campaign.id, query.now),
      ),
      db
        .select({
          postalAddress: workspaces.postalAddress,
          creditsAvailable: creditBalances.available,
        })
        .from(workspaces)
        .leftJoin(creditBalances, eq(creditBalances.workspaceId, workspaces.id))
        .where(eq(workspaces.id, workspaceId)),
      db.execute(sql`
      select * from connected_accounts where workspace_id = ${workspaceId} and id = ${campaign.connectedAccountId}`),
      db.execute(sampleStatement(query)),
    ]);
  const [workspace] = workspaceRows;
  return {
    aliases,
    account: accounts.rows[0] === undefined ? null : readAccount(accounts.rows[0]),
    sampleLeads: sample.rows.map(readSample),
    templates: texts,
    profiles,
    leads: readLeadInputs(leadRows.rows[0]!),
    provided: providedRows.rows[0]?.provided ?? {},
    postalAddress: workspace?.postalAddress ?? null,
    creditsAvailable: workspace?.creditsAvailable ?? 0,
  };
}

export interface SampleLead {
  campaignLeadId: string;
  fields: Record<string, unknown>;
}

const sampleStatement = ({ campaign, sampleSize }: InputsQuery) => sql`
  select ${campaignLeadId(sql`${campaign.id}::uuid`, sql`lead.id`)} as campaign_lead_id, to_jsonb(lead) as lead from leads lead
  where lead.dataset_id = ${campaign.datasetId} and lead.workspace_id = ${campaign.workspaceId} and lead.profile_url is not null
  order by lead.row_index limit ${sampleSize}`;

function readSample(row: Row): SampleLead {
  return {
    campaignLeadId: row["campaign_lead_id"] as string,
    fields: leadFields(row["lead"] as Row),
  };
}

/** How many of the campaign's aliases can send now (active, on a domain that is not failing), and whether its account can act. */
export async function loadResumeInputs(
  db: Db,
  campaign: Pick<CampaignRow, "workspaceId" | "aliasIds" | "connectedAccountId">,
): Promise<{ usableSenders: number; accountConnected: boolean; creditsAvailable: number }> {
  const { rows } = await db.execute<{
    senders: number;
    connected: boolean;
    credits: number | null;
  }>(sql`
    select (
      select count(*)::int from mail_aliases a left join mail_domains d on d.id = a.domain_id
      where a.workspace_id = ${campaign.workspaceId} and a.id = any(${sql.param(campaign.aliasIds ?? [])}::uuid[])
        and a.status = 'active' and d.status is distinct from 'failing') as senders,
      exists (
        select 1 from connected_accounts a
        where a.workspace_id = ${campaign.workspaceId} and a.id = ${campaign.connectedAccountId} and a.status = 'connected') as connected,
      (select available from credit_balances where workspace_id = ${campaign.workspaceId}) as credits`);
  const { senders, connected, credits } = rows[0]!;
  return {
    usableSenders: senders,
    accountConnected: connected,
    creditsAvailable: credits ?? 0,
  };
}
