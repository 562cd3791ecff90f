import type { CampaignPlan } from "../sdk/index.ts";
import type { Terminal } from "./terminal.ts";
import { plain } from "./terminal.ts";

const shown = (value: unknown) => plain(value === undefined ? "null" : JSON.stringify(value));

/** What a plan would do, in lines for people. */
export function tellPlan(name: string, plan: CampaignPlan, { out }: Terminal): void {
  const words = { create: "is made", change: "changes", none: "is as its file says" };
  out(`${plain(name)}: the campaign ${words[plan.action]}`);
  for (const { path, before, after } of plan.changes)
    if (plan.action === "create") out(`  + ${plain(path)}  ${shown(after)}`);
    else {
      out(`  - ${plain(path)}  ${shown(before)}`);
      out(`  + ${plain(path)}  ${shown(after)}`);
    }
  for (const { path, code, message } of plan.blocked)
    out(`  x ${plain(path)}  ${plain(message)} (${code})`);
  if (plan.action === "none") return;
  const { leads, next_sends: next } = plan.affected;
  out(`  affects ${leads} leads${next[0] === undefined ? "" : `, the next at ${next[0].at}`}`);
  const { total_sends: sends, until, finishes_at: end } = plan.forecast;
  out(`  foretells ${sends} messages until ${until}${end === null ? "" : `; the last at ${end}`}`);
  for (const { ok, severity, message } of plan.checks)
    if (!ok) out(`  ! ${severity}: ${plain(message)}`);
}
