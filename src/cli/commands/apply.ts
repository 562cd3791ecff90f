import * as fs from "node:fs";
import { tellPlan } from "../changes.ts";
import { type Command, readArgs } from "../command.ts";
import { planFile, type PlannedFile, readFiles } from "../planning.ts";
import { EXIT, Refusal } from "../refusal.ts";
import { access, openClient } from "../settings.ts";
import { plain, type Terminal } from "../terminal.ts";
import type { SavedPlan } from "./plan.ts";

type Todo = SavedPlan["plans"][number];

export const apply: Command = {
  usage: "apply FILE... [--campaign ID] [--yes] [--launch] | apply --plan PLAN [--launch]",
  about: "does what a plan says; sends nothing unless --launch says so; 4 where the plan is stale",
  async run(args, terminal) {
    const options = {
      campaign: { type: "string" },
      plan: { type: "string" },
      yes: { type: "boolean", default: false },
      launch: { type: "boolean", default: false },
    } as const;
    const { values, words } = readArgs(args, options, { max: 100 });
    if ((values.plan === undefined) === (words.length === 0))
      throw new Refusal("Give files, or a plan that was saved.");
    const client = openClient();
    let todo: Todo[];
    if (values.plan !== undefined) todo = readSaved(values.plan);
    else {
      const planned: PlannedFile[] = [];
      for (const file of readFiles(words))
        planned.push(await planFile(client, file, values.campaign));
      if (!values.json) for (const { file, plan } of planned) tellPlan(file.name, plan, terminal);
      if (planned.some(({ plan }) => plan.plan_token === null)) return EXIT.refused;
      const open = planned.filter(({ plan }) => plan.action !== "none" || values.launch);
      if (open.length > 0 && !values.yes) await confirm(terminal);
      todo = open.map(({ file, plan }) => ({ file: file.name, plan_token: plan.plan_token! }));
    }
    for (const { file, plan_token } of todo) {
      const applied = await client.campaigns.applyPlan({ plan_token, launch: values.launch });
      const { action, launched, campaign } = applied;
      if (values.json) terminal.out(JSON.stringify({ file, ...applied }));
      else {
        const done = { create: "made", change: "changed", none: "as its file says" }[action];
        const name = `${plain(campaign.name)} (${campaign.campaign_id})`;
        terminal.out(`${plain(file)}: ${name} is ${done}${launched ? ", and launched" : ""}`);
      }
    }
    return EXIT.same;
  },
};

async function confirm(terminal: Terminal): Promise<void> {
  const answer = await terminal.ask("Do that? [y/N] ");
  if (answer === null)
    throw new Refusal("Nobody is there to confirm it: --yes, or a plan that was saved.");
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal("Nothing was done.");
}

function readSaved(file: string): Todo[] {
  let saved: Partial<SavedPlan>;
  try {
    saved = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<SavedPlan>;
  } catch (error) {
    throw new Refusal(`${file}: ${(error as Error).message}`);
  }
  const { plans, base_url: baseUrl } = saved;
  if (!Array.isArray(plans) || plans.some((each) => typeof each?.plan_token !== "string"))
    throw new Refusal(`${file}: that is no plan which overture plan --out wrote`);
  if (baseUrl !== access().baseUrl)
    throw new Refusal(`${file}: the plan is of ${plain(baseUrl)}, not of ${access().baseUrl}`);
  return plans;
}
