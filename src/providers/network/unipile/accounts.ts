import * as z from "zod";
import type { Answer, Connection, Credentials, NetworkAccount, NetworkAccounts } from "../index.ts";
import { account, connection, connectionOf, statusOf } from "./account-shapes.ts";
import { failed } from "./failures.ts";
import { isMissing, orAccountGone } from "./missing.ts";
import type { Unipile } from "./pages.ts";
import { ownProfile, profileUrlOf } from "./profiles.ts";

const PROVIDER = "LINKEDIN";

export function createAccounts(unipile: Unipile): NetworkAccounts {
  const { ask } = unipile;

  async function signIn(path: string[], credentials: Credentials): Promise<Answer<Connection>> {
    if (!isUserName(credentials.username)) return noUserName();
    const body = { provider: PROVIDER, ...credentials, disabled_features: UNUSED };
    return connectionOf(
      await ask({ purpose: "login", method: "POST", path, body, shape: connection }),
    );
  }

  async function read(accountId: string): Promise<Answer<z.output<typeof account> | null>> {
    const path = ["accounts", accountId];
    const answer = await ask({ purpose: "read", method: "GET", path, shape: account });
    return isMissing(answer) ? { ok: true, value: null } : answer;
  }

  /** An approval elsewhere shows in the account's status alone. */
  async function approvalOf(accountId: string): Promise<Answer<Connection>> {
    const answer = await read(accountId);
    if (!answer.ok) return answer;
    return answer.value !== null && statusOf(answer.value) === "connected"
      ? { ok: true, value: { state: "connected", accountId } }
      : { ok: true, value: { state: "checkpoint", accountId, type: "in_app_validation" } };
  }

  return {
    connect: (credentials) => signIn(["accounts"], credentials),
    reconnect: async (accountId, credentials) =>
      orAccountGone(await signIn(["accounts", accountId], credentials)),

    async solveCheckpoint(accountId, code) {
      if (code === "") return approvalOf(accountId);
      const body = { provider: PROVIDER, account_id: accountId, code };
      const path = ["accounts", "checkpoint"];
      return connectionOf(
        await ask({ purpose: "login", method: "POST", path, body, shape: connection }),
      );
    },

    async get(accountId) {
      const answer = await read(accountId);
      if (!answer.ok || answer.value === null) return answer as Answer<null>;
      return { ok: true, value: await described(unipile, answer.value) };
    },

    async remove(accountId) {
      const path = ["accounts", accountId];
      const answer = await ask({ purpose: "act", method: "DELETE", path, shape: z.unknown() });
      return answer.ok || isMissing(answer) ? { ok: true, value: null } : answer;
    },
  };
}

/** Only the network's ordinary side is used; sessions of its paid ones would be ended elsewhere by ours. */
const UNUSED = ["linkedin_recruiter", "linkedin_sales_navigator"];

/** What the API takes for one. */
const isUserName = (text: string) => /^\S+@\S+$|^\+?[\d\s]+$/.test(text);

const noUserName = () =>
  failed({
    kind: "refused_login",
    reason: "credentials",
    code: "user_name",
    detail: "The user name has to be an email address or a telephone number",
  });

/** Older answers lack what its own profile has; where that cannot be had either, what is known stands. */
async function described(
  unipile: Unipile,
  found: z.output<typeof account>,
): Promise<NetworkAccount> {
  const { id: personId, publicIdentifier, premiumFeatures } = found.connection_params.im;
  const status = statusOf(found);
  const isComplete = publicIdentifier !== null && premiumFeatures != null;
  const own = status === "connected" && !isComplete ? await ownProfile(unipile, found.id) : null;
  const identifier = publicIdentifier ?? own?.publicIdentifier ?? null;
  return {
    id: found.id,
    status,
    personId: personId ?? own?.id ?? null,
    displayName: own?.name ?? found.name,
    profileUrl: own?.profileUrl ?? profileUrlOf(identifier),
    publicIdentifier: identifier,
    isPremium: premiumFeatures != null ? premiumFeatures.length > 0 : (own?.isPremium ?? false),
  };
}
