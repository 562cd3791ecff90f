import * as z from "zod";
import { missingFields } from "#src/domain/campaigns/config.ts";
import type { CampaignFile as DomainFile, WireFile } from "#src/domain/campaigns/plan/file.ts";
import { camelKeys } from "#src/http/case.ts";
import { text } from "#src/http/fields.ts";
import { addStepFaults, CreateFields } from "./campaign-schemas.ts";
import { StepInput, Variant } from "./campaign-steps.ts";

const { template_id: _template, sender_profile_id: _profile, ...variant } = Variant.shape;
const FileVariant = z
  .strictObject({
    ...variant,
    template: text(255).nullable().optional(),
    sender_profile: text(255).nullable().optional(),
  })
  .openapi("FileVariant", {
    description: "As a step's variant, with the names or ids of its template and profile.",
  });

const FileStep = z
  .strictObject({
    ...StepInput.shape,
    variants: z.array(FileVariant).max(10).nullable().optional(),
  })
  .openapi("FileStep");

const {
  dataset_id: _dataset,
  alias_ids: _aliases,
  connected_account_id: _account,
  ...fields
} = CreateFields.shape;

/** Its owner's own name of a campaign. */
export const externalId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/, "must be 1 to 100 letters, digits, . _ / or -")
  .openapi({ example: "2027/spring-outreach" });

const shape = {
  external_id: externalId,
  ...fields,
  dataset: text(255).openapi({ description: "Its name or id." }),
  aliases: z
    .array(text(320))
    .max(200)
    .nullable()
    .default(null)
    .openapi({ description: "Their addresses or ids." }),
  connected_account: text(255)
    .nullable()
    .default(null)
    .openapi({ description: "Its display name or id." }),
  steps: z.array(FileStep).min(1).max(10),
};

const example = {
  external_id: "2027/spring-outreach",
  name: "Spring outreach",
  dataset: "Conference guests",
  aliases: ["ada@example.com"],
  steps: [
    {
      step: 1,
      variants: [
        {
          type: "INLINE",
          subject: 'Hello {{ first_name | default: "there" }}',
          body: '<p>A word about {{ company | default: "your team" }}.</p>',
        },
      ],
    },
  ],
};

/** What is stored, as a file: what goes without saying is not said. */
export const StoredFile = z
  .strictObject({
    ...shape,
    external_id: externalId
      .nullable()
      .openapi({ description: "Null of a campaign that is no file's yet." }),
  })
  .openapi("StoredCampaignFile", { example });

/** The body of a create with an `external_id`, and with names for ids. What it does not know it refuses: a slip of the pen changes nothing unseen. */
export const CampaignFile = z
  .strictObject(shape)
  .superRefine((file, context) => {
    const steps = file.steps.map(stepInput);
    addStepFaults(context, steps, file.type);
    const missing = missingFields({
      type: file.type,
      aliasIds: file.aliases,
      connectedAccountId: file.connected_account,
      launchType: file.launch_type,
      startDate: file.start_date,
    });
    for (const { field, message } of missing) {
      const name = FILE_NAMES[field];
      context.addIssue({
        code: "custom",
        path: [name],
        message: message.replace(field, name),
      });
    }
  })
  .openapi("CampaignFile", { example });

/** What a create's fields are called here. */
const FILE_NAMES = {
  alias_ids: "aliases",
  connected_account_id: "connected_account",
  start_date: "start_date",
} as const;

type ParsedFile = z.output<typeof CampaignFile>;

/** As its faults are looked for: a name stands for an id. */
const stepInput = ({
  variants,
  ...step
}: z.output<typeof FileStep>): z.output<typeof StepInput> => ({
  ...step,
  variants: variants?.map(({ template, sender_profile, ...rest }) => ({
    ...rest,
    template_id: template,
    sender_profile_id: sender_profile,
  })),
});

export const domainFile = (file: ParsedFile): DomainFile => camelKeys(file);

/** What a file need not say. */
const DEFAULTS: WireFile = Object.fromEntries(
  Object.entries({ ...fields, aliases: null, connected_account: null }).map(([name, field]) => [
    name,
    field === null ? null : field.safeParse(undefined).data,
  ]),
);
const STEP_DEFAULTS: WireFile = { ...FileStep.partial({ step: true }).parse({}) };

/** The file without what goes without saying: read again it says the same. */
export function shortFile(file: WireFile): z.input<typeof StoredFile> {
  const short = without(file, DEFAULTS);
  const steps = (file["steps"] as WireFile[]).map((step) => without(step, STEP_DEFAULTS));
  return { ...short, steps } as unknown as z.input<typeof StoredFile>;
}

const without = (object: WireFile, defaults: WireFile): WireFile =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) =>
        !(name in defaults && JSON.stringify(value) === JSON.stringify(defaults[name])),
    ),
  );
