import * as z from "zod";
import {
  MOST_SEEDS,
  MOST_SENDERS,
  type PlacementWish,
} from "#src/domain/messages/placement/create.ts";
import { emailAddress, text, uuid } from "#src/http/fields.ts";
import { isTooDeep, MAX_OPEN_TAGS } from "#src/mime/read-html.ts";

/** The body of a test, parsed into the domain's wish. */
export const Begin = z
  .object({
    alias_ids: z.array(uuid).min(1).max(MOST_SENDERS).openapi({
      description: "Who sends: each writes to each seed but itself.",
    }),
    seed_alias_ids: z.array(uuid).min(1).max(MOST_SEEDS).optional().openapi({
      description: "Aliases whose inbox is connected, into which is looked.",
    }),
    seeds: z
      .array(emailAddress)
      .min(1)
      .max(MOST_SEEDS)
      .optional()
      .openapi({ description: "The same by their addresses." }),
    campaign_id: uuid.optional(),
    step: z.int().min(1).max(32).optional().openapi({ description: "Number of the step, from 1." }),
    campaign_lead_id: uuid.optional(),
    lead_id: uuid.optional().openapi({
      description: "As whom the step is written for; without either the dataset's first lead.",
    }),
    subject: text(998)
      .refine((value) => !/[\r\n]/.test(value), "must be one line")
      .optional(),
    body: text(500_000)
      .refine((body) => !isTooDeep(body), `has more than ${MAX_OPEN_TAGS} tags open at once`)
      .optional()
      .openapi({ description: "HTML if it contains a tag, else text." }),
    delete_after: z.boolean().default(false).openapi({
      description: "Deletes the test's own mail from a seed once it was seen there.",
    }),
  })
  .transform((wire, context): PlacementWish => {
    const fault = (field: string, message: string) => {
      context.addIssue({ code: "custom", path: [field], message });
      return z.NEVER;
    };
    const { seed_alias_ids: ids, seeds: emails } = wire;
    if ((ids === undefined) === (emails === undefined))
      return fault("seed_alias_ids", "give either seed_alias_ids or seeds");
    const said = textOf(wire);
    if (typeof said === "string") return fault("campaign_id", said);
    return {
      aliasIds: wire.alias_ids,
      seeds: ids === undefined ? { emails: emails! } : { ids },
      text: said,
      deleteAfter: wire.delete_after,
    };
  })
  .openapi("PlacementTestInput", {
    example: {
      alias_ids: ["7f0c5a3e-5f1e-4a53-9d0a-3a6f0f6f2b11"],
      seeds: ["seed@gmail.example"],
      subject: "A question",
      body: "<p>Hello Ada, may I ask you something?</p>",
      delete_after: true,
    },
  });

interface Said {
  campaign_id?: string | undefined;
  step?: number | undefined;
  campaign_lead_id?: string | undefined;
  lead_id?: string | undefined;
  subject?: string | undefined;
  body?: string | undefined;
}

/** What the test says, or what is wrong with it. */
function textOf({ campaign_id, step, campaign_lead_id, lead_id, subject, body }: Said) {
  const ofStep = [campaign_id, step, campaign_lead_id, lead_id].some((each) => each !== undefined);
  const ofText = [subject, body].some((each) => each !== undefined);
  if (ofStep && !ofText && campaign_id !== undefined && step !== undefined)
    return { campaignId: campaign_id, step, target: targetOf(campaign_lead_id, lead_id) };
  if (ofText && !ofStep && subject !== undefined && body !== undefined) return { subject, body };
  return "give either campaign_id and step, or subject and body";
}

function targetOf(campaignLeadId: string | undefined, leadId: string | undefined) {
  if (campaignLeadId !== undefined) return { campaignLeadId };
  return leadId === undefined ? null : { leadId };
}
