import { claimRenewal, endRenewal, findLogin, type LoginRow } from "#db/senders/logins.ts";
import type { Deps } from "#src/deps.ts";
import type { TokenAnswer } from "#src/providers/oauth/index.ts";
import { tokenHostFault } from "./token-hosts.ts";
import { appOfLogin, isConsentEnded, keptOf, openTokens, sealTokens } from "./oauth-tokens.ts";

/** No token: its owner has to act (`account`), or what failed may recover by itself (`line`). */
export interface NoToken {
  ok: false;
  fault: "account" | "line";
  /** In plain words, fit for the account's owner. */
  message: string;
}
export type TokenResult = { ok: true; token: string } | NoToken;

/** A renewal's lease: other workers wait no longer for one that died. More than the provider takes to answer. */
const RENEWAL_MS = 20_000;
/** How long one waits for another's renewal, look by look. */
const LOOKS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];

/**
 * An access token of the alias for a login at `host`, good for some minutes: the stored one, or a fresh one where that has
 * expired or is the `refused` one. Of concurrent callers one asks the provider; the rest wait for its token.
 * `read` is the login as the caller has just read it. Throws when the vault or the database fails.
 */
export async function accessTokenOf(
  deps: Deps,
  { id, host }: { id: string; host: string },
  { refused, read }: { refused?: string | undefined; read?: LoginRow | undefined } = {},
): Promise<TokenResult> {
  const { clock, db } = deps;
  let first = read;
  for (const lookMs of [...LOOKS_MS, null]) {
    const login = first ?? (await findLogin(db, id));
    first = undefined;
    const kept = login && (await openTokens(deps, login));
    if (login === undefined || kept == null) return NOT_CONNECTED;
    const fault = tokenHostFault(login.provider, host, deps.settings);
    if (fault !== null) return { ok: false, fault: "account", message: fault };
    const now = clock.now();
    const { access } = kept;
    if (access !== undefined && access.token !== refused && new Date(access.renewAt) > now)
      return { ok: true, token: access.token };
    const until = new Date(now.getTime() + RENEWAL_MS);
    if (await claimRenewal(db, login, now, until)) {
      const renewed = await renew(deps, login, kept.refreshToken);
      if (renewed !== "changed") return renewed;
    } else if (lookMs !== null) {
      await clock.sleepUntil(new Date(clock.now().getTime() + lookMs));
    }
  }
  return TAKES_LONG;
}

const NOT_CONNECTED: NoToken = {
  ok: false,
  fault: "account",
  message:
    "Nobody has connected this mailbox yet: open the page that POST /mailer/aliases/{id}/oauth answers, and consent.",
};
const TAKES_LONG: NoToken = {
  ok: false,
  fault: "line",
  message: "The access to this mailbox is being renewed, which takes long; it is tried again.",
};

/** `changed`: the tokens were replaced since they were read. */
async function renew(
  deps: Deps,
  login: LoginRow,
  refreshToken: string,
): Promise<TokenResult | "changed"> {
  const app = await appOfLogin(deps, login);
  if (app === null) {
    await endRenewal(deps.db, login, null);
    return noApp(login);
  }
  const answer = await deps.oauth.renew(app, refreshToken);
  if (answer.kind === "granted") {
    const kept = keptOf(answer.tokens, deps.clock.now(), refreshToken);
    const sealed = await sealTokens(deps, login.aliasId, kept);
    const isKept = await keepRenewed(deps, login, sealed);
    return isKept ? { ok: true, token: answer.tokens.accessToken } : "changed";
  }
  // A new consent meanwhile has replaced these tokens, so that their refusal says nothing.
  if (!(await endRenewal(deps.db, login, null))) return "changed";
  const failure = failureOf(answer, login);
  deps.log.info("mail_oauth_not_renewed", {
    alias_id: login.aliasId,
    provider: login.provider,
    fault: failure.fault,
    error: answer.kind === "refused" ? answer.error : answer.kind,
  });
  return failure;
}

/** A provider may have ended the old refresh token by giving this one: what a database lost for a moment is tried again. */
async function keepRenewed(deps: Deps, login: LoginRow, sealed: string): Promise<boolean> {
  for (let left = 2; ; left--) {
    try {
      return await endRenewal(deps.db, login, sealed);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

const noApp = ({ provider }: LoginRow): NoToken => ({
  ok: false,
  fault: "account",
  message: `This deployment has no OAuth app for ${provider}, and the alias has none of its own: give oauth.client_id and oauth.client_secret, or ask its operator.`,
});

function failureOf(answer: Exclude<TokenAnswer, { kind: "granted" }>, login: LoginRow): NoToken {
  if (answer.kind === "forbidden")
    return {
      ok: false,
      fault: "account",
      message: `oauth.token_url cannot be used: ${answer.reason}`,
    };
  if (answer.kind === "unavailable")
    return {
      ok: false,
      fault: "line",
      message: `The access to this mailbox could not be renewed for now: ${answer.reason}. Nothing has to be done; it is tried again.`,
    };
  const said = answer.words === "" ? answer.error : `${answer.error}: "${answer.words}"`;
  if (isConsentEnded(answer))
    return {
      ok: false,
      fault: "account",
      message: `The consent for this mailbox has ended (${said}): it was taken back, ran out, or the password was changed. Connect it again by POST /mailer/aliases/{id}/oauth.`,
    };
  return login.clientId !== null
    ? {
        ok: false,
        fault: "account",
        message: `The OAuth app of this alias was refused (${said}): check oauth.client_id, oauth.client_secret and oauth.token_url.`,
      }
    : {
        ok: false,
        fault: "line",
        message: `This deployment's OAuth app for ${login.provider} was refused (${said}); its operator has to look after it.`,
      };
}
