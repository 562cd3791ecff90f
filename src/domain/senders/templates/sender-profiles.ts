import {
  deleteSenderProfile,
  getSenderProfile,
  insertSenderProfile,
  listSenderProfiles,
  type SenderProfileContent,
  type SenderProfileRow,
  updateSenderProfile,
} from "#db/senders/sender-profiles.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { inWorkspace, newOwned, removes, requireFound, requires } from "#src/domain/owned.ts";

export type SenderProfile = SenderProfileRow;

export const listProfiles = inWorkspace(listSenderProfiles);
export const requireProfile = requires("Sender profile", getSenderProfile);

export async function createProfile(
  deps: Deps,
  principal: Principal,
  { isDefault, ...content }: SenderProfileContent & { isDefault: boolean },
): Promise<SenderProfile> {
  return insertSenderProfile(deps.db, newOwned(deps, principal), content, isDefault);
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
  return requireFound(updated, "Sender profile");
}

export const removeProfile = removes(
  "Sender profile",
  "Campaigns under way use this sender profile; pause is not enough, end or change them first.",
  deleteSenderProfile,
);
