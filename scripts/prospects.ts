/**
 * `npm run prospects -- FILE.csv`: takes people into the shared pool of the database of DATABASE_URL, or of the local
 * stack that is running. Columns as in a lead import: profile_url, a name, tags; company, title, location, quality.
 */
import * as fs from "node:fs";
import { Client } from "pg";
import { importProspectFile } from "./prospect-import.ts";
import { findRunning } from "./stack/running.ts";

const [file] = process.argv.slice(2);
const url = process.env["DATABASE_URL"] ?? findRunning()?.database_url;
if (!url || !file) {
  console.error(
    "usage: npm run prospects -- FILE.csv\n" +
      "with DATABASE_URL set, or while the local stack runs (npm start).\n" +
      "The file needs the columns profile_url, full_name (or first_name and last_name) and tags (with ; between);\n" +
      "company, title, location and quality (0 to 100) are taken along.",
  );
  process.exit(1);
}

const client = new Client({ connectionString: url });
try {
  await client.connect();
  const report = await importProspectFile(client, fs.createReadStream(file), ({ total }) =>
    process.stderr.write(`\r${total.toLocaleString("en-US")} read`),
  );
  process.stderr.write("\r");
  console.log(
    `${report.total} read: ${report.added} added, ${report.updated} updated, ` +
      `${report.optedOut} had opted out, ${report.rejected} rejected.`,
  );
  for (const fault of report.faults) console.log(`  ${fault}`);
} catch (error) {
  console.error(`The import ended: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await client.end();
}
