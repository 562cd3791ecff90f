/** `npm run db:migrate`: brings the database of DATABASE_URL up to date. */
import { migrate } from "./apply-migrations.ts";

const url = process.env["DATABASE_URL"];
if (!url) {
  console.error(
    "Set DATABASE_URL to the database to migrate, for example\n" +
      "  DATABASE_URL=postgresql://user:password@host/database npm run db:migrate\n" +
      "With Neon, take the direct connection string, not the pooled one (no -pooler in the host name).",
  );
  process.exit(1);
}

try {
  const applied = await migrate(url);
  for (const name of applied) console.log(`applied ${name}`);
  console.log(applied.length === 0 ? "Already up to date." : `${applied.length} applied.`);
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
  console.error(`Migration failed: ${(error as Error).message}`);
  if (cause) console.error(`  ${cause.message}`);
  process.exit(1);
}
