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
import { textToHtml } from "#src/mime/text-to-html.ts";
import type { Network } from "#src/providers/network/index.ts";
import { lookUpAction } from "./look-up.ts";
import { performAction, type ReadyAction } from "./perform.ts";

/** Performs campaign steps on a professional network: one account is one lane, and one session. */
export function createNetworkChannel(
  deps: Deps,
  network: Network,
): Channel<NetworkContext, ReadyAction> {
  return {
    kind: "socialnet",
    load: (sendIds) => loadNetworkContexts(deps.db, sendIds),
    accountOf: ({ account }) => account.id,
    targetOf: () => null,
    prepare: async (context) => prepareStep(context),
    perform: (ready) => performAction({ deps, network }, ready),
    lookUp: (context, since) => lookUpAction(network, context, since),
    close: async () => {},
  };
}

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
