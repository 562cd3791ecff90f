import * as z from "zod";
import { Refusal } from "../api.ts";
import { tool } from "../tool.ts";
import { anyObject, at, id } from "./fields.ts";

const importLeads = tool({
  name: "import_leads",
  title: "Import leads",
  description:
    "Take leads into a dataset, a new one (name) or one there is (dataset_id). A known address is updated, not doubled. dry_run, of one there is, tells what would be done.",
  input: z.object({
    dataset_id: z.string().max(36).optional(),
    name: z.string().max(200).optional(),
    rows: z
      .array(anyObject())
      .min(1)
      .max(500)
      .describe(
        "email or profile_url, first_name, last_name, company, title, ... and columns of your own.",
      ),
    dry_run: z.boolean().optional(),
  }),
  scopes: ["leads:write"],
  hints: {},
  run: async ({ api }, { dataset_id, name, rows, dry_run }) => {
    if ((dataset_id === undefined) === (name === undefined))
      throw new Refusal({ code: "VALIDATION_ERROR", message: "Give dataset_id or name." });
    if (dataset_id === undefined && dry_run === true)
      throw new Refusal({
        code: "VALIDATION_ERROR",
        message: "A dry run makes no dataset: give the dataset_id of one there is.",
      });
    const of = dataset_id ?? ((await api.post("/datasets", { name })) as { id: string }).id;
    const query = dry_run === true ? "?dry_run=true" : "";
    return { dataset_id: of, ...(await api.post(`/datasets/${at(of)}/import${query}`, { rows })) };
  },
});

const controlCampaign = tool({
  name: "control_campaign",
  title: "Pause, drain, stop",
  description:
    "pause: nothing begins to be sent. drain: nobody new is begun with. stop_lead: nothing more to these people in this campaign. Needs no confirmation: it only stops.",
  input: z.object({
    campaign_id: id("the campaign"),
    action: z.enum(["pause", "drain", "stop_lead"]),
    campaign_lead_ids: z.array(z.string().max(36)).max(500).optional(),
  }),
  scopes: ["campaigns:write"],
  hints: {},
  run: async ({ api }, { campaign_id, action, campaign_lead_ids }) => {
    const campaign = `/campaigns/${at(campaign_id)}`;
    if (action === "stop_lead")
      return api.post(`${campaign}/lead-actions`, { action: "stop", campaign_lead_ids });
    const { status, name } = await api.post(`${campaign}/${action}`);
    return { campaign_id, name, status };
  },
});

export const writeTools = [importLeads, controlCampaign];
