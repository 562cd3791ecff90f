import * as fs from "node:fs";
import { type Command, readArgs } from "../command.ts";
import { findCampaign } from "../find.ts";
import { EXIT, Refusal } from "../refusal.ts";
import { secretsIn } from "../secrets.ts";
import { openClient } from "../settings.ts";
import { plain } from "../terminal.ts";

export const pull: Command = {
  usage: "pull CAMPAIGN [--as EXTERNAL_ID] [--out FILE [--force]]",
  about: "a campaign as a file; one that has no external_id yet is given one in it by --as",
  async run(args, terminal) {
    const options = {
      as: { type: "string" },
      out: { type: "string" },
      force: { type: "boolean", default: false },
    } as const;
    const { values, words } = readArgs(args, options, { min: 1 });
    const campaign = await findCampaign(openClient(), words[0]!, "file");
    const file = {
      ...campaign.file!,
      ...(values.as === undefined ? {} : { external_id: values.as }),
    };
    if (file.external_id === null)
      throw new Refusal(
        "The campaign has no external_id: pull it with --as EXTERNAL_ID, then",
        `  overture apply FILE --campaign ${campaign.campaign_id}`,
      );
    const [secret] = secretsIn(file);
    if (secret !== undefined)
      throw new Refusal(
        `${plain(secret.pointer)} of the campaign is ${secret.what}, which does not belong in a file`,
      );
    const text = JSON.stringify(file, null, 2);
    if (values.out === undefined) terminal.out(values.json ? JSON.stringify(file) : text);
    else write(values.out, `${text}\n`, values.force);
    return EXIT.same;
  },
};

function write(file: string, text: string, isForced: boolean): void {
  try {
    fs.writeFileSync(file, text, { flag: isForced ? "w" : "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Refusal(`${file} is there already: --force writes over it`);
  }
}
