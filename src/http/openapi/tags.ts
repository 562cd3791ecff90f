/** The tags of the operations, in the order in which users meet them. */
export const TAGS: Record<string, string> = {
  Health: "Whether the service lives, is ready, and in what condition each of its parts is.",
  "Authentication and keys":
    "Who a credential belongs to, and the API keys of a workspace. Keys are managed with a login.",
  Workspace: "The workspace that a credential belongs to: its name, time zone and postal address.",
  Members: "Who works in the workspace, in which role, and who was invited.",
  Credits: "What is left to spend, where it went, and buying more.",
  Datasets: "Tables of leads, filled from CSV, JSON, a Google sheet or the prospect pool.",
  Leads: "The rows of a dataset: people, with the fields that texts are made of.",
  "Sender profiles": "Who writes: what a personalized text may say of its sender.",
  Templates: "Texts with variables (Liquid) and alternatives (spintax), used by campaigns.",
  "Mail domains": "Domains to send from, and the DNS records that receivers look for.",
  "Mail aliases": "Addresses to send from, the account behind each, and how much each may send.",
  "Connected accounts":
    "Accounts at the professional network, their limits, and the challenges of a login.",
  "Social posts": "Posts at the professional network, published at once or at a time.",
  "Professional network": "Messages and chats at the professional network.",
  Campaigns:
    "Steps sent to the leads of a dataset, within windows and caps, until somebody answers.",
  "Campaign leads": "How far each lead of a campaign is, and what a person decides about one.",
  Playground: "Drafts of a campaign's texts, written ahead by a model for a person to approve.",
  Personalization: "Texts written by a model for one lead, or for a whole dataset.",
  Emails: "Single mails, sent now or later.",
  "Placement tests":
    "Whether a message lands in the inbox or in spam, seen in mailboxes of the workspace's own.",
  Conversations: "What was sent to people and what they answered.",
  "Inbound mail": "How a relay hands in mail that came back.",
  Suppressions: "Addresses and domains that nothing is sent to.",
  Agents: "What agents would send over `/mcp`, and a person has to confirm.",
  Events:
    "What happened in the workspace, in the order in which it did: each change of a campaign, a lead, a message, a sender.",
  Webhooks:
    "Receivers that events are sent to as they happen, signed (Standard Webhooks), and what became of each delivery.",
  Notifications: "Who is told of replies, bounces and complaints, by email and by WhatsApp.",
  Verification: "Whether an address can be delivered to.",
  Finding: "A person's address or public profile, by name and company.",
  Prospects: "A shared pool of people, searched by tags.",
  "Paid calls":
    "The same lookups without an account, each paid by itself in USDC (x402 version 2).",
};

/** Those that operations have; one without a description here is described by nothing, and `npm run check` says so. */
export const tagsOf = (used: ReadonlySet<string>): { name: string; description: string }[] => [
  ...Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description })),
  ...[...used]
    .filter((name) => !(name in TAGS))
    .toSorted()
    .map((name) => ({ name, description: "" })),
];
