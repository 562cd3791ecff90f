import * as z from "zod";
import { AppError } from "#src/errors.ts";
import { assessBy } from "#src/domain/research/verification/assess-by.ts";
import type { AppContext } from "#src/http/context.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { verdictFields } from "./verdict-fields.ts";

/** Any text: what is no address is an answer, too. */
const Asked = z
  .object({ email: z.string().max(320) })
  .openapi("PaidEmail", { example: { email: "anna@corp.zz" } });

const Verified = z
  .object({ result: z.enum(["valid", "invalid"]), backend: verdictFields.backend })
  .openapi("PaidEmailVerification");

const NotDefinitive = z
  .object({
    detail: z.object({
      error: z.literal("ERR_EMAIL_VERIFY_NOT_DEFINITIVE"),
      result: z.enum(["catch_all", "unknown"]),
      is_catch_all: z.boolean().nullable(),
    }),
  })
  .openapi("EmailVerifyNotDefinitive");

const Validated = z
  .object({
    valid_format: z.boolean(),
    has_mx: z.boolean().describe("False where it was not looked up."),
    is_disposable: z.boolean(),
    is_role: z.boolean(),
    risk_level: z.enum(["safe", "risky", "invalid"]),
  })
  .openapi("PaidEmailValidation");

const tag = "Paid calls";
const body = { email: "anna@corp.zz" };

const notDefinitive = (c: AppContext, detail: { result: string; is_catch_all: boolean | null }) =>
  c.json({ detail: { error: "ERR_EMAIL_VERIFY_NOT_DEFINITIVE", ...detail } }, 422);

export const paidVerificationRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/x402/v1/email/verify",
    id: "buyEmailVerification",
    tag,
    summary: "Verify an email address (0.005 USDC a call)",
    description:
      "Charged for `valid` and `invalid`. A domain that takes everything and a host that gives no clear answer are 422 `ERR_EMAIL_VERIFY_NOT_DEFINITIVE`, not charged.",
    access: "wallet",
    sells: {
      call: "email/verify",
      example: { body, response: { result: "valid", backend: "smtp" } },
    },
    body: Asked,
    response: Verified,
    refusal: NotDefinitive,
    handler: async ({ deps, body: { email }, deadline, c }) => {
      const { result, backend, is_catch_all } = await assessBy(deps, email, deadline);
      return result === "valid" || result === "invalid"
        ? { result, backend }
        : notDefinitive(c, { result, is_catch_all });
    },
  }),
  operation({
    method: "post",
    path: "/api/x402/v1/email/validate",
    id: "buyEmailValidation",
    tag,
    summary: "Judge an email address (0.003 USDC a call)",
    description:
      "Syntax, lists and mail hosts, as one level of risk. 503, not charged, when its mail hosts give no answer.",
    access: "wallet",
    sells: {
      call: "email/validate",
      example: {
        body,
        response: {
          valid_format: true,
          has_mx: true,
          is_disposable: false,
          is_role: false,
          risk_level: "safe",
        },
      },
    },
    body: Asked,
    response: Validated,
    handler: async ({ deps, body: { email }, deadline }) => {
      const { valid_format, has_mx, is_disposable, is_role, risk_level } = await assessBy(
        deps,
        email,
        deadline,
      );
      if (risk_level === null) throw noAnswer();
      return { valid_format, has_mx: has_mx ?? false, is_disposable, is_role, risk_level };
    },
  }),
];

const noAnswer = () =>
  new AppError(
    "unavailable",
    "SMTP_UNAVAILABLE",
    "The address's mail hosts gave no answer. Nothing was charged; they may in a few minutes.",
    { retryAfter: 60 },
  );
