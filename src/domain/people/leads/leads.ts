import { UNIQUE_VIOLATION, violates } from "#db/base/client.ts";
import {
  deleteLead,
  findLead,
  findLeadByIdentity,
  getLead,
  insertLead,
  type LeadContent,
  type LeadRow,
  listLeads,
  updateLead,
} from "#db/people/leads.ts";
import { leadsByAddress, type LeadsPlace, searchLeads } from "#db/people/lead-search.ts";
import { ERASED } from "#db/people/lead-imports.ts";
import { recipientsOf } from "#db/people/suppressions.ts";
import type { Json } from "#db/schema/columns.ts";
import { LEAD_TEXTS } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { newOwned, requireFound, requires, retryWhileChanged } from "#src/domain/owned.ts";
import { conflict, notFound, unprocessable } from "#src/errors.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { requireDataset } from "./datasets.ts";
import type { TextField } from "./lead-columns.ts";
import { readLead } from "./read-lead.ts";

export { LEADS_LOOKED_AT } from "#db/people/lead-search.ts";
export type Lead = LeadRow;

/** As it is written: absent fields stay, null clears. */
export type LeadInput = Partial<Record<TextField, string | null>> & {
  tags?: string[];
  custom?: Record<string, Json>;
};

/** One more than `limit`, if there are that many, so that the caller sees whether there is a next page. */
export async function pageOfLeads(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Lead[]> {
  await requireDataset(deps, principal, datasetId);
  return listLeads(deps.db, principal.workspaceId, datasetId, { after, limit: limit + 1 });
}

export interface LeadsPage {
  rows: Lead[];
  /** The last lead that was looked at where more come behind it. */
  reached: LeadsPlace | null;
}

/**
 * Of all datasets, by a part of the address, name or company: one more than `limit`. A whole address is found at once,
 * a part among so many leads at a time.
 */
export async function findLeads(
  { db }: Deps,
  { workspaceId }: Principal,
  { part, after, limit }: { part: string; after: LeadsPlace | undefined; limit: number },
): Promise<LeadsPage> {
  const key = emailKey(part);
  if (key === null) return searchLeads(db, workspaceId, { part, after, limit });
  const all = await leadsByAddress(db, workspaceId, key);
  const rows = after === undefined ? all : all.filter((lead) => isBehind(lead, after));
  return { rows: rows.slice(0, limit + 1), reached: null };
}

const isBehind = (lead: LeadsPlace, { datasetId, rowIndex }: LeadsPlace) =>
  lead.datasetId === datasetId ? lead.rowIndex > rowIndex : lead.datasetId > datasetId;

export async function requireLead(
  deps: Deps,
  { workspaceId }: Principal,
  datasetId: string,
  id: string,
): Promise<Lead> {
  return requireFound(await getLead(deps.db, workspaceId, datasetId, id), "Lead");
}

/** By its id alone, as a campaign's lead or a conversation names it. */
export const requireLeadAnywhere = requires("Lead", findLead);

export async function createLead(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  input: LeadInput,
): Promise<Lead> {
  const lead = readOrRefuse(input);
  await refuseErased(deps, principal, lead);
  const owner = newOwned(deps, principal);
  const columns = Object.keys(lead.custom).map((key) => ({
    key: `custom.${key}`,
    label: key,
    type: "text",
    sample: null,
  }));
  const created = await orTaken(deps, owner.workspaceId, datasetId, lead, () =>
    insertLead(deps.db, owner, datasetId, lead, columns),
  );
  return requireFound(created, "Dataset");
}

/** A changed address counts for campaigns that the lead joins later; where it is already, it keeps its own. */
export async function changeLead(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  id: string,
  change: LeadInput,
): Promise<Lead> {
  const attempt = async () => {
    const row = await requireLead(deps, principal, datasetId, id);
    // Imports merge their columns: what a lead has of custom fields may be more than one request may give.
    const lead = {
      ...readOrRefuse({ ...inputOf(row), ...change }),
      custom: change.custom ?? row.custom,
    };
    await refuseErased(deps, principal, lead);
    return orTaken(deps, principal.workspaceId, datasetId, lead, () =>
      updateLead(deps.db, row, lead, deps.clock.now()),
    );
  };
  const message = "The lead is being changed by others; read it and try again.";
  return retryWhileChanged(attempt, "CONFLICT", message);
}

/** Stops it in every campaign, in the same transaction. */
export async function removeLead(
  deps: Deps,
  { workspaceId }: Principal,
  datasetId: string,
  id: string,
): Promise<void> {
  if (!(await deleteLead(deps.db, workspaceId, datasetId, id, deps.clock.now())))
    throw notFound("Lead");
}

function readOrRefuse({ tags = [], custom = {}, ...fields }: LeadInput): LeadContent {
  const read = readLead({ fields, tags, custom });
  if (!read.ok) throw unprocessable("VALIDATION_ERROR", read.message);
  return read.lead;
}

/** A lead may not be given the address of an erased person. */
async function refuseErased(
  { db, clock }: Deps,
  { workspaceId }: Principal,
  { emailKey }: LeadContent,
): Promise<void> {
  if (emailKey === null) return;
  const known = await recipientsOf(db, workspaceId, [emailKey], clock.now());
  if (known.get(emailKey)!.isErased) throw unprocessable(ERASED.code, ERASED.message);
}

/** Its fields without `custom`, which is kept as it is where nobody gives another. */
function inputOf(row: LeadRow): LeadInput {
  const { email, tags } = row;
  const input: LeadInput = { email, tags };
  for (const { key, name } of LEAD_TEXTS) input[name] = row[key];
  return input;
}

async function orTaken<T>(
  deps: Deps,
  workspaceId: string,
  datasetId: string,
  { identityKey }: LeadContent,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!violates(error, UNIQUE_VIOLATION, "leads_identity")) throw error;
    const other = await findLeadByIdentity(deps.db, workspaceId, datasetId, identityKey);
    throw conflict("LEAD_EXISTS", "The dataset already has a lead with this email or profile.", {
      detail: { lead_id: other ?? null },
    });
  }
}
