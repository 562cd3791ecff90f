/** `npm run doctor`: looks at a deployment from outside and inside, and says what is wrong with it and where to mend it. */
import { parseArgs } from "node:util";
import { readSettings, readWrangler, SETTINGS_FILE } from "./deploy/settings.ts";
import { examine } from "./doctor/examine.ts";
import { hasFailed, tableOf } from "./doctor/report.ts";

const HELP = `npm run doctor -- [options]

  --settings FILE  the deployment's values, NAME=value lines (${SETTINGS_FILE}), beside the [vars] of wrangler.toml
  --before         leave out what needs the Worker to be there already
  --json           the findings as JSON (npm run -s: without npm's own lines)

Nothing is changed, but for a key of Redis that lives for a minute; the model is asked one short question. Exits with 1
when something is wrong.
`;

const { values } = parseArgs({
  options: {
    settings: { type: "string", default: SETTINGS_FILE },
    before: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(HELP);
else {
  const { env, hasFile } = readSettings(values.settings);
  if (!hasFile && !values.json)
    console.log(`There is no ${values.settings}: only what wrangler.toml says is looked at.\n`);
  const findings = await examine({ env, wrangler: readWrangler(), isDeployed: !values.before });
  console.log(values.json ? JSON.stringify(findings, null, 2) : tableOf(findings));
  process.exitCode = hasFailed(findings) ? 1 : 0;
}
