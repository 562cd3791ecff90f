import * as z from "zod";
import { changeWorkspace, requireWorkspace, type Workspace } from "#src/domain/access/workspace.ts";
import { deleteWorkspace } from "#src/domain/workspace/delete-workspace.ts";
import { camelKeys } from "#src/http/case.ts";
import { Deleted, optionalText, ownedFields, text, timeZone } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Change = z
  .object({
    name: text(255).optional(),
    timezone: timeZone
      .optional()
      .describe("IANA name. Daily caps of aliases and accounts count by dates of this zone."),
    postal_address: optionalText(500).describe(
      "Put into the footer of campaign mail, where anti-spam law asks for one.",
    ),
  })
  .openapi("WorkspaceChange");

const Body = z
  .object({
    ...ownedFields,
    name: z.string(),
    timezone: z.string(),
    postal_address: z.string().nullable(),
  })
  .openapi("Workspace");

const toWire = (workspace: Workspace) => ({
  id: workspace.id,
  user_id: workspace.ownerUserId,
  workspace_id: workspace.id,
  created_at: workspace.createdAt.toISOString(),
  updated_at: workspace.updatedAt.toISOString(),
  name: workspace.name,
  timezone: workspace.timezone,
  postal_address: workspace.postalAddress,
});

const PATH = "/api/v1/workspace";
const tag = "Workspace";

export const workspaceRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "getWorkspace",
    scope: "any",
    tag,
    summary: "Get the workspace",
    response: Body,
    handler: async ({ deps, principal }) => toWire(await requireWorkspace(deps, principal)),
  }),
  operation({
    method: "patch",
    path: PATH,
    id: "changeWorkspace",
    scope: "workspace:write",
    tag,
    summary: "Change the workspace",
    claims: "effect",
    body: Change,
    response: Body,
    handler: async ({ deps, principal, body }) =>
      toWire(await changeWorkspace(deps, principal, camelKeys(body))),
  }),
  operation({
    method: "delete",
    path: PATH,
    id: "deleteWorkspace",
    tag,
    summary: "Delete the workspace",
    description:
      "Nothing of it begins after the answer: campaigns stop, queued and scheduled emails are cancelled, posts, imports, verifications and " +
      "runs end, sessions of connected accounts are closed, and all API keys are revoked. Its data is erased after 30 days; until then " +
      "this login gets 401 `WORKSPACE_DELETED`, the operator can restore the workspace, and links in mail that was sent work.",
    access: "jwt",
    claims: "effect",
    response: Deleted,
    handler: async ({ deps, principal }) => {
      await deleteWorkspace(deps, principal);
      return { success: true as const };
    },
  }),
];
