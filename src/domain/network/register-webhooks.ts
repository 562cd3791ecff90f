import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

export const NETWORK_WEBHOOK = "/api/v1/socialnet/webhook";
const REGISTERED_SECONDS = 86_400;

/**
 * Part of the regular full check: registers the service's webhooks at the provider, where they are missing. Checked
 * once a day, and at once after the deployment's address or secret has changed.
 */
export async function registerNetworkWebhooks({
  network,
  cache,
  settings,
  log,
}: Deps): Promise<void> {
  if (network === null) return;
  const url = new URL(NETWORK_WEBHOOK, settings.publicBaseUrl).href;
  const key = `network:webhooks:${await sha256Hex(url)}`;
  const registration = await network.events.registrationOf(url);
  if ((await cache.get(key).catch(() => null)) === registration) return;
  const answer = await network.events.ensureRegistered(url);
  if (!answer.ok) {
    log.error("network_webhooks_not_registered", { code: answer.failure.code });
    return;
  }
  if (answer.value.created > 0)
    log.info("network_webhooks_registered", { created: answer.value.created });
  await cache.set(key, registration, REGISTERED_SECONDS).catch(() => {});
}
