import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { escapeIdentifier } from "pg";
import { type Databases, dropDatabase } from "./postgres-admin.ts";

export interface TemplateOptions {
  migrationsFolder: string;
  /** Brings the empty database at `url` up to date. */
  migrate(url: string): Promise<unknown>;
}

const PREFIX = "overture_template_";
/** Any constant; one process at a time, among all that share the server, makes or drops templates. */
const TEMPLATE_LOCK = 7_302_114;

/**
 * Resolves with the name of a migrated database to copy from. It is made once for each content of the migrations
 * folder; those of other contents are dropped. Any number of processes may call this at the same time.
 */
export async function ensureTemplate(
  databases: Databases,
  { migrationsFolder, migrate }: TemplateOptions,
): Promise<string> {
  const name = `${PREFIX}${digestFolder(migrationsFolder)}`;
  await databases.administer(async (client) => {
    const listTemplates = async () =>
      (
        await client.query<{ datname: string; datistemplate: boolean }>(
          "select datname, datistemplate from pg_database where starts_with(datname, $1)",
          [PREFIX],
        )
      ).rows;
    // The mark is set last, so a marked database is a whole one.
    const isReady = (rows: { datname: string; datistemplate: boolean }[]) =>
      rows.some((row) => row.datname === name && row.datistemplate);
    if (isReady(await listTemplates())) return;

    await client.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const present = await listTemplates();
    if (isReady(present)) return;
    for (const { datname } of present) await dropDatabase(client, datname);
    await databases.createDatabase(name);
    await migrate(databases.urlFor(name));
    // Without connections, autovacuum's included, nothing ever holds up a copy.
    await client.query(
      `alter database ${escapeIdentifier(name)} is_template true allow_connections false`,
    );
  });
  return name;
}

/** Makes a migrated database of that name, replacing one that exists. Resolves with its URL. */
export async function migratedDatabase(
  databases: Databases,
  { name, ...options }: TemplateOptions & { name: string },
): Promise<string> {
  const template = await ensureTemplate(databases, options);
  await databases.dropDatabase(name);
  return databases.createDatabase(name, { template });
}

/** Depends on the names and contents of the SQL files and on the journal that orders them. */
function digestFolder(folder: string): string {
  const digest = createHash("sha256");
  const files = ["meta/_journal.json", ...fs.readdirSync(folder).toSorted()];
  for (const file of files) {
    if (file !== files[0] && !file.endsWith(".sql")) continue;
    const content = fs.readFileSync(path.join(folder, file));
    digest.update(`${file}\0${content.length}\0`).update(content);
  }
  return digest.digest("hex").slice(0, 16);
}
