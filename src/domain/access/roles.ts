import { ROLES, type Role } from "#db/schema/index.ts";
import type { NeededScope } from "./scopes.ts";

export { ROLES, type Role } from "#db/schema/index.ts";

/** The least role that may do what a scope opens, for a login as for a key that its holder made. */
const OF_SCOPES: Record<Exclude<NeededScope, "unscoped">, Role> = {
  any: "viewer",
  "campaigns:read": "viewer",
  "campaigns:write": "member",
  "campaigns:send": "member",
  "leads:read": "viewer",
  "leads:write": "member",
  "mailer:read": "viewer",
  "mailer:write": "admin",
  "mailer:send": "member",
  "network:read": "viewer",
  "network:send": "member",
  "posts:write": "member",
  "conversations:read": "viewer",
  "conversations:write": "member",
  "conversations:send": "member",
  "personalize:run": "member",
  "verify:run": "member",
  "billing:read": "viewer",
  "billing:write": "admin",
  "events:read": "viewer",
  "webhooks:read": "viewer",
  "webhooks:write": "admin",
  // One's own.
  "notifications:write": "viewer",
  "sheets:read": "viewer",
  "members:read": "viewer",
  "members:write": "admin",
  "workspace:write": "admin",
};

/** Operations, by their id, that no scope opens, or that need another role than their scope. */
const OF_OPERATIONS: Record<string, Role> = {
  verifyLogin: "viewer",
  revokeSessions: "viewer",
  chooseWorkspace: "viewer",
  listJoinedWorkspaces: "viewer",
  acceptInvitation: "viewer",
  createApiKey: "admin",
  listApiKeys: "admin",
  listConfirmations: "viewer",
  approveConfirmation: "member",
  declineConfirmation: "member",
  revokeApiKey: "admin",
  deleteWorkspace: "owner",
  // It shows what the scopes of members open as well: prompts and drafts, verifications.
  exportLead: "member",
  // Each member may leave; which others an admin may take out is decided in the domain.
  removeMember: "viewer",
  connectAccount: "admin",
  reconnectAccount: "admin",
  answerCheckpoint: "admin",
  deleteConnectedAccount: "admin",
  changeConnectedAccount: "admin",
};

/** What an operation needs of its caller; undefined where it was not decided. */
export const neededRole = (id: string, scope: NeededScope | undefined): Role | undefined =>
  OF_OPERATIONS[id] ?? (scope === undefined || scope === "unscoped" ? undefined : OF_SCOPES[scope]);

/** The operations that are named here. */
export const OPERATIONS_WITH_ROLE: readonly string[] = Object.keys(OF_OPERATIONS);

export const hasRole = ({ role }: { role: Role }, needed: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(needed);
