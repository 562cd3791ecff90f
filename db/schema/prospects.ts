import { bigint, integer, pgTable, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** The pool that everybody searches: people as their public profiles show them. No address of anybody. */
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
    /** 0 to 100: how much the entry is worth to who finds it. */
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

/** Who has a tag, best first: a search reads this order and nothing else. Follows each prospect's own `tagIds`. */
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

/** Who does not want to be in the pool: a later import does not bring them back. */
export const prospectOptOuts = pgTable("prospect_opt_outs", {
  /** SHA-256 (hex) of the profile's key. */
  profileHash: text("profile_hash").primaryKey(),
  createdAt: instant("created_at").notNull(),
});
