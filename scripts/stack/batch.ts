import type { BatchOutcome, DeliveredMessage } from "./worker-link.ts";

/**
 * Messages as a `queue` handler gets them, and what follows from how it left them: of a message the first word counts, and
 * without one it is acknowledged, unless the handler threw
 * (https://developers.cloudflare.com/queues/configuration/batching-retries/).
 */
export function openBatch(delivered: readonly DeliveredMessage[]) {
  const said = new Map<string, { retry: boolean; delaySeconds: number | null }>();
  const say = (id: string, retry: boolean, delaySeconds: number | null = null) => {
    if (!said.has(id)) said.set(id, { retry, delaySeconds });
  };
  return {
    messages: delivered.map(({ id, timestamp, body, attempts }) => ({
      id,
      timestamp: new Date(timestamp),
      body: JSON.parse(body) as unknown,
      attempts,
      ack: () => say(id, false),
      retry: (options?: { delaySeconds?: number }) => say(id, true, options?.delaySeconds),
    })),
    outcome: (hasThrown: boolean): BatchOutcome => ({
      retries: delivered.flatMap(({ id }) => {
        const { retry, delaySeconds } = said.get(id) ?? { retry: hasThrown, delaySeconds: null };
        return retry ? [{ id, delay_seconds: delaySeconds }] : [];
      }),
    }),
  };
}
