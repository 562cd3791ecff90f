import { type ClaimedInbox } from "#db/replies/inbox-reads.ts";
import { findAnswers } from "#db/replies/find-answers.ts";
import type { Deps } from "#src/deps.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import type { MessageHeader } from "#src/providers/inbox/index.ts";
import { ADDRESS_MATCH_MS } from "../find-sent.ts";
import { type HeaderClues, readClues } from "./clues.ts";

/**
 * The UIDs, ascending, of the mails that may be about the workspace's messages, by their headers: they answer one,
 * went to its return path, are a report, or come from an address that the workspace has written to.
 */
export async function chooseOurs(
  deps: Deps,
  inbox: ClaimedInbox,
  headers: readonly MessageHeader[],
): Promise<number[]> {
  const now = deps.clock.now();
  const clues = headers
    .map((header) => readClues(header, inbox.email, now))
    .filter(({ isOwn, isReturnTest }) => isReturnTest || !isOwn);
  if (clues.length === 0) return [];
  const answers = await findAnswers(deps.db, {
    workspaceId: inbox.workspaceId,
    mails: clues,
    since: new Date(now.getTime() - ADDRESS_MATCH_MS),
  });
  const ours: number[] = [];
  for (const clue of clues)
    if (
      clue.isReport ||
      clue.isReturnTest ||
      answers.has(clue.uid) ||
      (await isReturned(deps, clue))
    )
      ours.push(clue.uid);
  return ours;
}

async function isReturned({ settings }: Deps, { returnPaths }: HeaderClues) {
  const tokens = createReturnPathTokens(settings.trackingSecrets);
  for (const address of returnPaths) if ((await tokens.read(address)) !== null) return true;
  return false;
}
