/** Where one goes to do something about it, and what the link says. Null: there is no page for it. */
export interface AttentionPlace {
  path: string;
  label: string;
}

interface Item {
  kind: string;
  subject: { type: string; id: string | null };
}

export function attentionPlace({ kind, subject }: Item): AttentionPlace | null {
  const { type, id } = subject;
  if (kind.startsWith("credits_")) return { path: "/credits", label: "Buy credits" };
  if (type === "api_key") return { path: "/settings/api-keys", label: "Make another key" };
  if (type === "workspace") return { path: "/settings/workspace", label: "Open the settings" };
  if (id === null) return null;
  const at = encodeURIComponent(id);
  switch (type) {
    case "campaign":
      if (kind === "personalization_review_pending")
        return { path: `/campaigns/${at}`, label: "Review its drafts" };
      if (kind === "leads_held")
        return { path: `/campaigns/${at}/leads`, label: "See who is held" };
      return { path: `/campaigns/${at}`, label: "Open the campaign" };
    case "alias":
      return { path: `/senders/aliases/${at}`, label: "Mend the sender" };
    case "domain":
      return {
        path: `/senders/domains/${at}`,
        label: kind === "domain_failing" ? "Compare the records" : "See the rules",
      };
    case "conversation":
      return { path: `/inbox/${at}`, label: "Read it" };
    case "webhook":
      return { path: `/settings/webhooks/${at}`, label: "See its deliveries" };
    case "connected_account":
      return { path: "/network", label: "Open the account" };
    case "post":
      return { path: "/posts", label: "Open the posts" };
    default:
      return null;
  }
}
