import * as z from "zod";
import { url } from "./fields.ts";

export const researchVariables = {
  RESEARCH_WEBSITES: z.enum(["true", "false"]).default("true"),
  RESEARCH_CONTACT_URL: url.optional(),
};
const variables = z.object(researchVariables);
type Variables = z.output<typeof variables>;

export interface ResearchConfig {
  /** Where who keeps a website learns who reads it; null where websites are not read. */
  websites: { contactUrl: string } | null;
}

export const readResearch = (
  data: Variables,
  { publicBaseUrl }: { publicBaseUrl: string },
): ResearchConfig => ({
  websites:
    data.RESEARCH_WEBSITES === "false"
      ? null
      : { contactUrl: data.RESEARCH_CONTACT_URL ?? publicBaseUrl },
});
