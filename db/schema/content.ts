import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant, oneOf, ownedRow, revision } from "./columns.ts";

export const CHANNELS = ["email", "socialnet"] as const;
export type Channel = (typeof CHANNELS)[number];

export const TEMPLATE_FORMATS = ["html", "text"] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

/** `version` grows with each change of what a reader of the mail would notice. */
export const senderProfiles = pgTable(
  "sender_profiles",
  {
    ...ownedRow(),
    name: text("name").notNull(),
    fullName: text("full_name").notNull(),
    jobTitle: text("job_title"),
    company: text("company"),
    companyDescription: text("company_description"),
    valueProposition: text("value_proposition"),
    bio: text("bio"),
    tone: text("tone"),
    language: text("language").notNull(),
    signature: text("signature"),
    profileUrl: text("profile_url"),
    calendarUrl: text("calendar_url"),
    customPrompt: text("custom_prompt"),
    isDefault: boolean("is_default").notNull(),
    version: integer("version").notNull(),
  },
  (table) => [
    index("sender_profiles_workspace").on(table.workspaceId, table.id),
    uniqueIndex("sender_profiles_default")
      .on(table.workspaceId)
      .where(sql`${table.isDefault}`),
  ],
);

export const templates = pgTable(
  "templates",
  {
    ...ownedRow(),
    name: text("name").notNull(),
    channel: text("channel", { enum: CHANNELS }).notNull(),
    subject: text("subject"),
    body: text("body").notNull(),
    format: text("format", { enum: TEMPLATE_FORMATS }).notNull(),
    variables: text("variables").array().notNull(),
    tags: text("tags").array().notNull(),
    version: integer("version").notNull(),
    archivedAt: instant("archived_at"),
    revision: revision(),
  },
  (table) => [
    oneOf("templates_channel", table.channel, CHANNELS),
    oneOf("templates_format", table.format, TEMPLATE_FORMATS),
    index("templates_workspace").on(table.workspaceId, table.id),
  ],
);
