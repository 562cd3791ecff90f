import { type Incoming, postMail, rawMail } from "../../../support/incoming.ts";
import { sending, tenant } from "../../../support/sending.ts";

const STEPS = [{ delayDays: 0 }, { delayDays: 1 }];

/** One message of a campaign that went out, and its lead. */
export async function sentOne() {
  const rows = await sending.campaign(tenant, { leads: 1, steps: STEPS });
  await sending.tick();
  const [send] = await sending.sendsOf(rows.campaignId);
  const { rows: aliases } = await sending.api.sql.query(
    "select email from mail_aliases where id = $1",
    [rows.aliasIds[0]],
  );
  return {
    ...rows,
    send,
    alias: aliases[0].email as string,
    messageId: send.message_id as string,
    lead: () => sending.leadOf(rows.campaignLeadIds[0]!),
  };
}
/** With the envelope sender that people's mail has; reports have none. */
export const post = (raw: string, to: string) =>
  postMail(
    sending.api,
    raw,
    to,
    /delivery-status|feedback-report/.test(raw) ? {} : { from: "someone@elsewhere.zz" },
  );
export const reply = (alias: string, messageId: string, more: Partial<Incoming> = {}) =>
  rawMail({
    from: "Ada <lead1@example.zz>",
    to: alias,
    headers: [`In-Reply-To: <${messageId}>`, `References: <${messageId}>`],
    body: "Sounds good, call me.\r\n\r\nOn Monday Sender wrote:\r\n> Step 1 for Lead 1\r\n",
    ...more,
  });
export const suppressions = async () =>
  (
    await sending.api.sql.query("select value, reason from suppressions where workspace_id = $1", [
      tenant.workspaceId,
    ])
  ).rows;
export const conversations = async () =>
  (await tenant.call("GET", "/api/v1/conversations")).body.items;
