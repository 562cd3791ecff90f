import { sha256Hex } from "#src/platform/encoding.ts";

/**
 * The Message-ID of a campaign message, without brackets: the same for every
 * attempt at (lead, step), so that receivers that de-duplicate collapse a
 * rare double, and unguessable enough to be matched in replies.
 */
export async function campaignMessageId(
  campaignLeadId: string,
  step: number,
  domain: string,
): Promise<string> {
  const digest = await sha256Hex(`message-id ${campaignLeadId} ${step}`);
  return `${digest.slice(0, 32)}@${domain}`;
}
