import { campaignsUsing, usesSenderProfile } from "#db/campaigns/uses.ts";
import {
  deleteSenderProfile,
  getSenderProfile,
  insertSenderProfile,
  listSenderProfiles,
  type SenderProfileContent,
  type SenderProfileRow,
  updateSenderProfile,
} from "#db/sender-profiles.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";

export type SenderProfile = SenderProfileRow;

export function listProfiles(deps: Deps, { workspaceId }: Principal): Promise<SenderProfile[]> {
  return listSenderProfiles(deps.db, workspaceId);
}

export async function requireProfile(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<SenderProfile> {
  const found = await getSenderProfile(deps.db, workspaceId, id);
  if (found === undefined) throw notFound("Sender profile");
  return found;
}

export async function createProfile(
  deps: Deps,
  { workspaceId, userId }: Principal,
  { isDefault, ...content }: SenderProfileContent & { isDefault: boolean },
): Promise<SenderProfile> {
  const owner = { id: deps.ids.uuid(), workspaceId, userId, now: deps.clock.now() };
  return insertSenderProfile(deps.db, owner, content, isDefault);
}

export async function changeProfile(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
  change: Partial<SenderProfileContent> & { isDefault?: boolean },
): Promise<SenderProfile> {
  const { isDefault, ...content } = change;
  // Taking the mark away would leave none: another profile takes it instead.
  const updated = await updateSenderProfile(
    deps.db,
    workspaceId,
    id,
    isDefault === true ? { ...content, isDefault } : content,
    deps.clock.now(),
  );
  if (updated === undefined) throw notFound("Sender profile");
  return updated;
}

export async function removeProfile(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  if (await deleteSenderProfile(deps.db, workspaceId, id)) return;
  const users = await campaignsUsing(deps.db, workspaceId, usesSenderProfile(id));
  if (users.length === 0) throw notFound("Sender profile");
  throw conflict(
    "IN_USE",
    "Campaigns under way use this sender profile; pause is not enough, end or change them first.",
    { detail: { campaign_ids: users } },
  );
}
