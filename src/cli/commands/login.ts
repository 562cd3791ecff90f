import { Overture } from "../../sdk/index.ts";
import { type Command, readArgs } from "../command.ts";
import { EXIT, Refusal } from "../refusal.ts";
import { storeAccess } from "../settings.ts";
import { plain } from "../terminal.ts";

export const login: Command = {
  usage: "login --url URL",
  about: "keeps a deployment's address and a key, which is typed, piped in, or OVERTURE_API_KEY",
  async run(args, terminal) {
    const { values } = readArgs(args, { url: { type: "string" } });
    const baseUrl = (values.url || process.env["OVERTURE_URL"] || undefined)?.replace(/\/+$/, "");
    if (baseUrl === undefined) throw new Refusal("Say where: overture login --url URL");
    // A key among the arguments would be seen by everybody on this machine.
    const typed = process.env["OVERTURE_API_KEY"] || (await terminal.ask("API key: "));
    const apiKey = (typed ?? (await terminal.input())).trim();
    if (apiKey === "") throw new Refusal("No key was given: pipe it in, or OVERTURE_API_KEY.");
    const me = await new Overture({ baseUrl, apiKey }).access.getCurrentUser();
    const file = storeAccess({ baseUrl, apiKey });
    if (values.json) terminal.out(JSON.stringify({ base_url: baseUrl, workspace: me.workspace }));
    else terminal.out(`${plain(me.workspace.name)} at ${baseUrl}: the key is kept in ${file}`);
    return EXIT.same;
  },
};
