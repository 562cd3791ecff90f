import { readFileSync } from "node:fs";
import { z } from "zod";
import { farmFile } from "../stack/farm/format.ts";

/** Mail hosts as the farm's files write them, and the people who are looked for at them; docs/design/finding.md. */
export const townFile = farmFile.extend({
  people: z.array(
    z.strictObject({
      first_name: z.string(),
      last_name: z.string(),
      domain: z.string(),
      /** Null for a person without an address there. */
      email: z.string().nullable(),
      split: z.enum(["tune", "held_out"]),
      /** How the address is made, for the report. */
      kind: z.string().default("other"),
    }),
  ),
});

export type Town = z.input<typeof townFile>;
export type ReadTown = z.output<typeof townFile>;
export type Sought = ReadTown["people"][number];

export function readTown(file: string): ReadTown {
  const parsed = townFile.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
