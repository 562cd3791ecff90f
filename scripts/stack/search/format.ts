import { readFileSync } from "node:fs";
import { z } from "zod";

/** A small web and the people who are looked for in it; docs/design/finding.md explains each field. */
export const webFile = z.strictObject({
  pages: z.array(
    z.strictObject({
      url: z.string(),
      title: z.string(),
      snippet: z.string(),
      /** Where the page is from: a search from there gets it first. */
      country: z.string().length(2).optional(),
    }),
  ),
  people: z.array(
    z.strictObject({
      name: z.string(),
      company: z.string().optional(),
      location: z.string().optional(),
      /** The last part of the profile's address; null for a person without one. */
      profile: z.string().nullable(),
      split: z.enum(["tune", "held_out"]),
      /** What is hard about it, for the report. */
      kind: z.string().default("other"),
    }),
  ),
});

export type Web = z.output<typeof webFile>;
export type Page = Web["pages"][number];
export type Wanted = Web["people"][number];

export function readWeb(file: string): Web {
  const parsed = webFile.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
