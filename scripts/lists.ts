/**
 * `npm run lists -- NAME FILE`: loads a list of disposable domains (one a line, or a JSON array) into the database of
 * DATABASE_URL, beside the curated one that `npm run db:migrate` keeps. The same NAME again replaces the list; an empty
 * file takes it away.
 */
import * as fs from "node:fs";
import { Client } from "pg";
import { CURATED_LIST, loadDisposableList, readList } from "./disposable-lists.ts";

const [name, file] = process.argv.slice(2);
const url = process.env["DATABASE_URL"];
if (!url || !name || !file || name === CURATED_LIST) {
  console.error(
    "usage: DATABASE_URL=postgres://... npm run lists -- NAME FILE\n" +
      `FILE holds one domain a line or a JSON array; NAME is yours to choose ("${CURATED_LIST}" is taken).`,
  );
  process.exit(1);
}

const client = new Client({ connectionString: url });
try {
  const domains = readList(fs.readFileSync(file, "utf8"));
  await client.connect();
  const { added, removed } = await loadDisposableList(client, name, domains);
  console.log(`${name}: ${domains.length} domains read, ${added} added, ${removed} removed.`);
} catch (error) {
  console.error(`The list was not loaded: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await client.end();
}
