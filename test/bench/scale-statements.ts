import { createHash, randomUUID } from "node:crypto";
import type { Db } from "#db/base/client.ts";
import { commit } from "#db/base/client.ts";
import { auditNextPiece } from "#db/billing/credit-audit.ts";
import { listCampaigns } from "#db/campaigns/campaigns.ts";
import { pauseBadlyReceived } from "#db/campaigns/guardrails.ts";
import { countCampaignLeads } from "#db/campaigns/lead-counts.ts";
import { listCampaignLeads } from "#db/campaigns/lead-list.ts";
import { campaignStats, campaignSums, statsBySender } from "#db/campaigns/stats.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import { loadSendingInputs } from "#db/engine/sending-inputs.ts";
import { loadSnapshot } from "#db/engine/snapshot.ts";
import { listEmails } from "#db/messages/emails.ts";
import { campaignClickStats } from "#db/messages/tracking.ts";
import { stageLeads, takeOverImport } from "#db/people/lead-imports.ts";
import { getDataset } from "#db/people/datasets.ts";
import { customKeys, listLeads } from "#db/people/leads.ts";
import { listSuppressions, searchSuppressions } from "#db/people/suppressions.ts";
import { countConversations, listConversations } from "#db/replies/conversations.ts";
import { findSentByAddress } from "#db/replies/sent-messages.ts";
import { erasureStatements } from "#db/workspace/erasure.ts";
import { recordsOf } from "#db/workspace/person-export.ts";
import { ERASED, erasePiece } from "#db/workspace/workspace-erasure.ts";
import type { LeadContent } from "#db/people/leads.ts";
import type { ScaleData } from "./scale-data.ts";

export interface Scaled {
  name: string;
  /** By the product's own functions; answers how many rows were asked for, at least one. */
  run(db: Db, data: ScaleData): Promise<number>;
}

const PAGE = 50;
const HOUR_MS = 3_600_000;
const EMAIL = "lead4001@tenant0.zz";
const person = ({ workspaceId, userId, now }: ScaleData) => ({
  id: randomUUID(),
  workspaceId,
  userId,
  now,
  emailKey: EMAIL,
  emailHash: createHash("sha256").update(EMAIL).digest("hex"),
});
const size = (rows: { length: number } | undefined): number => rows?.length ?? 0;
const owner = ({ campaignId, workspaceId }: ScaleData) => ({ id: campaignId, workspaceId });
const isOfWorkspace = (name: string) => ERASED.find(({ table }) => table === name)!;

const leadsOf = (db: Db, data: ScaleData, page: Partial<Parameters<typeof listCampaignLeads>[3]>) =>
  listCampaignLeads(db, data.workspaceId, data.campaignId, {
    order: "row_index",
    limit: PAGE,
    ...page,
  }).then((found) => size(found?.rows));

/** Lists, counts, guards, exports, erasures and the claim, each of the large tenant. */
export const SCALED: readonly Scaled[] = [
  {
    name: "claim of 50, as the engine's store makes it",
    run: (db, { now }) =>
      createPostgresStore(db, ["email"])
        .claim({
          now,
          until: new Date(now.getTime() + 60_000),
          limit: 50,
          workerToken: randomUUID(),
          leaseSeconds: 180,
        })
        .then(size),
  },
  {
    name: "lanes whose day ends",
    run: (db, { now }) =>
      createPostgresStore(db)
        .dueRollovers(now, new Date(now.getTime() + 60_000))
        .then(() => 1),
  },
  {
    name: "list of campaigns",
    run: (db, { workspaceId }) =>
      listCampaigns(db, workspaceId, { offset: 0, limit: PAGE } as never).then(({ rows }) =>
        size(rows),
      ),
  },
  { name: "stats by step", run: (db, data) => campaignStats(db, owner(data), "step").then(size) },
  { name: "stats by alias", run: (db, data) => campaignStats(db, owner(data), "alias").then(size) },
  { name: "stats by day", run: (db, data) => campaignStats(db, owner(data), "day").then(size) },
  {
    name: "sums of a list of campaigns",
    run: (db, { campaignId }) => campaignSums(db, [campaignId]).then(size),
  },
  {
    name: "click stats",
    run: (db, { workspaceId, campaignId }) =>
      campaignClickStats(db, workspaceId, campaignId).then(() => 1),
  },
  {
    name: "guardrails",
    run: (db, { campaignId, now }) =>
      pauseBadlyReceived(
        db,
        [campaignId],
        {
          since: new Date(now.getTime() - 168 * HOUR_MS),
          minimumSends: 50,
          bouncesPerThousand: 500,
          complaintsPerThousand: 500,
        },
        now,
      ).then(() => 1),
  },
  {
    name: "workspace stats of a day by alias",
    run: (db, { workspaceId, now }) =>
      statsBySender(
        db,
        workspaceId,
        { from: new Date(now.getTime() - 24 * HOUR_MS), until: now },
        "alias",
      ).then(size),
  },
  { name: "page of campaign leads", run: (db, data) => leadsOf(db, data, {}) },
  {
    name: "leads of a rare status",
    run: (db, data) => leadsOf(db, data, { status: "complained", limit: 5 }),
  },
  {
    name: "leads of a status without any",
    run: (db, data) => leadsOf(db, data, { status: "failed" }),
  },
  { name: "leads by a part of a name", run: (db, data) => leadsOf(db, data, { part: "lead 77" }) },
  {
    name: "campaign leads counted by status",
    run: (db, { workspaceId, campaignId }) =>
      countCampaignLeads(db, workspaceId, campaignId).then(size),
  },
  {
    name: "sending status",
    run: (db, data) => loadSendingInputs(db, owner(data), undefined, data.now).then(() => 1),
  },
  {
    name: "forecast's first leads",
    run: (db, { workspaceId, campaignId, now }) =>
      loadSnapshot(db, {
        ...{ workspaceId, campaignId, notLaunchedDueAt: null, now, leadsPerCampaign: 2_000 },
        // Of 1,600 senders each has this many.
        first: { newLeads: 2_000, followUps: 20, days: 3 },
      }).then(({ leads }) => size(leads)),
  },
  {
    // Where the first of each queue do not go far enough.
    name: "forecast's leads, all looked at",
    run: (db, { workspaceId, campaignId, now }) =>
      loadSnapshot(db, {
        ...{ workspaceId, campaignId, notLaunchedDueAt: null, now, leadsPerCampaign: 2_000 },
        first: null,
      }).then(({ leads }) => size(leads)),
  },
  {
    name: "page of a dataset",
    run: (db, { workspaceId, datasetId }) =>
      listLeads(db, workspaceId, datasetId, { after: 1_000, limit: PAGE }).then(size),
  },
  {
    // Asked by an export alone, which answers every lead.
    name: "columns of a dataset's export",
    async run(db, { workspaceId, datasetId, now }) {
      await customKeys(db, workspaceId, datasetId);
      const dataset = await getDataset(db, workspaceId, datasetId, now);
      return dataset!.rowCount;
    },
  },
  {
    name: "page of suppressions",
    run: (db, { workspaceId }) =>
      listSuppressions(db, workspaceId, {}, { after: undefined, limit: PAGE }).then(size),
  },
  {
    name: "suppressions by a part",
    run: (db, { workspaceId }) =>
      searchSuppressions(
        db,
        workspaceId,
        { part: "nobody" },
        { after: undefined, limit: PAGE },
      ).then(() => 1),
  },
  {
    name: "emails that failed",
    run: (db, { workspaceId }) =>
      listEmails(db, workspaceId, { states: ["failed"] }, { before: undefined, limit: 2 }).then(
        size,
      ),
  },
  {
    name: "page of conversations",
    run: (db, { workspaceId }) =>
      listConversations(db, workspaceId, {}, { limit: PAGE }).then(size),
  },
  {
    name: "conversations counted",
    run: (db, { workspaceId, now }) => countConversations(db, workspaceId, now).then(size),
  },
  {
    name: "reply without reference",
    run: (db, { now }) =>
      findSentByAddress(db, {
        from: EMAIL,
        to: [{ address: "sender0@tenant0.zz", domains: ["tenant0.zz"] }],
        since: new Date(now.getTime() - 90 * 24 * HOUR_MS),
        workspaceId: null,
        subjects: null,
      }).then(() => 1),
  },
  { name: "export of a person", run: (db, data) => recordsOf(db, person(data)).then(() => 1) },
  {
    name: "erasure of a person",
    run: (db, data) => commit(db, erasureStatements(db, person(data))).then(() => 1),
  },
  ...["inbound_mails", "outbox", "sends", "email_events", "emails", "conversation_messages"].map(
    (table) => ({
      name: `erasure of a workspace: 100 of ${table}`,
      run: (db: Db, { workspaceId }: ScaleData) =>
        erasePiece(db, isOfWorkspace(table), workspaceId, 100),
    }),
  ),
  {
    name: "import of a lead",
    async run(db, data) {
      const { workspaceId, userId, datasetId, now } = data;
      const importId = randomUUID();
      const email = "new@import.zz";
      const lead = {
        email,
        emailKey: email,
        identityKey: email,
        tags: [],
        custom: {},
      } as unknown as LeadContent;
      await stageLeads(db, { importId, chunk: 0, datasetId, now }, [{ place: 0, lead }]);
      const about = { columns: [], mapping: {} as never, source: "api" as const, sourceUrl: null };
      await takeOverImport(db, {
        importId,
        workspaceId,
        userId,
        datasetId,
        chunks: 1,
        ...about,
        now,
      });
      return 1;
    },
  },
  { name: "audit of the ledger", run: (db, { now }) => auditNextPiece(db, now, 100).then(() => 1) },
];
