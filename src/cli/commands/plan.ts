import * as fs from "node:fs";
import { tellPlan } from "../changes.ts";
import { type Command, readArgs } from "../command.ts";
import { planFile, type PlannedFile, readFiles } from "../planning.ts";
import { EXIT } from "../refusal.ts";
import { access, openClient } from "../settings.ts";

/** What `plan --out` writes and `apply --plan` reads. */
export interface SavedPlan {
  base_url: string;
  plans: { file: string; plan_token: string }[];
}

export const plan: Command = {
  usage: "plan FILE... [--campaign ID] [--out PLAN]",
  about: "what applying files would change, whom it affects, what would be sent; writes nothing",
  async run(args, terminal) {
    const options = { campaign: { type: "string" }, out: { type: "string" } } as const;
    const { values, words } = readArgs(args, options, { min: 1, max: 100 });
    const files = readFiles(words);
    const client = openClient();
    const planned: PlannedFile[] = [];
    for (const file of files) {
      const one = await planFile(client, file, values.campaign);
      planned.push(one);
      if (values.json) terminal.out(JSON.stringify({ file: file.name, ...one.plan }));
      else tellPlan(file.name, one.plan, terminal);
    }
    const isRefused = planned.some((each) => each.plan.plan_token === null);
    if (values.out !== undefined && !isRefused) save(values.out, planned);
    if (isRefused) return EXIT.refused;
    return planned.every((each) => each.plan.action === "none") ? EXIT.same : EXIT.changes;
  },
};

function save(file: string, planned: PlannedFile[]): void {
  const saved: SavedPlan = {
    base_url: access().baseUrl,
    plans: planned.map((each) => ({ file: each.file.name, plan_token: each.plan.plan_token! })),
  };
  fs.writeFileSync(file, `${JSON.stringify(saved)}\n`, { mode: 0o600 });
}
