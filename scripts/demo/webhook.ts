import type { StackDescription } from "../stack/running.ts";
import type { DemoClients } from "./clients.ts";

const NAME = "demo";

/** A webhook to the stack's receiver, which is told the secret, as a user would. */
export async function startDemoWebhook(
  { api }: DemoClients,
  { receiver_url: receiver }: StackDescription,
): Promise<void> {
  const url = `${receiver}/hooks/${NAME}`;
  const { secret } = (await api("POST", "/api/v1/webhooks", {
    url,
    description: "The demo's",
  })) as {
    secret: string;
  };
  await tell(receiver, { secret });
}

/** What it got by now, and how much of it was rightly signed. */
export async function tellDemoWebhook({
  receiver_url: receiver,
}: StackDescription): Promise<string[]> {
  const response = await fetch(`${receiver}/api/hooks/${NAME}`);
  if (!response.ok) return [];
  const { events } = (await response.json()) as { events: { signature: string }[] };
  const right = events.filter(({ signature }) => signature === "right").length;
  return [
    `${events.length} events arrived by a webhook, ${right} of them rightly signed: ${receiver}/#/hook/${NAME}`,
  ];
}

async function tell(receiver: string, body: { secret: string }): Promise<void> {
  await fetch(`${receiver}/api/hooks/${NAME}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
