import type { Chaos } from "./run.ts";

const EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const LEADS = 30;
const NETWORK_LEADS = 6;

interface Setting {
  aliasId: string;
  /** Ids of all that were launched. */
  campaigns: string[];
  launchOne(): Promise<void>;
}

/** Two senders, an account of the network, and campaigns of three steps by mail and of mail and network in turn. */
export async function startCampaigns(chaos: Chaos): Promise<Setting> {
  const created = async (path: string, body: unknown) => {
    const { status, body: answer } = await chaos.call("POST", path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const { host, port, security, username, password } = chaos.service.stack.mailbox.smtp;
  const alias = async (name: string): Promise<string> =>
    (
      await created("/api/v1/mailer/aliases", {
        email: `${name}@sender.zz`,
        display_name: name,
        transport: { kind: "smtp", host, port, security, username, password },
      })
    ).id;
  const aliases = [await alias("ann"), await alias("bob")];
  const campaigns: string[] = [];
  const accountId = await connectAccount(created);
  let made = 0;

  async function launchOne(): Promise<void> {
    const number = made++;
    const isMixed = number % 2 === 1;
    const dataset = await created("/api/v1/datasets", { name: `People ${number}` });
    const rows = Array.from({ length: isMixed ? NETWORK_LEADS : LEADS }, (_, index) => ({
      email: `lead${number}-${index}@inbox.zz`,
      first_name: `Lead ${index}`,
      ...(isMixed
        ? { profile_url: `https://www.linkedin.com/in/quick-lead-${number}-${index}` }
        : {}),
    }));
    await created(`/api/v1/datasets/${dataset.id}/import`, { rows });
    const campaign = await created("/api/v1/campaigns/", {
      name: `Campaign ${number}`,
      dataset_id: dataset.id,
      alias_ids: aliases,
      ...(isMixed ? { type: "mixed", connected_account_id: accountId } : {}),
      sending_window_start: "00:00",
      sending_window_end: "00:00",
      send_days: EVERY_DAY,
      min_interval_seconds: 60,
      steps: isMixed ? MIXED : MAILS,
    });
    await created(`/api/v1/campaigns/${campaign.campaign_id}/launch`, undefined);
    campaigns.push(campaign.campaign_id);
  }
  // One of either kind before anything is disturbed.
  await launchOne();
  await launchOne();
  return { aliasId: aliases[0]!, campaigns, launchOne };
}

const mail = (step: number, delayDays: number) => ({
  step,
  delay_days: delayDays,
  variants: [
    { type: "INLINE", ...(step === 1 ? { subject: "Hello {{ first_name }}" } : {}), body: "Hello" },
  ],
});
const MAILS = [mail(1, 0), mail(2, 1), mail(3, 1)];
const MIXED = [
  { ...mail(1, 0), channel: "email" },
  { step: 2, channel: "socialnet", action_type: "connection_request", delay_days: 0 },
  {
    step: 3,
    channel: "socialnet",
    action_type: "message",
    delay_days: 0,
    message_template: "Thank you, {{ first_name }}.",
  },
];

/** The network asks for a code on the way; this one's is always the same. */
async function connectAccount(
  // oxlint-disable-next-line typescript/no-explicit-any
  created: (path: string, body: unknown) => Promise<any>,
): Promise<string> {
  const { checkpoint_token: token } = await created("/api/v1/connected-accounts/connect", {
    provider: "socialnet",
    username: "otp@overture-chaos.zz",
    password: "not kept anywhere",
  });
  const { account } = await created("/api/v1/connected-accounts/checkpoint", {
    checkpoint_token: token,
    code: "123456",
  });
  return account.id;
}
