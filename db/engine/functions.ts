import { PgDialect } from "drizzle-orm/pg-core";
import { claimFunction } from "./claim.ts";
import type { EngineFunction } from "./function-call.ts";
import { recordAndBeginFunction } from "./record-and-begin.ts";

/** The versions that this build calls. */
export const ENGINE_FUNCTIONS: readonly EngineFunction[] = [claimFunction, recordAndBeginFunction];

/**
 * Plans are generic (made once) and never scan a table: made while a table is
 * small, such a plan would stay when it has grown, at twenty times the cost.
 */
export function functionText(fn: EngineFunction): string {
  const { sql: body, params } = new PgDialect().sqlToQuery(fn.body());
  if (params.length > 0) throw new Error(`${fn.name} has parameters of a statement`);
  return `create function ${fn.name}(${fn.parameters}) returns ${fn.returns}
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare ${fn.declare}
begin${body}
end $$;`;
}
