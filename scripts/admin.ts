/** `npm run admin -- COMMAND`: what the operator of a deployment does to workspaces, over its database. */
import { runAdmin } from "./admin/run.ts";

try {
  console.log(await runAdmin(process.argv.slice(2), process.env["DATABASE_URL"]));
} catch (error) {
  const { message, cause } = error as Error;
  // What a statement failed of stands in the cause: the message has the statement.
  console.error(cause instanceof Error ? cause.message : message || String(error));
  process.exitCode = 1;
}
