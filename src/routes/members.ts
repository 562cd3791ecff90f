import * as z from "zod";
import { ROLES } from "#src/domain/access/roles.ts";
import {
  acceptInvitation,
  invite,
  type Invitation,
  listInvitations,
  withdrawInvitation,
} from "#src/domain/workspace/members/invitations.ts";
import {
  changeRole,
  listMembers,
  type Member,
  removeMember,
} from "#src/domain/workspace/members/members.ts";
import { snakeKeys } from "#src/http/case.ts";
import { Deleted, done, instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { emailKey } from "#src/mime/email-key.ts";

const role = z
  .enum(ROLES)
  .describe(
    "`viewer` reads; `member` works with campaigns, leads, drafts, conversations and templates; `admin` may do all but delete the workspace and touch owners; `owner` everything.",
  );

const MemberBody = z
  .object({
    user_id: uuid,
    email: z.string().nullable(),
    name: z.string().nullable(),
    role,
    joined_at: instant,
    last_seen_at: instant.nullable().describe("By a login; written at most every five minutes."),
  })
  .openapi("Member");

const Change = z.object({ role }).openapi("MemberChange", { example: { role: "member" } });

const Invite = z
  .object({
    email: z
      .string()
      .max(320)
      .refine((address) => emailKey(address) !== null, "is not a plain email address")
      .openapi({ format: "email" })
      .describe("Only a login with this address, verified by its issuer, can accept."),
    role,
  })
  .openapi("InvitationCreate", { example: { email: "grace@example.com", role: "member" } });

const invitationFields = {
  id: uuid,
  email: z.string(),
  role,
  invited_by: uuid,
  created_at: instant,
  expires_at: instant.describe("Seven days after it was made; then its link says so."),
};
const InvitationBody = z.object(invitationFields).openapi("Invitation");
const InvitationMade = z
  .object({
    ...invitationFields,
    url: z.string().describe("The link, shown this once; it is good once."),
    mailed: z.boolean().describe("Whether it is mailed; false where the deployment has no relay."),
  })
  .openapi("InvitationCreated", {
    example: {
      id: "01a1fc0c-6921-718e-aa4a-ab45df202f28",
      email: "grace@example.com",
      role: "member",
      invited_by: "01a1fc0c-6921-718e-aa4a-ab45df202f29",
      created_at: "2027-01-04T09:00:00.000Z",
      expires_at: "2027-01-11T09:00:00.000Z",
      url: "https://overture.example.com/console/invitations/3q2-7wB6yVhT0mXcLr5sN8dKfJpQaZ1eUoGiYxWvHtM",
      mailed: true,
    },
  });
const Accepted = z
  .object({ workspace_id: uuid, workspace_name: z.string(), role })
  .openapi("InvitationAccepted", {
    example: {
      workspace_id: "01a1fc0c-6921-718e-aa4a-ab45df202f28",
      workspace_name: "Analytical Engines",
      role: "member",
    },
  });

const memberOf = (member: Member): z.input<typeof MemberBody> => snakeKeys(member);
const invitationOf = ({ id, email, role: as, userId, createdAt, expiresAt }: Invitation) => ({
  id,
  email,
  role: as,
  invited_by: userId,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});

const MEMBERS = "/api/v1/workspace/members";
const INVITATIONS = "/api/v1/workspace/invitations";
const tag = "Members";
const params = z.object({ user_id: uuid });

export const memberRoutes: Mount[] = [
  operation({
    method: "get",
    path: MEMBERS,
    id: "listMembers",
    scope: "members:read",
    tag,
    summary: "Who works in the workspace, and as what",
    list: { by: "user_id" },
    response: z.array(MemberBody),
    handler: async ({ deps, principal, part }) =>
      (await listMembers(deps, principal, part)).map(memberOf),
  }),
  operation({
    method: "patch",
    path: `${MEMBERS}/{user_id}`,
    id: "changeMember",
    scope: "members:write",
    tag,
    summary: "Change what a member may do",
    description:
      "It holds from the next request on, for keys that they made too. Only an owner makes owners, or touches one; the last owner stays one: 409 `LAST_OWNER`. Admins and owners are made and changed by a login: an API key, or a token that was granted scopes, is 403 `JWT_REQUIRED`.",
    claims: "effect",
    params,
    body: Change,
    response: MemberBody,
    errors: [409],
    handler: async ({ deps, principal, params: { user_id }, body }) =>
      memberOf(await changeRole(deps, principal, user_id, body.role)),
  }),
  operation({
    method: "delete",
    path: `${MEMBERS}/{user_id}`,
    id: "removeMember",
    scope: "members:write",
    tag,
    summary: "Take a member out, or leave",
    description:
      "Their sessions here end, and the keys that they made are revoked. Everybody may leave; the last owner stays: 409 `LAST_OWNER`. Admins and owners are taken out by a login: an API key, or a token that was granted scopes, is 403 `JWT_REQUIRED`.",
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params: { user_id } }) =>
      done(removeMember(deps, principal, user_id)),
  }),
  operation({
    method: "get",
    path: INVITATIONS,
    id: "listInvitations",
    scope: "members:read",
    tag,
    summary: "Who was invited and has not come yet",
    list: { by: "id" },
    response: z.array(InvitationBody),
    handler: async ({ deps, principal, part }) =>
      (await listInvitations(deps, principal, part)).map(invitationOf),
  }),
  operation({
    method: "post",
    path: INVITATIONS,
    id: "invite",
    scope: "members:write",
    tag,
    summary: "Invite somebody by email",
    description:
      "The link is good for seven days and once. Another invitation of the same address takes the place of the one before. Nobody invites to more than they are themselves.",
    limit: "invitations",
    claims: "effect",
    shownOnce: ["url"],
    body: Invite,
    status: 201,
    response: InvitationMade,
    errors: [409],
    handler: async ({ deps, principal, body }) => {
      const { url, isMailed, ...made } = await invite(deps, principal, body);
      return { ...invitationOf(made), url, mailed: isMailed };
    },
  }),
  operation({
    method: "delete",
    path: `${INVITATIONS}/{invitation_id}`,
    id: "withdrawInvitation",
    scope: "members:write",
    tag,
    summary: "Withdraw an invitation; its link ends",
    claims: "effect",
    params: z.object({ invitation_id: uuid }),
    response: Deleted,
    handler: ({ deps, principal, params: { invitation_id } }) =>
      done(withdrawInvitation(deps, principal, invitation_id)),
  }),
];

export const invitationRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/invitations/{token}/accept",
    id: "acceptInvitation",
    tag,
    summary: "Accept an invitation, with the login that was invited",
    description:
      "Another address is 403 `INVITATION_OF_ANOTHER`, one that its issuer has not verified 403 `EMAIL_NOT_VERIFIED`. Who is a member already stays what they are.",
    access: "jwt",
    claims: "effect",
    params: z.object({
      token: z
        .string()
        .regex(/^[A-Za-z0-9_-]{20,64}$/, "must be the last part of the invitation's link")
        .openapi({ example: "3q2-7wB6yVhT0mXcLr5sN8dKfJpQaZ1eUoGiYxWvHtM" }),
    }),
    response: Accepted,
    handler: async ({ deps, principal, params: { token }, c }) => {
      // `access: "jwt"` let only logins through.
      const joined = await acceptInvitation(deps, principal, token, c.get("login")!);
      return snakeKeys(joined);
    },
  }),
];
