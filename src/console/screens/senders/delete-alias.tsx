import { call } from "../../api/call.ts";
import type { MailAlias } from "../../api/schema.ts";
import type { Action } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { toast } from "../../parts/toast.tsx";
import { count } from "../../pure/words.ts";
import { go } from "../../router.ts";

/** Says first what hangs on it. */
export async function askToDeleteAlias(
  alias: MailAlias,
  etag: string | null | undefined,
  remove: Action<"deleteMailAlias">,
): Promise<void> {
  const { items: campaigns } = await call("listCampaigns", {
    query: { limit: 100, fields: "alias_ids,status" },
  }).catch(() => ({ items: [] }));
  const naming = campaigns.filter(({ alias_ids: ids }) => ids?.includes(alias.id));
  const isSure = await confirm({
    title: `Delete ${alias.email}?`,
    body: "Nothing is sent from it any more, and its password is forgotten. What it sent stays in reports and conversations.",
    facts: [
      ["Sent today", count(alias.sent_today, "message")],
      ["Named by", count(naming.length, "campaign")],
    ],
    confirm: "Delete the alias",
    isDangerous: true,
  });
  if (!isSure) return;
  if (await remove.run({ params: { alias_id: alias.id } }, { ifMatch: etag })) {
    toast(`${alias.email} is deleted.`);
    go("/senders");
  }
}
