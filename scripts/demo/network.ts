import type { DemoClients } from "./clients.ts";

const NAME = "Demo: email first, then the network";
/** The words of the slug say what the person does: accepts soon, and answers. */
const PERSON = {
  first_name: "Mara",
  last_name: "Linde",
  company: "Harbour Pilots",
  email: "mara.linde@inbox.zz",
  profile_url: "https://www.linkedin.com/in/quick-answers-mara-linde",
};

const ACTS = {
  send_email: "was sent an email, which she left unanswered",
  connection_request: "was asked to connect on the network a day later, and accepted",
  message: "got a message there",
};

const STEPS = [
  {
    step: 1,
    channel: "email",
    delay_days: 0,
    track_opens: false,
    variants: [
      {
        type: "INLINE",
        subject: "{{ first_name }}, who pilots your outreach?",
        body: "<p>Hi {{ first_name }},</p><p>does {{ company }} know why each of its messages was sent?</p><p>{{ sender.full_name }}</p>",
      },
    ],
  },
  {
    step: 2,
    channel: "socialnet",
    action_type: "connection_request",
    delay_days: 1,
    message_template: "Hi {{ first_name }}, I wrote to you about {{ company }}; shall we connect?",
  },
  {
    step: 3,
    channel: "socialnet",
    action_type: "message",
    delay_days: 0,
    message_template:
      "Thank you, {{ first_name }}. May I show you how sending explains itself, in ten minutes?",
  },
] as const;

interface Campaign {
  campaign_id: string;
  status: string;
}

/**
 * A campaign over mail and the network to one lead, from an account that is connected with a code; launched, and then
 * left to the engine. Resolves with its id, also when an earlier start made it.
 */
export async function startNetworkCampaign({ api }: DemoClients): Promise<string> {
  const path = `/api/v1/campaigns/?name=${encodeURIComponent(NAME)}`;
  const [known] = (await api("GET", path)) as Campaign[];
  if (known !== undefined) return known.campaign_id;
  const account = await connectAccount(api);
  const dataset = (await api("POST", "/api/v1/datasets", { name: "Demo people" })) as {
    id: string;
  };
  await api("POST", `/api/v1/datasets/${dataset.id}/import`, { rows: [PERSON] });
  const aliases = (await api("GET", "/api/v1/mailer/aliases")) as { id: string }[];
  const { campaign_id: id } = (await api("POST", "/api/v1/campaigns/", {
    name: NAME,
    type: "mixed",
    dataset_id: dataset.id,
    alias_ids: aliases.map((alias) => alias.id),
    connected_account_id: account,
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    min_interval_seconds: 60,
    steps: STEPS,
  })) as Campaign;
  await api("POST", `/api/v1/campaigns/${id}/launch`);
  return id;
}

/** The network asks for a code on the way, as it mostly does; this one's is always the same. */
async function connectAccount(api: DemoClients["api"]): Promise<string> {
  const asked = (await api("POST", "/api/v1/connected-accounts/connect", {
    provider: "socialnet",
    username: "otp@overture-demo.zz",
    password: "not kept anywhere",
  })) as { checkpoint_type: string; checkpoint_token: string };
  const { account } = (await api("POST", "/api/v1/connected-accounts/checkpoint", {
    checkpoint_token: asked.checkpoint_token,
    code: "123456",
  })) as { account: { id: string; display_name: string; status: string } };
  console.log(
    `  the network account of ${account.display_name} is ${account.status}; it asked for a code (${asked.checkpoint_type})`,
  );
  return account.id;
}

/** What became of the lead, in lines. */
export async function tellNetworkCampaign(
  { api }: DemoClients,
  campaignId: string,
): Promise<string[]> {
  const { items: leads } = (await api("GET", `/api/v1/campaigns/${campaignId}/leads`)) as {
    items: { current_step: number; status: string }[];
  };
  const [lead] = leads;
  const { items: threads } = (await api(
    "GET",
    `/api/v1/conversations?campaign_id=${campaignId}`,
  )) as { items: { id: string }[] };
  const messages = (
    await Promise.all(threads.map(({ id }) => api("GET", `/api/v1/conversations/${id}`)))
  ).flatMap((thread) => (thread as { messages: { direction: string; text: string }[] }).messages);
  const done = STEPS.slice(0, lead?.current_step ?? 0).map(
    (step) => `  ${ACTS["action_type" in step ? step.action_type : "send_email"]}`,
  );
  const answers = messages
    .filter(({ direction }) => direction === "in")
    .map(({ text }) => `  answered there: "${text}"`);
  return [
    `${PERSON.first_name} ${PERSON.last_name}, in a campaign over mail and the network (now ${lead?.status}):`,
    ...done,
    ...answers,
  ];
}
