import * as z from "zod";
import { ROLES } from "#src/domain/access/roles.ts";
import { requireAccount } from "#src/domain/access/workspace.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Plan = z.enum(["free", "paid"]);

const Verified = z
  .object({
    valid: z.literal(true),
    email: z.string().nullable(),
    subject: z.string(),
    issuer: z.string(),
    expires_at: instant,
    user_id: uuid,
    workspace_id: uuid,
    role: z.enum(ROLES),
    plan: Plan,
  })
  .openapi("VerifiedLogin");

const Me = z
  .object({
    id: uuid,
    email: z.string().nullable(),
    name: z.string().nullable(),
    workspace: z.object({ id: uuid, name: z.string(), plan: Plan, credits: z.int() }),
    created_at: instant,
  })
  .openapi("CurrentUser");

const tag = "Authentication and keys";

export const authRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/auth/verify",
    id: "verifyLogin",
    tag,
    summary: "Check a login token",
    description:
      "Email, subject, issuer and expiry come from the token, the rest from the database.",
    access: "jwt",
    envelope: "legacy",
    response: Verified,
    handler: async ({ principal, c }) => {
      // `access: "jwt"` let only logins through.
      const login = c.get("login")!;
      return {
        valid: true as const,
        email: login.email,
        subject: login.subject,
        issuer: login.issuer,
        expires_at: login.expiresAt.toISOString(),
        user_id: principal.userId,
        workspace_id: principal.workspaceId,
        role: principal.role,
        plan: principal.plan,
      };
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/auth/me",
    id: "getCurrentUser",
    scope: "any",
    tag,
    summary: "The current user; with an API key, the one who created it",
    envelope: "legacy",
    response: Me,
    handler: async ({ deps, principal }) => {
      const account = await requireAccount(deps, principal);
      return {
        id: account.id,
        email: account.email,
        name: account.name,
        workspace: {
          id: account.workspaceId,
          name: account.workspaceName,
          plan: account.plan,
          credits: account.credits,
        },
        created_at: account.createdAt.toISOString(),
      };
    },
  }),
];
