/** `src/console/api/lists.ts`: what the console's forms would otherwise say again of the service. */
import { wireName } from "#src/domain/campaigns/change.ts";

interface Lists {
  leadTexts: readonly string[];
  /** By a campaign's status. */
  changeable: Readonly<Record<string, readonly string[] | "everything">>;
}

/** The name of a campaign's file is nothing that a form changes. */
const onTheWire = (fields: readonly string[] | "everything") =>
  fields === "everything" ? fields : fields.filter((field) => field !== "externalId").map(wireName);

export function consoleLists({ leadTexts, changeable }: Lists): string {
  return [
    "// Written by `npm run openapi` from what the service knows. Not edited by hand.",
    'import type { CampaignStatus } from "./schema.ts";',
    "",
    "/** The texts of a lead, in the order of an export. */",
    `export const LEAD_TEXTS = ${JSON.stringify(leadTexts)} as const;`,
    "",
    "/** The fields of a campaign that may change, by its status. */",
    'export const CHANGEABLE: Record<CampaignStatus, readonly string[] | "everything"> = {',
    ...Object.entries(changeable).map(
      ([status, fields]) => `  ${status}: ${JSON.stringify(onTheWire(fields))},`,
    ),
    "};",
    "",
  ].join("\n");
}
