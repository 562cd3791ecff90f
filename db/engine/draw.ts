import { type SQL, sql } from "drizzle-orm";
import { type Column, orNull, typed } from "../base/rows.ts";

/** How the arm of a step that is tried out is drawn. */
export interface Draw {
  /** Of the variants, in their order. */
  arms: string[];
  /** In force for the send; 0 and null where the weights are as configured. */
  version: number;
  weights: Record<string, number> | null;
}

/**
 * The arms of a step of campaign `c`, in the order of its variants: a label with its text. Who edits a text, or the
 * template that a variant names, has another arm.
 */
export const armsOf = (stepConfig: SQL): SQL => sql`(
  select coalesce(jsonb_agg(md5((v.value - 'weight')::text || coalesce(' ' || t.version, '')) order by v.ordinality), '[]')
  from jsonb_array_elements(${stepConfig} -> 'variants') with ordinality v
  left join templates t on t.workspace_id = c.workspace_id and t.id = (v.value ->> 'template_id')::uuid)`;

/**
 * How step `step` of campaign `c` is drawn, of those versions of its weights that `isInForce` (of row `ev`) names the
 * newest; null for a step that is not tried out, which costs no look at any table.
 */
export const drawOf = (step: SQL, isInForce: SQL = sql`true`): SQL => sql`
  case when c.steps -> (${step} - 1) ? 'experiment' then (
    select jsonb_build_object('arms', ${armsOf(sql`c.steps -> (${step} - 1)`)}, 'version', coalesce(max(ev.version), 0),
      'weights', (jsonb_agg(ev.weights)) -> 0)
    from (select ev.version, ev.weights from experiment_versions ev
          where ev.campaign_id = c.id and ev.step = ${step} and ${isInForce}
          order by ev.version desc limit 1) ev) end`;

/** Of send `s`: by the version that was in force when it was claimed, or that it has had since it first began. */
export const drawOfSend: SQL = drawOf(
  sql`s.step`,
  sql`(ev.version = s.weights_version or (s.weights_version is null and ev.updated_at <= s.claimed_at))`,
);

export const drawColumn: Column<Draw | null> = orNull(typed<Draw>());
