import * as z from "zod";
import { planOfSending } from "#src/domain/campaigns/launch/send-plan.ts";
import { preflightCampaign } from "#src/domain/campaigns/preflight/preflight.ts";
import { findDestination } from "#src/domain/messages/answer.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { Refusal } from "../api.ts";
import { confirmed } from "../confirm.ts";
import { type Answer, type Asker, tool } from "../tool.ts";
import { at, confirmToken, id, SENDS } from "./fields.ts";

/** As far as the forecast of a preview looks. */
const FORECAST_DAYS = 14;

/** What a launch would do, for its preview; the confirmation is bound to the cost, and not to its words, which tell the balance: other work moves it. */
async function previewOf(asker: Asker, campaignId: string) {
  const campaign = `/campaigns/${at(campaignId)}`;
  const [record, forecast] = await Promise.all([
    asker.api.get(campaign),
    asker.api.get(`${campaign}/forecast`, { days: FORECAST_DAYS, limit: 1 }),
  ]);
  const { checks, cost } = await preflightCampaign(asker.deps, asker.principal!, campaignId);
  return {
    record,
    cost,
    costInWords: checks.find(({ name }) => name === "credits_sufficient")?.message ?? null,
    checks: checks.filter(({ ok }) => !ok),
    firstDate: (forecast.days[0]?.date ?? null) as string | null,
    sends: forecast.total_sends as number,
  };
}

const launchCampaign = tool({
  name: "launch_campaign",
  title: "Launch or resume",
  description:
    "launch: begin to send a draft, at once or at its start date. resume: go on with a paused one. Needs confirmation: the first call sends nothing and answers what would be sent.",
  input: z.object({
    campaign_id: id("the campaign"),
    action: z.enum(["launch", "resume"]),
    confirm_token: confirmToken,
  }),
  scopes: ["campaigns:send"],
  hints: SENDS,
  run: async (asker, { campaign_id, action, confirm_token }) => {
    const { record, cost, costInWords, checks, firstDate, sends } = await previewOf(
      asker,
      campaign_id,
    );
    const plan = await planOfSending(asker.deps, asker.principal!, campaign_id);
    const preview = {
      campaign_id,
      name: record.name,
      action,
      recipients: plan.recipients,
      first_date: firstDate,
      messages_in_14_days: sends,
      cost: costInWords,
      checks,
    };
    const verb = action === "launch" ? "Launch" : "Resume";
    return confirmed(
      asker,
      {
        tool: "launch_campaign",
        args: { campaign_id, action },
        plan: { ...plan, firstDate, cost },
        title: `${verb} “${record.name}” to ${plan.recipients} recipients`,
        preview,
      },
      confirm_token,
      {
        path: `/campaigns/${at(campaign_id)}/${action}`,
        tell: ({ name, status }) => ({ campaign_id, name, status }),
      },
    );
  },
});

const sendEmail = tool({
  name: "send_email",
  title: "Send one email",
  description:
    "Answer a conversation (conversation_id), or write to one address of your datasets (to_email, subject, alias_id). Needs confirmation: the first call sends nothing and answers a preview.",
  input: z.object({
    conversation_id: z.string().max(36).optional(),
    to_email: z.string().max(320).optional(),
    subject: z.string().max(998).optional(),
    alias_id: z.string().max(36).optional().describe("The address to send from."),
    body: z.string().min(1).max(50_000).describe("HTML where it has a tag, else text."),
    confirm_token: confirmToken,
  }),
  scopes: ["mailer:send", "conversations:send"],
  hints: SENDS,
  run: async (asker, { confirm_token, ...given }) => {
    const order =
      given.conversation_id === undefined
        ? await newMessage(asker, { ...EMPTY, ...given })
        : await answer(asker, given.conversation_id, given.body);
    return confirmed(
      asker,
      {
        tool: "send_email",
        args: given,
        plan: order.plan,
        title: order.isMail ? `Send an email to ${order.to}` : `Say on the network to ${order.to}`,
        preview: {
          ...(order.isMail ? { to_email: order.to } : { to_name: order.to }),
          ...{ subject: given.subject ?? null, body: given.body },
        },
        ...(order.address === null ? {} : { emailKey: emailKey(order.address) ?? order.address }),
      },
      confirm_token,
      order,
    );
  },
});

interface Order {
  to: string;
  isMail: boolean;
  /** Of who is written to, on the network too where it is known. */
  address: string | null;
  path: string;
  body: Answer;
  plan: unknown;
}

type NewMessage = Record<"to_email" | "subject" | "alias_id", string | undefined> & {
  body: string;
};

const EMPTY = { to_email: undefined, subject: undefined, alias_id: undefined };

/** To an address of a dataset alone: what a mail or a page tells the agent to write to is no lead. */
async function newMessage({ api }: Asker, given: NewMessage): Promise<Order> {
  const { to_email, subject, alias_id, body } = given;
  if (to_email === undefined || subject === undefined || alias_id === undefined)
    throw new Refusal({
      code: "VALIDATION_ERROR",
      message: "Give conversation_id, or to_email, subject and alias_id.",
    });
  const key = emailKey(to_email);
  const found = key === null ? [] : (await api.get("/leads", { q: to_email, limit: 50 })).items;
  if (!(found as { email: string | null }[]).some(({ email }) => emailKey(email ?? "") === key))
    throw new Refusal({
      code: "RECIPIENT_UNKNOWN",
      message: "This address is in none of your datasets, and no conversation was given.",
    });
  return {
    to: to_email,
    isMail: true,
    address: to_email,
    path: "/mailer/emails",
    body: { to_email, subject, alias_id, body },
    plan: null,
  };
}

/** Bound to the newest message: what comes in after the preview makes another one. */
async function answer(
  { api, deps, principal }: Asker,
  conversationId: string,
  body: string,
): Promise<Order> {
  const read = await api.get(`/conversations/${at(conversationId)}`);
  const newest = read.messages.at(-1)?.id as string | undefined;
  const { name, email } = read.counterpart;
  const destination = await findDestination(deps, principal!, conversationId);
  const isMail = destination?.channel !== "socialnet";
  const to = (destination?.toEmail ??
    (isMail ? (email ?? name) : (name ?? email)) ??
    "this conversation") as string;
  return {
    to,
    isMail,
    address: destination?.toEmail ?? email,
    path: `/conversations/${at(conversationId)}/reply`,
    body: { body, ...(newest === undefined ? {} : { if_last_message_id: newest }) },
    plan: { newest: newest ?? null, isMail, to },
  };
}

export const sendTools = [launchCampaign, sendEmail];
