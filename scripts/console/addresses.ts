import { consolePatterns } from "./patterns.ts";
import type { StackDescription } from "../stack/running.ts";

/** The list whose oldest row fills the part of a pattern that begins so, and the row's name for it. */
const EXAMPLES: [beginning: string, list: string, field: string][] = [
  ["/campaigns/:id", "campaigns/", "campaign_id"],
  ["/drafts/:batch", "campaigns/{id}/playground/batches", "batch_id"],
  ["/inbox/:id", "conversations", "id"],
  ["/people/:dataset", "datasets", "id"],
  ["/person/:lead", "leads?q=a", "id"],
  ["/senders/aliases/:id", "mailer/aliases", "id"],
  ["/senders/domains/:id", "mailer/domains", "id"],
  ["/senders/profiles/:id", "sender-profiles/", "id"],
  ["/settings/webhooks/:id", "webhooks", "id"],
  ["/templates/:id", "templates", "id"],
];

interface Address {
  pattern: string;
  path: string;
}

/** Patterns with their parts filled in from what the demo made. */
export async function addressesOf(
  running: StackDescription,
): Promise<{ pages: Address[]; left: string[] }> {
  const pages: Address[] = [];
  const left: string[] = [];
  const made: Record<string, string> = {
    "/emails/:id": await sentEmail(running),
    "/invitations/:token": await invitation(running),
    "/senders/placement/:id": await placementTest(running),
  };
  for (const pattern of await consolePatterns()) {
    if (pattern in made) {
      pages.push({ pattern, path: pattern.replace(/:\w+/, made[pattern]!) });
      continue;
    }
    const example = EXAMPLES.find(([beginning]) => pattern.startsWith(beginning));
    if (example === undefined && pattern.includes(":")) {
      left.push(pattern);
      continue;
    }
    const id = example && (await exampleOf(running, example[1], example[2]));
    if (example !== undefined && id === undefined) left.push(pattern);
    else pages.push({ pattern, path: pattern.replace(/:\w+/, id ?? "") });
  }
  return { pages, left };
}

async function exampleOf(
  running: StackDescription,
  list: string,
  field: string,
): Promise<string | undefined> {
  if (!list.includes("{id}")) return (await itemsOf(running, list)).at(-1)?.[field];
  for (const { campaign_id: id } of await itemsOf(running, "campaigns/")) {
    const [first] = await itemsOf(running, list.replace("{id}", id!));
    if (first) return first[field];
  }
  return undefined;
}

/** The demo has no email of its own. */
async function sentEmail(running: StackDescription): Promise<string> {
  const [alias] = await itemsOf(running, "mailer/aliases");
  const { id } = await post(running, "mailer/emails", {
    alias_id: alias!["id"],
    to_email: "ada.lovelace@inbox.zz",
    subject: "The slides of yesterday",
    body: "<p>Dear Ada,</p><p>here are the slides that you asked for.</p><p>Max</p>",
  });
  return id!;
}

async function placementTest(running: StackDescription): Promise<string> {
  const [alias, seed] = await itemsOf(running, "mailer/aliases");
  const { id } = await post(running, "mailer/placement-tests", {
    alias_ids: [alias!["id"]],
    seed_alias_ids: [seed!["id"]],
    subject: "Ada, a question about Analytical Engines",
    body: "<p>Would that be of use to you?</p>",
  });
  return id!;
}

/** What its link leads to. */
async function invitation(running: StackDescription): Promise<string> {
  const { url } = await post(running, "workspace/invitations", {
    email: "grace@inbox.zz",
    role: "member",
  });
  return new URL(url!).pathname.split("/").at(-1)!;
}

const itemsOf = async (running: StackDescription, list: string) =>
  ((await ask(running, list)) as { items: Record<string, string>[] }).items;

export const post = async (running: StackDescription, path: string, body: object) =>
  (await ask(running, path, { method: "POST", body: JSON.stringify(body) })) as Record<
    string,
    string
  >;

async function ask(
  { base_url: base, jwt }: StackDescription,
  path: string,
  init: RequestInit = {},
): Promise<unknown> {
  const answer = await fetch(`${base}/api/v2/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${jwt}`, "content-type": "application/json" },
  });
  if (!answer.ok)
    throw new Error(
      `${init.method ?? "GET"} ${path} answered ${answer.status}: ${await answer.text()}`,
    );
  return answer.json();
}
