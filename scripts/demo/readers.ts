import type { DemoClients } from "./clients.ts";

interface Message {
  id: string;
  to: string[];
  received_at: string;
  html: string;
  headers: Record<string, string | string[]>;
}

interface StepCounts {
  sent: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
  answered: number;
}

const ANSWER = "Interesting. Could you call me on Thursday?";

export interface Readers {
  /** Opens, clicks, answers and unsubscribes as the demo's leads would. */
  readNewMail(): Promise<void>;
  step(step: number): StepCounts;
}

/** Every third lead never looks; every fourth follows the link; the sixth wants no more after the second message, the seventh answers the first. Mail to other addresses is left alone. */
export function createReaders(
  { mailbox }: Pick<DemoClients, "mailbox">,
  leads: readonly string[],
): Readers {
  const counts = new Map<number, StepCounts>();
  const seen = new Set<string>();
  const people: string[] = [];
  const step = (number: number): StepCounts => {
    const known = counts.get(number) ?? {
      sent: 0,
      opened: 0,
      clicked: 0,
      unsubscribed: 0,
      answered: 0,
    };
    counts.set(number, known);
    return known;
  };
  return {
    step,
    async readNewMail() {
      const messages = (await mailbox("GET", "/api/messages")) as Message[];
      for (const message of messages.filter(({ id }) => !seen.has(id))) {
        seen.add(message.id);
        const [person = ""] = message.to;
        if (!leads.includes(person)) continue;
        if (!people.includes(person)) people.push(person);
        const place = people.indexOf(person);
        const count = step(stepOf(message));
        count.sent += 1;
        if (place % 3 === 2 && place !== 5) continue;
        await mailbox("POST", `/api/messages/${message.id}/open`);
        count.opened += 1;
        const link = /href="([^"]*\/c\/[^"]*)"/.exec(message.html)?.[1];
        if (place % 4 === 0 && link !== undefined) {
          await mailbox("POST", `/api/messages/${message.id}/click`, { url: link });
          count.clicked += 1;
        }
        if (place === 6 && stepOf(message) === 1) {
          await mailbox("POST", `/api/messages/${message.id}/reply`, { text: ANSWER });
          count.answered += 1;
        }
        if (place === 5 && stepOf(message) === 2) {
          await mailbox("POST", `/api/messages/${message.id}/unsubscribe`);
          count.unsubscribed += 1;
        }
      }
    },
  };
}

/** How deep in its thread a message stands: a follow-up names every message before it. */
function stepOf({ headers }: Message): number {
  return (String(headers["references"] ?? "").match(/<[^>]+>/g)?.length ?? 0) + 1;
}
