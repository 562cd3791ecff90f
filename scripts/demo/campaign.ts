import { setTimeout as delay } from "node:timers/promises";
import type { StackDescription } from "../stack/running.ts";
import { COMPANY_SITES } from "../stack/web/companies.ts";
import type { DemoClients } from "./clients.ts";
import { verifyDomain } from "./domain.ts";
import { approveDrafts } from "./drafts.ts";
import { leaveOutInvalid } from "./verification.ts";

export const DEMO_NAME = "Demo: three steps over three days";
export const STEP_COUNT = 3;

const PEOPLE = [
  ["Ada", "Lovelace", "Analytical Engines", "Chief of Research"],
  ["Grace", "Hopper", "Compiler Works", "Rear Admiral"],
  ["Katherine", "Johnson", "Orbital Charts", "Lead Analyst"],
  ["Hedy", "Lamarr", "Spread Spectrum", "Inventor"],
  ["Radia", "Perlman", "Spanning Trees", "Network Architect"],
  ["Barbara", "Liskov", "Substitution Ltd", "Professor"],
  ["Frances", "Allen", "Optimal Code", "Fellow"],
  ["Margaret", "Hamilton", "Priority Displays", "Director"],
  ["Jean", "Bartik", "Eniac Services", "Programmer"],
  ["Shafi", "Goldwasser", "Zero Knowledge", "Founder"],
  ["Ángela", "Ruiz Robles", "Libros Mecánicos", "Autora"],
  ["Sophie", "Wilson", "Reduced Instructions", "Designer"],
  // People who left their companies: their addresses have no mailbox any more.
  ["Ulla", "Holm", "Moved Away", "Formerly of Sales"],
  ["Ivo", "Kranz", "Typed In Wrong", "Unknown"],
] as const;

/** Creates and launches the demo campaign through the API; resolves with its id when it is under way. */
export async function createCampaign(
  { api }: DemoClients,
  { smtp, imap, dns_url: dnsUrl }: StackDescription,
): Promise<string> {
  const created = async (path: string, body: unknown) =>
    (await api("POST", path, body)) as { id: string };
  await api("PATCH", "/api/v1/workspace", {
    postal_address: "Overture Demo, 1 Loopback Street, 12701 Localhost",
  });
  await created("/api/v1/sender-profiles/", {
    name: "Demo sender",
    full_name: "Max Overture",
    company: "Overture Demo",
    value_proposition: "Sending that explains itself",
  });
  await verifyDomain(api, dnsUrl, "overture-demo.zz");
  const aliases = [];
  for (const [name, email] of [
    ["Max Overture", "max@overture-demo.zz"],
    ["Mia Overture", "mia@overture-demo.zz"],
  ]) {
    const { host, port, security, password } = smtp;
    const transport = { kind: "smtp", host, port, security, username: email, password };
    const inbox = { kind: "imap", ...imap, password };
    const alias = { email, display_name: name, transport, inbox };
    const { id } = await created("/api/v1/mailer/aliases", alias);
    // Opens the account and the inbox, and mails a token to where replies go.
    await api("POST", `/api/v1/mailer/aliases/${id}/test`);
    aliases.push(id);
  }
  const dataset = await created("/api/v1/datasets", { name: "Demo leads" });
  const form = new FormData();
  form.set("file", new File([toCsv()], "leads.csv", { type: "text/csv" }));
  const report = (await api("POST", `/api/v1/datasets/${dataset.id}/import`, form)) as {
    created: number;
  };
  console.log(`  ${report.created} leads imported`);
  await leaveOutInvalid(api, dataset.id);

  const first = await created("/api/v1/templates", {
    name: "Demo, first touch",
    channel: "email",
    subject: "{{ first_name }}, a question about {{ company }}",
    body: `<p>{Hello|Dear} {{ first_name }},</p>
<p>I read about your work as {{ title | default: "a pioneer" }} at <b>{{ company }}</b>. We built a service that says <i>why</i> each message was or was not sent:
<a href="https://example.com/overture?from=demo&amp;step=1">see how it works</a>.</p>
<p>Would that be of use to you?</p><p>{{ sender.full_name }}</p>`,
    format: "html",
  });
  const campaign = (await api("POST", "/api/v1/campaigns/", {
    name: DEMO_NAME,
    dataset_id: dataset.id,
    alias_ids: aliases,
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    min_interval_seconds: 60,
    steps: [
      {
        step: 1,
        delay_days: 0,
        track_clicks: true,
        variants: [{ type: "TEMPLATE", template_id: first.id }],
      },
      {
        ...followUp(2, "I wondered whether you had a moment to look at this."),
        ai_personalization_enabled: true,
      },
      followUp(3, "This is my last note; I will not write again."),
    ],
  })) as { campaign_id: string };
  await approveDrafts(api, campaign.campaign_id, 2);
  await launch(api, campaign.campaign_id);
  return campaign.campaign_id;
}

/** An empty subject continues the thread. */
function followUp(step: number, text: string) {
  const body = `<p>Hi {{ first_name }},</p><p>${text} <a href="https://example.com/overture?step=${step}">The short version</a>.</p><p>{{ sender.full_name }}</p>`;
  return { step, delay_days: 1, track_clicks: true, variants: [{ type: "INLINE", body }] };
}

async function launch(api: DemoClients["api"], campaignId: string): Promise<void> {
  await api("POST", `/api/v1/campaigns/${campaignId}/launch`);
  for (let tries = 0; tries < 200; tries++) {
    const { status, launch_error: why } = (await api("GET", `/api/v1/campaigns/${campaignId}`)) as {
      status: string;
      launch_error: string | null;
    };
    if (status === "failed") throw new Error(`The launch failed: ${why}`);
    if (status !== "launching") return;
    await delay(50);
  }
  throw new Error("The launch job did not finish within 10 s; .local/worker.log may say why.");
}

type Person = (typeof PEOPLE)[number];

function addressOf([first, last]: Person): string {
  const local = `${first}.${last}`.normalize("NFD").replace(/[^A-Za-z.]/g, "");
  return `${local.toLowerCase()}@inbox.zz`;
}

/** Where the campaign's messages go. */
export const ADDRESSES = PEOPLE.map(addressOf);

function toCsv(): string {
  const rows = PEOPLE.map((person) => {
    const [first, last, company, title] = person;
    const site = COMPANY_SITES.find(({ name }) => name === company)?.host ?? "";
    return [addressOf(person), first, last, company, title, site].join(",");
  });
  return ["email,First Name,Last Name,company_name,role,website", ...rows].join("\r\n");
}
