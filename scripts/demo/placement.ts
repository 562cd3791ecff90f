import type { StackDescription } from "../stack/running.ts";
import type { DemoClients } from "./clients.ts";

/** At operators of the stack's: one spams, one files into categories, one takes a message of a domain every few minutes. */
const SEEDS = ["seed@spams.zz", "seed@tabs.zz", "seed@defers.zz"];
const MINUTE = 60;

interface Mail {
  from_email: string;
  seed_email: string;
  status: string;
  place: string | null;
  category: string | null;
  note: string | null;
}

/** Where the campaign's first message lands, from each of its senders, as one line each. */
export async function tellPlacement(
  { api, advance }: DemoClients,
  { smtp, imap }: StackDescription,
  campaignId: string,
): Promise<string[]> {
  const created = async (path: string, body: unknown) =>
    (await api("POST", path, body)) as { id: string };
  const campaign = (await api("GET", `/api/v1/campaigns/${campaignId}`)) as { alias_ids: string[] };
  const { host, port, security, password } = smtp;
  const seeds: string[] = [];
  for (const email of SEEDS) {
    const transport = { kind: "smtp", host, port, security, username: email, password };
    const inbox = { kind: "imap", ...imap, password };
    const alias = { email, display_name: "Seed", transport, inbox };
    const { id } = await created("/api/v1/mailer/aliases", alias);
    await api("POST", `/api/v1/mailer/aliases/${id}/test`);
    seeds.push(id);
  }
  const { id } = await created("/api/v1/mailer/placement-tests", {
    ...{ alias_ids: campaign.alias_ids, seed_alias_ids: seeds, campaign_id: campaignId, step: 1 },
  });
  await advance(2 * MINUTE);
  const { results } = (await api("GET", `/api/v1/mailer/placement-tests/${id}`)) as {
    results: Mail[];
  };
  return results.map(
    ({ from_email: from, seed_email: seed, status, place, category, note }) =>
      `placement: ${from} to ${seed}: ${place ?? status}${category === null ? "" : `, ${category}`}${note === null ? "" : ` (${note})`}`,
  );
}
