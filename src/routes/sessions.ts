import * as z from "zod";
import { ROLES } from "#src/domain/access/roles.ts";
import { joinedWorkspaces } from "#src/domain/workspace/members/members.ts";
import { conflict } from "#src/errors.ts";
import { beginSession, chooseWorkspace, revokeSessions } from "#src/domain/access/sessions.ts";
import type { Principal } from "#src/deps.ts";
import { Deleted, instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import { dropSession, keepSession, refuseForeignPage } from "#src/http/session-cookie.ts";

const Config = z
  .object({
    login: z
      .boolean()
      .describe("Whether people can sign in at the deployment's identity provider."),
    paste: z.literal(true).describe("A key or a login token can be pasted."),
    issuer: z.string().optional().describe("Who people sign in with."),
  })
  .openapi("SignInConfig", {
    example: { login: true, paste: true, issuer: "https://login.example.com" },
  });

const Credential = z
  .object({
    credential: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9._~+/=-]{1,8192}$/, "must be an API key or a login token")
      .describe("An API key, or a login token (a JWT of the deployment's issuer)."),
  })
  .openapi("SessionCreate", {
    example: { credential: "svc_live_2b7Wn5TzQ0c9m1Xh8RkLJ4dYvA6sPfEuGiOoCqHtNw3" },
  });

const Session = z
  .object({
    via: z
      .enum(["login", "key"])
      .describe("A session of a key can do what the key can, so that it makes no keys."),
    user_id: uuid,
    workspace_id: uuid,
    role: z.enum(ROLES).describe("In that workspace; of a key, of who made it."),
    plan: z.enum(["free", "paid"]),
    expires_at: instant
      .nullable()
      .describe(
        "When it is over, at most 12 hours after its beginning unless the operator says otherwise; null: a bearer asks.",
      ),
  })
  .openapi("Session");

const toWire = ({ via, userId, workspaceId, role, plan }: Principal, expiresAt: Date | null) => ({
  via: via === "key" ? ("key" as const) : ("login" as const),
  user_id: userId,
  workspace_id: workspaceId,
  role,
  plan,
  expires_at: expiresAt?.toISOString() ?? null,
});

const Choice = z.object({ workspace_id: uuid }).openapi("SessionChange");

const Joined = z
  .object({
    items: z.array(
      z.object({
        id: uuid,
        name: z.string(),
        plan: z.enum(["free", "paid"]),
        role: z.enum(ROLES),
        is_current: z.boolean(),
      }),
    ),
  })
  .openapi("JoinedWorkspaces");

const PATH = "/api/v1/auth/session";
const tag = "Authentication and keys";

export const sessionRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/auth/config",
    id: "getSignInConfig",
    tag,
    summary: "How people sign in to the console here",
    access: "public",
    response: Config,
    handler: async ({ deps: { oidc } }) => ({
      login: oidc !== null,
      paste: true as const,
      ...(oidc !== null && { issuer: oidc.issuer }),
    }),
  }),
  operation({
    method: "post",
    path: PATH,
    id: "beginSession",
    tag,
    summary: "Sign in to the console by a key or a login token",
    description:
      "The session is a cookie that no script can read and that counts for this service's own pages alone. It ends after 12 hours unless the operator says otherwise, or with its key or token.",
    access: "public",
    isForm: true,
    body: Credential,
    status: 201,
    response: Session,
    sends: ["Set-Cookie"],
    errors: [401, 403, 503],
    handler: async ({ deps, body, c }) => {
      refuseForeignPage(c);
      const { sealed, expiresAt, principal } = await beginSession(deps, body.credential);
      keepSession(c, sealed, expiresAt);
      return new Answer(201, toWire(principal, expiresAt));
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "getSession",
    scope: "any",
    tag,
    summary: "Who is signed in, by what, and until when",
    response: Session,
    handler: async ({ principal, c }) => {
      const session = c.get("session");
      return toWire(principal, session === undefined ? null : new Date(session.until));
    },
  }),
  operation({
    method: "patch",
    path: PATH,
    id: "chooseWorkspace",
    tag,
    summary: "Go on in another workspace of this login",
    description:
      "For a session; a login token says the workspace with each request, by the header `Overture-Workspace`. A session ends when its login is taken out of the workspace that it is in.",
    access: "jwt",
    // It writes nothing, so that a repetition does it again: no answer is kept with a cookie in it.
    claims: "effect",
    body: Choice,
    response: Session,
    sends: ["Set-Cookie"],
    errors: [409],
    handler: async ({ body, c }) => {
      const session = c.get("session");
      if (session?.kind !== "login")
        throw conflict(
          "NO_SESSION",
          "Only a session of the console is in a workspace: send the header Overture-Workspace with your login token.",
        );
      // Not by the handler's own, with which the note of when the member was last there would use the key.
      const { sealed, expiresAt, principal } = await chooseWorkspace(
        c.get("deps"),
        session,
        body.workspace_id,
      );
      keepSession(c, sealed, expiresAt);
      return toWire(principal, expiresAt);
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/auth/workspaces",
    id: "listJoinedWorkspaces",
    tag,
    summary: "The workspaces that this login is a member of",
    description: "The first is its own: the one that it is in where none is named.",
    access: "jwt",
    response: Joined,
    handler: async ({ deps, principal }) => ({
      items: (await joinedWorkspaces(deps, principal)).map((each) => ({
        ...each,
        is_current: each.id === principal.workspaceId,
      })),
    }),
  }),
  operation({
    method: "delete",
    path: PATH,
    id: "endSession",
    tag,
    summary: "Sign out of the console",
    description: "In this browser. Signing out where nobody is signed in changes nothing.",
    access: "public",
    response: Deleted,
    sends: ["Set-Cookie"],
    errors: [403],
    handler: async ({ c }) => {
      refuseForeignPage(c);
      dropSession(c);
      return { success: true as const };
    },
  }),
  operation({
    method: "post",
    path: "/api/v1/auth/sessions/revoke",
    id: "revokeSessions",
    tag,
    summary: "Sign out everywhere",
    description:
      "Every session of this login ends, in whatever browser. Keys and login tokens go on; a session of a key ends when the key is revoked.",
    access: "jwt",
    claims: "effect",
    response: Deleted,
    sends: ["Set-Cookie"],
    handler: async ({ deps, principal, c }) => {
      await revokeSessions(deps, principal);
      if (c.get("session") !== undefined) dropSession(c);
      return { success: true as const };
    },
  }),
];
