import type { AliasContext } from "#db/engine/index.ts";
import type { SigningDomain } from "#db/base/fragments/domain-keys.ts";
import type { Deps } from "#src/deps.ts";
import { answerOf } from "#src/domain/engine/outcome.ts";
import type { NoToken } from "#src/domain/senders/access-token.ts";
import { createLogins, withLogin } from "#src/domain/senders/account-login.ts";
import { openAccount } from "#src/domain/senders/alias-account.ts";
import { openDomainSigners } from "#src/domain/senders/domain-signers.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { createTrackTokens, numberOfCell } from "#src/domain/messages/tracking/track-token.ts";
import { normalizeEmail } from "#src/mime/address.ts";
import type { DkimSigner } from "#src/mime/dkim.ts";
import {
  type MailAccount,
  type OutgoingRaw,
  type SendResult,
  TRANSPORT_TRAITS,
} from "#src/providers/mail/index.ts";
import {
  type ComposedMessage,
  type FinishOptions,
  finishMessage,
  type RenderedMessage,
} from "./compose.ts";

/** An alias with its account, and the record of its domain if there is one. */
export interface Sender {
  alias: AliasContext;
  domain: SigningDomain | null;
}

/** The parts of a letter that come from its sender, or from the service in the sender's name. */
type SenderPart =
  | "from"
  | "to"
  | "replyTo"
  | "tokens"
  | "trackingBaseUrl"
  | "unsubscribeAddress"
  | "dkim";

/** A message as its writer leaves it, before the sending alias is known. */
export interface Letter extends RenderedMessage, Omit<FinishOptions, SenderPart> {
  to: string;
}

/** Finished bytes with their envelope, and the account's secret open: only a login can still fail before the send. */
export interface ReadyMessage extends ComposedMessage {
  aliasId: string;
  account: MailAccount;
  outgoing: OutgoingRaw;
}

/** Delivers all mail of the service. One per tick or request: its connections belong to the invocation. */
export interface HandOver {
  /** Reads at once what the accounts of many senders are logged in to by. */
  expect(aliases: readonly AliasContext[]): Promise<void>;
  /** Signs and addresses a letter and opens its account; sends nothing. */
  prepare(sender: Sender, letter: Letter): Promise<ReadyMessage>;
  /** At most one attempt, once what it stands for is recorded as begun. Never throws. */
  perform(message: ReadyMessage): Promise<SendResult>;
  close(): Promise<void>;
}

/** Accounts and keys are opened once, transport and what it leaves of a message are the alias's. */
export function createHandOver(deps: Deps): HandOver {
  const transport = deps.openMail();
  const returnPaths = createReturnPathTokens(deps.settings.trackingSecrets);
  const finish = createFinish(deps);
  const logins = createLogins(deps);
  const accounts = new Map<string, Promise<MailAccount>>();
  const signers = new Map<string, Promise<DkimSigner[]>>();
  return {
    expect: logins.read,
    async prepare(sender, letter) {
      const { alias, domain } = sender;
      const { keepsMessage, takesReturnPath } = TRANSPORT_TRAITS[alias.transportKind];
      const returnPath =
        domain?.returnPath == null
          ? null
          : await returnPaths.address(letter.sendId, domain.returnPath);
      const message = await finish(sender, letter, {
        dkim:
          domain === null || !keepsMessage
            ? []
            : await once(signers, domain.id, () => openDomainSigners(deps, domain)),
        ...(returnPath === null ? {} : { unsubscribeAddress: returnPath }),
      });
      const from = (takesReturnPath ? returnPath : null) ?? alias.email;
      const { sendId: id, to } = letter;
      return {
        ...message,
        aliasId: alias.id,
        account: await once(accounts, alias.id, () => openAccount(deps, alias)),
        outgoing: { id, from, to: normalizeEmail(to, "To"), raw: message.raw },
      };
    },
    // The login is here and not in `prepare`: a token's renewal delays only its own alias's message.
    perform: ({ aliasId, account, outgoing }) =>
      answerOf(async () =>
        resultOf(
          await withLogin(logins, aliasId, account, (ready) => transport.send(ready, outgoing)),
        ),
      ),
    close: () => transport.close(),
  };
}

/** Without a token the relay was not contacted: the message is unsent. */
function resultOf(result: SendResult | NoToken): SendResult {
  if (!("ok" in result)) return result;
  const { fault, message: reply } = result;
  return fault === "account"
    ? { state: "deferred", scope: "sender", stage: "open", reply, accountError: reply }
    : { state: "deferred", scope: "connection", stage: "open", reply };
}

/** A letter as it would go out, for eyes alone: it is never signed. */
export const previewLetter = (
  deps: Deps,
  sender: Sender,
  letter: Letter,
): Promise<ComposedMessage> => createFinish(deps)(sender, letter, { dkim: [] });

/** Puts what names the sender and the service's own addresses into a letter. */
function createFinish({ settings }: Deps) {
  const tokens = createTrackTokens(
    settings.trackingSecrets,
    settings.cell === null ? undefined : numberOfCell(settings.cell.name),
  );
  return (
    { alias, domain }: Sender,
    letter: Letter,
    signing: Pick<FinishOptions, "dkim" | "unsubscribeAddress">,
  ) =>
    finishMessage(letter, {
      ...letter,
      ...signing,
      from: { name: alias.displayName, email: alias.email },
      to: { email: letter.to },
      ...(alias.replyTo === null ? {} : { replyTo: { email: alias.replyTo } }),
      tokens,
      trackingBaseUrl: trackingBaseOf(settings, domain),
    });
}

/** Where the tracked links of a domain's mail go: to the domain's own host, if it has one that leads here. */
function trackingBaseOf(
  { trackingBaseUrl, trackingOnDomains }: Deps["settings"],
  domain: SigningDomain | null,
): string {
  const host = trackingOnDomains ? domain?.trackingHost : null;
  if (host == null) return trackingBaseUrl;
  const base = new URL(trackingBaseUrl);
  base.hostname = host;
  return base.href.replace(/\/$/, "");
}

function once<T>(known: Map<string, Promise<T>>, id: string, open: () => Promise<T>): Promise<T> {
  const opened = known.get(id) ?? open();
  known.set(id, opened);
  return opened;
}
