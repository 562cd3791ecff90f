import { type Command, readArgs } from "../command.ts";
import { findCampaign, isId } from "../find.ts";
import { EXIT, Refusal } from "../refusal.ts";
import type { Overture, SendingStatus } from "../../sdk/index.ts";
import { openClient } from "../settings.ts";
import { plain } from "../terminal.ts";

export const why: Command = {
  usage: "why CAMPAIGN [LEAD]",
  about: "why a campaign, or a lead of it by id or address, does not send now",
  async run(args, terminal) {
    const { values, words } = readArgs(args, {}, { min: 1, max: 2 });
    const client = openClient();
    const { campaign_id: id, name } = await findCampaign(client, words[0]!);
    const lead = words[1] === undefined ? {} : { lead_id: await findLead(client, id, words[1]) };
    const status = await client.campaigns.explainSending(id, lead);
    if (values.json) terminal.out(JSON.stringify(status));
    else for (const line of tell(name, status)) terminal.out(line);
    return EXIT.same;
  },
};

/** In the service's own words, which are the console's. What holds back the whole campaign holds back its leads. */
function tell(name: string, status: SendingStatus): string[] {
  const { lead, reasons } = status;
  const ofCampaign = [
    `${plain(name)}: ${status.status}, ${status.sending ? "sending" : "not sending"}`,
    ...reasons.map(line),
  ];
  if (lead === undefined) return [...ofCampaign, ...nextOf(status.next_send_at)];
  const next = lead.next_step === null ? "" : `, step ${lead.next_step} is next`;
  return [
    `${plain(lead.email ?? lead.lead_id)}: ${lead.status}${next}`,
    ...(lead.reasons.length === 0 && status.sending
      ? ["  Nothing stands against it."]
      : lead.reasons.map(line)),
    ...nextOf(lead.next_send_at),
    ...(status.sending ? [] : ofCampaign),
  ];
}

const line = ({ message, until }: SendingStatus["reasons"][number]): string =>
  `  ${plain(message)}${until === null ? "" : ` (until ${until})`}`;

const nextOf = (at: string | null): string[] =>
  at === null ? [] : [`  the next message goes out at ${at}`];

/** Its id in its dataset, of that, of its id in the campaign, or of its address. */
async function findLead({ campaignLeads }: Overture, id: string, text: string): Promise<string> {
  if (isId(text)) {
    const own = await campaignLeads.get(id, text).catch(() => null);
    return own?.lead_id ?? text;
  }
  const wanted = text.toLowerCase();
  for await (const lead of campaignLeads.list(id, { q: text }))
    if (lead.email?.toLowerCase() === wanted) return lead.lead_id;
  throw new Refusal(`No lead of the campaign has the address ${plain(text)}.`);
}
