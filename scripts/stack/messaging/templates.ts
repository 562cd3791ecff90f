/** A template as Meta would have approved it. */
export interface Template {
  name: string;
  language: string;
  body: string;
}

/** What docs/deploying.md says to submit, word for word. Neither end may be a parameter, nor may two of them touch. */
export const approvedTemplates: readonly Template[] = [
  {
    name: "overture_lead_event",
    language: "en",
    body: "News of a lead: {{1}}\nCampaign: {{2}}\n\nDetails: {{3}}\n\nWhat to do: {{4}}\n\nSent as your notification preferences in Overture ask.",
  },
  {
    name: "overture_digest",
    language: "en",
    body: "More news of the campaign {{1}}\n\nIn short: {{2}}\nAmong them: {{3}}\n\nWhat to do: {{4}}\n\nSent as your notification preferences in Overture ask.",
  },
  {
    name: "overture_campaign_event",
    language: "en",
    body: "News of the campaign {{1}}\n\nWhat happened: {{2}}\n\nWhat to do: {{3}}\n\nSent as your notification preferences in Overture ask.",
  },
];

const PLACE = /\{\{(\d+)\}\}/g;

/** How many parameters the body takes. */
export function parameterCount({ body }: Template): number {
  return new Set(Array.from(body.matchAll(PLACE), ([, number]) => number)).size;
}

/** The body with the parameters in their places. */
export function fillTemplate({ body }: Template, parameters: readonly string[]): string {
  return body.replace(PLACE, (_, number: string) => parameters[Number(number) - 1] ?? "");
}
