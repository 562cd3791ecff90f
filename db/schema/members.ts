import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";
import { users, workspaces } from "./workspaces.ts";

/** From the least to the most: each may do what those before it may. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Who works in a workspace, and as what. A workspace has an owner at any time. */
export const workspaceMembers = pgTable(
  "workspace_members",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    role: text("role", { enum: ROLES }).notNull(),
    joinedAt: instant("joined_at").notNull(),
    /** By a login, written at most every five minutes. */
    lastSeenAt: instant("last_seen_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.userId] }),
    oneOf("workspace_members_role", table.role, ROLES),
    index("workspace_members_user").on(table.userId),
  ],
);

/** People who were asked to join. What is taken or withdrawn is gone; of the link there is its SHA-256 (hex) alone. */
export const workspaceInvitations = pgTable(
  "workspace_invitations",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    /** Who invited. */
    userId: uuid("user_id").notNull(),
    email: text("email").notNull(),
    emailKey: text("email_key").notNull(),
    role: text("role", { enum: ROLES }).notNull(),
    tokenHash: text("token_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    oneOf("workspace_invitations_role", table.role, ROLES),
    uniqueIndex("workspace_invitations_token").on(table.tokenHash),
    uniqueIndex("workspace_invitations_email").on(table.workspaceId, table.emailKey),
  ],
);
