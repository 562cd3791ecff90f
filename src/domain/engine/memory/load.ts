import type { SendContext } from "#db/engine.ts";
import type { Send } from "./rows.ts";
import type { State } from "./state.ts";

/** What a tick needs to know of these sends. The model knows who gets mail from whom and when, not what it says. */
export function load(state: State, sendIds: string[]): SendContext[] {
  const contexts: SendContext[] = [];
  for (const id of sendIds) {
    const send = state.sends.get(id);
    const step = send?.campaign.steps[send.step - 1];
    if (send === undefined || step === undefined || !send.lane.exists) continue;
    const { campaign, lead, lane } = send;
    contexts.push({
      sendId: id,
      step,
      nextDelayDays: campaign.steps[send.step]?.delay_days ?? null,
      timezone: campaign.timezone,
      zone: lead.zone,
      campaign: { id: campaign.id, name: "" },
      workspace: WORKSPACE,
      lead: { campaignLeadId: lead.id, email: lead.emailKey, fields: {} },
      alias: { ...ALIAS, id: lane.id },
      domain: null,
      templates: [],
      senderProfiles: [],
      ...threadOf(send),
      attempts: send.attempts,
    });
  }
  return contexts;
}

const WORKSPACE = { id: "", postalAddress: null };

const ALIAS: Omit<SendContext["alias"], "id"> = {
  email: "",
  displayName: "",
  replyTo: null,
  signature: null,
  transportKind: "smtp",
  transportSettings: { host: "", port: 0, security: "none" },
  transportSecret: null,
};

function threadOf({ lead, lane, step }: Send): Pick<SendContext, "previous" | "firstSubject"> {
  const previous: SendContext["previous"] = [];
  let firstSubject: string | null | undefined;
  for (let before = 1; before < step; before++) {
    const send = lead.sends[before];
    if (send === undefined || (send.state !== "accepted" && send.state !== "assumed_sent"))
      continue;
    if (firstSubject === undefined) firstSubject = send.subject;
    if (send.lane === lane && send.messageId !== null)
      previous.push({ step: before, messageId: send.messageId, subject: send.subject });
  }
  return { previous, firstSubject: firstSubject ?? null };
}
