import { sql } from "drizzle-orm";
import {
  bigint,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** The pool that all workspaces search: people as their public profiles show them, without addresses. */
export const prospects = pgTable(
  "prospects",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    profileUrl: text("profile_url").notNull(),
    /** As profiles are compared: without scheme, www and case. */
    profileKey: text("profile_key").notNull(),
    fullName: text("full_name").notNull(),
    company: text("company"),
    title: text("title"),
    location: text("location"),
    /** 0 to 100: how complete and useful the entry is. */
    quality: smallint("quality").notNull(),
    tagIds: integer("tag_ids").array().notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [uniqueIndex("prospects_profile").on(table.profileKey)],
);

export const prospectTagNames = pgTable(
  "prospect_tag_names",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    /** In lower case. */
    tag: text("tag").notNull(),
  },
  (table) => [uniqueIndex("prospect_tag_names_tag").on(table.tag)],
);

/** Prospects by tag, best first: a search reads this order alone. Follows each prospect's own `tagIds`. */
export const prospectTags = pgTable(
  "prospect_tags",
  {
    tagId: integer("tag_id").notNull(),
    quality: smallint("quality").notNull(),
    prospectId: bigint("prospect_id", { mode: "number" }).notNull(),
  },
  (table) => [
    uniqueIndex("prospect_tags_best").on(
      table.tagId,
      // The order that `order by quality desc` means: otherwise the index is not taken.
      table.quality.desc().nullsFirst(),
      table.prospectId,
    ),
  ],
);

/**
 * People who opted out of the pool: a later import does not bring them back, unless the operator has undone it. Only
 * hashes, but for the profile while the operator may have to review it.
 */
export const prospectOptOuts = pgTable(
  "prospect_opt_outs",
  {
    /** SHA-256 (hex) of the profile's key. */
    profileHash: text("profile_hash").primaryKey(),
    createdAt: instant("created_at").notNull(),
    profileKey: text("profile_key"),
    /** The mailbox that confirmed it, under a keyed hash, or the workspace that erased the person: several of one show. */
    confirmedBy: text("confirmed_by"),
    /** The client address that asked for it, under a keyed hash. */
    askedFrom: text("asked_from"),
    /** When the operator took it back: links from before do nothing any more. */
    undoneAt: instant("undone_at"),
  },
  (table) => [
    index("prospect_opt_outs_newest").on(table.createdAt),
    index("prospect_opt_outs_named")
      .on(table.createdAt)
      .where(sql`${table.profileKey} is not null`),
  ],
);

/** How often a mailbox, or a client address, was named in asking to opt out on a date (UTC), or profiles left by what a workspace erased. */
export const prospectOptOutDays = pgTable(
  "prospect_opt_out_days",
  {
    day: date("day", { mode: "string" }).notNull(),
    /** Under a keyed hash, as `confirmedBy` and `askedFrom`. */
    subject: text("subject").notNull(),
    asked: integer("asked").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.subject] })],
);
