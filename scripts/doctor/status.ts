import { z } from "zod";
import { answerOf, type Check } from "./context.ts";
import { fail, off, ok, type Said, warn } from "./finding.ts";

const Status = z.object({
  components: z.record(z.string(), z.object({ status: z.string(), detail: z.string().optional() })),
});

const TAIL = "`npx wrangler tail` shows the Worker's log.";
const FIXES: Record<string, string> = {
  workflow_engine:
    "The cron starts it within five minutes of a deployment; then see the lines of cron, queue and schedule.",
  vault: "The Worker's own MASTER_KEY is meant: put back the one that was used before.",
  facilitator: "docs/deploying.md, Selling calls",
  network: "docs/deploying.md, A professional network",
  model: "docs/deploying.md, Personalization",
};

/** What the Worker says of itself: the values that it has, which may differ from the file's. */
export const status: Check = {
  part: "status",
  needsWorker: true,
  async run({ config, ask }) {
    const reply = await ask(`${config.cellBaseUrl}/api/v1/status`);
    const { success, data } = Status.safeParse(reply.json);
    if (!success) return [fail(`/api/v1/status ${answerOf(reply)}`, TAIL)];
    const said = Object.entries(data.components).map(([name, component]) => say(name, component));
    const well = said.filter(({ verdict }) => verdict === "ok");
    const rest = said.filter(({ verdict }) => verdict !== "ok");
    return [ok(`healthy: ${well.map(({ says }) => says).join(", ") || "nothing"}`), ...rest];
  },
};

function say(name: string, component: { status: string; detail?: string | undefined }): Said {
  const detail = component.detail === undefined ? "" : `, ${component.detail}`;
  const says = `${name} is ${component.status.replace("_", " ")}${detail}`;
  if (component.status === "healthy") return ok(name);
  if (component.status === "not_configured" || component.status === "absent") return off(says);
  return component.status === "degraded"
    ? warn(says, FIXES[name] ?? TAIL)
    : fail(says, FIXES[name] ?? TAIL);
}
