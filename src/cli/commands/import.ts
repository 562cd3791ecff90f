import * as fs from "node:fs";
import * as path from "node:path";
import type { ImportReport, ImportTrial, Overture } from "../../sdk/index.ts";
import { type Command, readArgs } from "../command.ts";
import { isId, named, only } from "../find.ts";
import { EXIT, Refusal } from "../refusal.ts";
import { openClient } from "../settings.ts";
import { plain } from "../terminal.ts";

export const importLeads: Command = {
  usage: "import DATASET FILE.csv [--create] [--dry-run]",
  about: "leads of a CSV file into a dataset by its name or id; 3 where rows were refused",
  async run(args, terminal) {
    const options = {
      create: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    } as const;
    const { values, words } = readArgs(args, options, { min: 2 });
    const [dataset, file] = words as [string, string];
    const form = new FormData();
    form.append("file", await blobOf(file), path.basename(file));
    const client = openClient();
    const isTrial = values["dry-run"];
    const id = await datasetOf(client, dataset, values.create && !isTrial);
    const query = isTrial ? ({ dry_run: "true" } as const) : {};
    const said = await client.datasets.importLeads(id, form, { query });
    const report = said as ImportReport | ImportTrial;
    if (values.json) terminal.out(JSON.stringify({ dataset_id: id, ...report }));
    else {
      const { created, updated, duplicate, rejected } = report;
      terminal.out(
        `${created} new, ${updated} changed, ${duplicate} there already, ${rejected} refused${isTrial ? "; nothing was written" : ""}`,
      );
      for (const { row_index: row, message } of report.rejections)
        terminal.out(`  row ${row + 1}: ${plain(message)}`);
    }
    if (report.rejected > 0) return EXIT.refused;
    return isTrial && report.created + report.updated > 0 ? EXIT.changes : EXIT.same;
  },
};

async function blobOf(file: string): Promise<Blob> {
  try {
    return await fs.openAsBlob(file, { type: "text/csv" });
  } catch (error) {
    throw new Refusal(`${file}: ${(error as Error).message}`);
  }
}

async function datasetOf({ datasets }: Overture, text: string, mayMake: boolean): Promise<string> {
  if (isId(text)) return text;
  const found = await named(datasets.list({ limit: 200 }), text);
  if (found.length === 0 && mayMake) return (await datasets.create({ name: text })).id;
  return only("dataset", text, found, ({ id }) => id).id;
}
