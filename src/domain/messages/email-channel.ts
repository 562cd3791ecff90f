import {
  type AliasContext,
  findLastAttempts,
  loadContexts,
  type SendContext,
} from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import type { Channel, RefusedAction, Route, WaitingAction } from "#src/domain/engine/channel.ts";
import { MailInputError } from "#src/mime/input-error.ts";
import { nextTurn } from "#src/platform/next-turn.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { createHandOver, type ReadyMessage } from "./deliver.ts";
import { actionResult } from "./mail-result.ts";
import { letterOf, writeStep, type WrittenStep } from "./write-step.ts";

/** Writes campaign messages and hands them to the alias's relay. */
export function createEmailChannel(deps: Deps): Channel<SendContext, ReadyMessage> {
  const handOver = createHandOver(deps);
  /** Lets requests that were started before go out first: a Worker sends nothing while it composes letters. */
  let turn: Promise<void> | null = null;
  return {
    kind: "email",
    async load(sendIds) {
      const contexts = await loadContexts(deps.db, sendIds);
      await handOver.expect(contexts.map(({ alias }) => alias));
      return contexts;
    },
    routeOf: ({ workspace, alias }) => mailRoute({ workspaceId: workspace.id, ...alias }),
    async lastAttempts(sendIds, now) {
      const attempts = await findLastAttempts(deps.db, sendIds, now);
      return attempts.map(({ laneId, begunAt, endedAt, ...sender }) => ({
        laneId,
        route: mailRoute(sender),
        begunAt,
        endedAt,
      }));
    },
    targetOf: ({ lead }) => lead.email.slice(lead.email.lastIndexOf("@") + 1).toLowerCase(),
    async prepare(context, now) {
      if (context.lead.email === "") return NO_EMAIL;
      await (turn ??= nextTurn().finally(() => (turn = null)));
      const written = await tryWrite(context);
      if (!written.ok) return written;
      const { alias, lead, step } = context;
      const host = alias.email.split("@")[1]!;
      const messageId = await campaignMessageId(lead.campaignLeadId, step.step, host);
      const letter = letterOf(context, written, { messageId, to: lead.email, date: now });
      const message = await handOver.prepare(context, letter).catch((error: unknown) => {
        if (error instanceof MailInputError) return unwritable(error);
        throw error;
      });
      if ("ok" in message) return message;
      return {
        ok: true,
        ready: message,
        record: {
          messageId,
          subject: written.subject,
          html: written.html,
          variantLabel: written.variant.label,
          drawn: written.drawn,
          templateId: written.template?.id ?? null,
          templateVersion: written.template?.version ?? null,
          senderProfileId: written.profile?.id ?? null,
        },
      };
    },
    perform: async (message) => actionResult(await handOver.perform(message)),
    close: () => handOver.close(),
  };
}

/** A relay is a host; of a provider that is spoken to over HTTP there is one for all of its customers. */
function mailRoute({
  workspaceId,
  transportKind,
  transportSettings,
}: Pick<AliasContext, "transportKind" | "transportSettings"> & { workspaceId: string }): Route {
  const { host, port, username } = transportSettings as Record<string, unknown>;
  return {
    workspaceId,
    host: [transportKind, host].join(" "),
    account: [transportKind, host, port, username ?? workspaceId].join(" "),
  };
}

const NO_EMAIL: RefusedAction = {
  ok: false,
  skip: true,
  reason: "NO_EMAIL: the lead has no email address.",
};

/** Text and lead alone go in, so whatever is wrong is theirs. */
async function tryWrite(
  context: SendContext,
): Promise<WrittenStep | RefusedAction | WaitingAction> {
  try {
    return await writeStep(context);
  } catch (error) {
    return unwritable(error);
  }
}

const unwritable = (error: unknown): RefusedAction => ({
  ok: false,
  reason: `The message could not be written: ${String(error).slice(0, 300)}`,
  skip: false,
  ...(isOfSender(error) ? { isOfSender: true } : {}),
});

/** Fields of a message that come from its sender: every message of it would fail. */
const OF_THE_SENDER = ["From", "Reply-To"];

const isOfSender = (error: unknown): boolean =>
  error instanceof MailInputError && OF_THE_SENDER.includes(error.field);

/**
 * The Message-ID of a campaign message, without brackets: the same for every
 * attempt at (lead, step), so that receivers that de-duplicate collapse a
 * rare double, and unguessable enough to be matched in replies.
 */
export async function campaignMessageId(
  campaignLeadId: string,
  step: number,
  domain: string,
): Promise<string> {
  const digest = await sha256Hex(`message-id ${campaignLeadId} ${step}`);
  return `${digest.slice(0, 32)}@${domain}`;
}
