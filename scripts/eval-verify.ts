/**
 * `npm run eval:verify -- --verifier MODULE [FILE...] [--seed N] [--lanes N]`: how right a verifier is on the mail farm,
 * or on other tables of its format (docs/design/local-stack-farm.md). MODULE exports `startVerifier` (StartVerifier of
 * scripts/eval-verify/command.ts). Ends with 1 below the targets, with 2 for what cannot be read.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { evalVerify, type StartVerifier } from "./eval-verify/command.ts";

const { positionals: files, values } = parseArgs({
  allowPositionals: true,
  options: {
    verifier: { type: "string" },
    seed: { type: "string", default: "1" },
    lanes: { type: "string", default: "40" },
  },
});
if (values.verifier === undefined) {
  console.error("usage: npm run eval:verify -- --verifier MODULE [FILE...] [--seed N] [--lanes N]");
  process.exit(2);
}
const { startVerifier } = (await import(pathToFileURL(resolve(values.verifier)).href)) as {
  startVerifier: StartVerifier;
};
const options = { files, seed: Number(values.seed), lanes: Number(values.lanes) };
process.exit(await evalVerify(options, startVerifier));
