import { loadNetworkContexts, type NetworkContext } from "#db/network/step-contexts.ts";
import { dateNoteHolds } from "#db/network/notes.ts";
import { ACCEPTANCE_HOLD, NOTES_HOLD } from "#db/schema/index.ts";
import { writeNetworkStep } from "#src/domain/campaigns/network-text.ts";
import type { Deps } from "#src/deps.ts";
import type {
  Channel,
  PreparedAction,
  RefusedAction,
  WaitingAction,
} from "#src/domain/engine/channel.ts";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import { textToHtml } from "#src/mime/text-to-html.ts";
import { describeError } from "#src/platform/log.ts";
import type { Network } from "#src/providers/network/index.ts";
import { lookUpAction } from "./look-up.ts";
import { performAction, type ReadyAction } from "./perform.ts";

/** Performs campaign steps on a professional network: one account is one lane, and one session. */
export function createNetworkChannel(
  deps: Deps,
  network: Network,
): Channel<NetworkContext, ReadyAction> {
  /** Sessions that failed: their accounts are synced once their sends are recorded. */
  const troubled = new Set<string>();
  /** Leads wait for notes, and until when is still to be said. */
  let lacksNotes = false;
  return {
    kind: "socialnet",
    load: (sendIds) => loadNetworkContexts(deps.db, sendIds),
    routeOf: ({ workspaceId, account }) => ({ workspaceId, host: "", account: account.id }),
    targetOf: () => null,
    async prepare(context, now) {
      const prepared = prepareStep(context, now);
      if ("waits" in prepared && prepared.waits === NOTES_HOLD) lacksNotes = true;
      return prepared;
    },
    async perform(ready) {
      const result = await performAction({ deps, network }, ready);
      if (result.ofSession) troubled.add(ready.account.providerAccountId);
      return result;
    },
    lookUp: (context, since) => lookUpAction(network, context, since),
    async close() {
      if (lacksNotes) await dateNotes(deps);
      for (const session of troubled) await look(deps, session);
    },
  };
}

/** The regular look at the account comes within hours, should this one fail. */
const look = (deps: Deps, session: string): Promise<void> =>
  syncAccount(deps, session).catch((error: unknown) =>
    deps.log.error("network_account_unknown", describeError(error)),
  );

/** The full check does it too, should this fail. */
const dateNotes = ({ db, clock, log }: Deps): Promise<void> =>
  dateNoteHolds(db, clock.now()).catch((error: unknown) =>
    log.error("note_holds_undated", describeError(error)),
  );

function prepareStep(
  context: NetworkContext,
  now: Date,
): PreparedAction<ReadyAction> | RefusedAction | WaitingAction {
  const { step, lead, account } = context;
  if (lead.profileUrl === null)
    return { ok: false, skip: true, reason: "NO_PROFILE_URL: the lead has no profile URL." };
  if (context.isAfterInvitation && lead.connectedAt === null)
    return {
      ok: false,
      waits: ACCEPTANCE_HOLD,
      approvedAt: null,
      reason: "The person has not accepted the invitation yet.",
    };
  const written = writeNetworkStep(context);
  if (!written.ok) return written;
  const { variantLabel, drawn, template, profile } = written;
  const isNote = step.action_type === "connection_request" && written.text !== null;
  const isClosed = isNote && account.notesClosedUntil !== null && account.notesClosedUntil > now;
  if (isClosed && step.note_optional !== true)
    return {
      ok: false,
      waits: NOTES_HOLD,
      approvedAt: null,
      reason: account.notesRefusal ?? "The account's notes are used up.",
    };
  const text = isClosed ? null : written.text;
  return {
    ok: true,
    ready: { sendId: context.sendId, action: step.action_type, account, lead, text },
    record: {
      messageId: null,
      subject: null,
      html: text === null ? null : textToHtml(text),
      variantLabel,
      drawn,
      templateId: template?.id ?? null,
      templateVersion: template?.version ?? null,
      senderProfileId: profile?.id ?? null,
    },
  };
}
