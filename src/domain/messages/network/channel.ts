import { loadNetworkContexts, type NetworkContext } from "#db/network/step-contexts.ts";
import { ACCEPTANCE_HOLD } from "#db/schema/index.ts";
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
  return {
    kind: "socialnet",
    load: (sendIds) => loadNetworkContexts(deps.db, sendIds),
    routeOf: ({ workspaceId, account }) => ({ workspaceId, host: "", account: account.id }),
    targetOf: () => null,
    prepare: async (context) => prepareStep(context),
    async perform(ready) {
      const result = await performAction({ deps, network }, ready);
      if (result.ofSession) troubled.add(ready.account.providerAccountId);
      return result;
    },
    lookUp: (context, since) => lookUpAction(network, context, since),
    async close() {
      for (const session of troubled) await look(deps, session);
    },
  };
}

/** The regular look at the account comes within hours, should this one fail. */
const look = (deps: Deps, session: string): Promise<void> =>
  syncAccount(deps, session).catch((error: unknown) =>
    deps.log.error("network_account_unknown", describeError(error)),
  );

function prepareStep(
  context: NetworkContext,
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
  const { text, variantLabel, template, profile } = written;
  return {
    ok: true,
    ready: { action: step.action_type, account, lead, text },
    record: {
      messageId: null,
      subject: null,
      html: text === null ? null : textToHtml(text),
      variantLabel,
      templateId: template?.id ?? null,
      templateVersion: template?.version ?? null,
      senderProfileId: profile?.id ?? null,
    },
  };
}
