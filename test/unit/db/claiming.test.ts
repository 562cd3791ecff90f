import { expect, test } from "vitest";
import { isWrite } from "#db/base/claiming.ts";

test.each([
  'insert into "templates" ("id") values ($1)',
  "INSERT\n  INTO templates select 1",
  'update "templates" set "name" = $1',
  'delete from "templates" where "id" = $1',
  "with gone as (delete from leads returning id) select count(*) from gone",
  'with "due" as (select "id" from "jobs" for update skip locked) update "jobs" set "n" = 1 from "due"',
  "merge into leads using staged on true when matched then do nothing",
  "select * from engine_claim_5($1, $2)",
  "select 1 from leads for no key update; update leads set email = null",
])("%s writes", (statement) => expect(isWrite(statement)).toBe(true));

test.each([
  'select "updated_at", "deleted_at" from "templates"',
  "select id from datasets where workspace_id = $1 order by id for update",
  "select 1 / (count(*) = $1)::int from (select 1 from jobs for update) fenced",
  "select id from leads for no  key\n update of leads",
  "select inserted, into_it from t",
])("%s does not", (statement) => expect(isWrite(statement)).toBe(false));
