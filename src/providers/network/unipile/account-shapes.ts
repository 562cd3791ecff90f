import * as z from "zod";
import type { CheckpointType, Answer, Connection, SessionStatus } from "../index.ts";
import { refused } from "./failures.ts";
import { id, optionalId, optionalName } from "./values.ts";

const CHECKPOINTS: Readonly<Record<string, CheckpointType>> = {
  OTP: "otp",
  "2FA": "two_factor",
  IN_APP_VALIDATION: "in_app_validation",
  CAPTCHA: "captcha",
  PHONE_REGISTER: "phone_register",
};

export const connection = z.union([
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

export const account = z.object({
  id,
  name: optionalName,
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

export function connectionOf(answer: Answer<z.output<typeof connection>>): Answer<Connection> {
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
export function statusOf({ sources }: z.output<typeof account>): SessionStatus {
  const statuses = sources.map(({ status }) =>
    Object.hasOwn(STATUSES, status) ? STATUSES[status]! : "error",
  );
  return WORSENING.findLast((each) => statuses.includes(each)) ?? "connecting";
}
