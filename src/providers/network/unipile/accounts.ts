import { z } from "zod";
import type {
  Answer,
  CheckpointType,
  Connection,
  Credentials,
  NetworkAccount,
  NetworkAccounts,
  SessionStatus,
} from "../index.ts";
import { failed, refused } from "./failures.ts";
import { isMissing, orAccountGone } from "./missing.ts";
import type { Unipile } from "./pages.ts";
import { ownProfile, profileUrlOf } from "./profiles.ts";
import { id, optionalId, optionalText } from "./values.ts";

const PROVIDER = "LINKEDIN";

const CHECKPOINTS: Readonly<Record<string, CheckpointType>> = {
  OTP: "otp",
  "2FA": "two_factor",
  IN_APP_VALIDATION: "in_app_validation",
  CAPTCHA: "captcha",
  PHONE_REGISTER: "phone_register",
};

const connection = z.union([
  z.object({
    object: z.literal("Checkpoint"),
    account_id: id,
    checkpoint: z.object({ type: z.string() }),
  }),
  z.object({ object: z.enum(["AccountCreated", "AccountReconnected"]), account_id: id }),
]);

/** From best to worst: an account is as well as the worst of its sources. */
const WORSENING = ["connected", "connecting", "error", "disconnected"] as const;
const STATUSES: Readonly<Record<string, SessionStatus>> = {
  OK: "connected",
  CONNECTING: "connecting",
  CREDENTIALS: "disconnected",
  PERMISSIONS: "disconnected",
  ERROR: "error",
  STOPPED: "error",
};

const account = z.object({
  id,
  name: optionalText,
  sources: z.array(z.object({ status: z.string() })).catch([]),
  connection_params: z
    .object({
      im: z
        .object({
          id: optionalId,
          publicIdentifier: optionalId,
          premiumFeatures: z.array(z.string()).nullish().catch(null),
        })
        .catch({ id: null, publicIdentifier: null, premiumFeatures: null }),
    })
    .catch({ im: { id: null, publicIdentifier: null, premiumFeatures: null } }),
});

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

function connectionOf(answer: Answer<z.output<typeof connection>>): Answer<Connection> {
  if (!answer.ok) return answer;
  const { value } = answer;
  const accountId = value.account_id;
  if (value.object !== "Checkpoint") return { ok: true, value: { state: "connected", accountId } };
  const type = Object.hasOwn(CHECKPOINTS, value.checkpoint.type)
    ? CHECKPOINTS[value.checkpoint.type]
    : undefined;
  if (type === undefined)
    return refused(
      "unknown_checkpoint",
      "The network asks for something that cannot be answered here: sign in there once, then try again",
    );
  return { ok: true, value: { state: "checkpoint", accountId, type } };
}

/** A status that is new to us is no reason to send. */
function statusOf({ sources }: z.output<typeof account>): SessionStatus {
  const statuses = sources.map(({ status }) =>
    Object.hasOwn(STATUSES, status) ? STATUSES[status]! : "error",
  );
  return WORSENING.findLast((each) => statuses.includes(each)) ?? "connecting";
}

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
