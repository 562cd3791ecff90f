import type { Event } from "../../sdk/index.ts";
import { type Command, readArgs } from "../command.ts";
import { findCampaign } from "../find.ts";
import { follow, untilStopped } from "../follow.ts";
import { EXIT } from "../refusal.ts";
import { openClient } from "../settings.ts";
import { plain } from "../terminal.ts";

const ENDS = new Set(["campaign.completed", "campaign.failed", "campaign.deleted"]);

export const watch: Command = {
  usage: "watch CAMPAIGN [--after CURSOR] [--for SECONDS]",
  about: "what happens in a campaign, until it is completed",
  async run(args, terminal) {
    const options = { after: { type: "string" }, for: { type: "string" } } as const;
    const { values, words } = readArgs(args, options, { min: 1 });
    const client = openClient();
    const { campaign_id } = await findCampaign(client, words[0]!);
    const signal = untilStopped(values.for);
    const from = {
      after: values.after ?? "now",
      query: { campaign_id },
      isFollowing: true,
      signal,
    };
    try {
      for await (const event of follow(client, from)) {
        terminal.out(values.json ? JSON.stringify(event) : tellEvent(event));
        if (ENDS.has(event.type)) break;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return EXIT.same;
  },
};

/** Its time, its kind and the facts that it is about. */
export function tellEvent({ timestamp, type, data }: Event): string {
  const facts = Object.entries(data).filter(([, value]) => typeof value !== "object");
  return `${timestamp} ${type} ${facts.map(([name, value]) => `${name}=${plain(value)}`).join(" ")}`;
}
