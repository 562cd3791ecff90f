import type { PlacementMail } from "#db/messages/placement-tests.ts";
import type { PlacementLetter } from "#db/schema/index.ts";
import type { PreviewFor } from "#db/campaigns/step-preview.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { literalMessage } from "../compose.ts";
import type { Letter, Sender } from "../deliver.ts";
import { refuse, writeForLead } from "../preview-step.ts";
import { letterOf } from "../write-step.ts";

/** What a test is to say: a campaign's step as one lead would get it, or a text as `POST /mailer/emails` would send it. */
export type PlacementText =
  | { campaignId: string; step: number; target: PreviewFor }
  | { subject: string; body: string };

export interface WrittenTest {
  letter: PlacementLetter;
  campaignId: string | null;
  step: number | null;
  /** The lead's. */
  emailKey: string | null;
}

export async function writeTest(
  deps: Deps,
  principal: Principal,
  text: PlacementText,
): Promise<WrittenTest> {
  if ("body" in text) {
    const letter = { ...literal(text), track_opens: true, track_clicks: false, feedback_id: null };
    return { letter, campaignId: null, step: null, emailKey: null };
  }
  const { campaignId, step } = text;
  const { context, written } = await writeForLead(deps, principal, campaignId, text);
  const {
    subject,
    html,
    text: plain,
    tracking,
    postalAddress,
    feedbackId,
  } = letterOf(
    context,
    // Its thread is the lead's: no seed has got what it goes on from.
    { ...written, threaded: false },
    { messageId: "", to: context.lead.email, date: deps.clock.now() },
  );
  const letter: PlacementLetter = {
    subject,
    html,
    ...(plain === undefined ? {} : { text: plain }),
    track_opens: tracking.opens,
    track_clicks: tracking.clicks,
    ...(postalAddress === undefined ? {} : { postal_address: postalAddress }),
    feedback_id: feedbackId,
  };
  return { letter, campaignId, step, emailKey: emailKey(context.lead.email) };
}

function literal({ subject, body }: { subject: string; body: string }) {
  try {
    return literalMessage({ subject, body, format: bodyFormat(body) });
  } catch (error) {
    return refuse(error);
  }
}

/** The letter to one seed from one alias. Its hits and unsubscriptions are of no message that is known: they count nowhere. */
export function letterTo(
  { alias }: Sender,
  { subject, html, text, ...letter }: PlacementLetter,
  { id: sendId, messageId, toEmail: to }: Pick<PlacementMail, "id" | "messageId" | "toEmail">,
  date: Date,
): Letter {
  const isOfCampaign = letter.feedback_id !== null;
  return {
    ...{ sendId, messageId, to, date, subject, html },
    ...(text === undefined ? {} : { text }),
    tracking: { opens: letter.track_opens, clicks: letter.track_clicks, patterns: [] },
    ...(isOfCampaign && alias.signature !== null ? { signature: alias.signature } : {}),
    ...(letter.postal_address === undefined ? {} : { postalAddress: letter.postal_address }),
    feedbackId: letter.feedback_id,
  };
}
