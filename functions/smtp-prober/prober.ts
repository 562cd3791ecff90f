import { classify } from "#src/domain/research/verification/classify.ts";
import { isOperators } from "#src/domain/research/verification/operator.ts";
import { systemClock } from "#src/platform/system.ts";
import { createDohDns } from "#src/providers/dns/doh.ts";
import type { Dial } from "#src/providers/mail/index.ts";
import { createSmtpProbe } from "#src/providers/probe/smtp-probe.ts";
import { paceByAddress } from "./address-pace.ts";
import { createAdmission } from "./admission.ts";
import { createNodeDial } from "./node-dial.ts";
import { createProberServer } from "./server.ts";
import type { ProberSettings } from "./settings.ts";

/** The prober of these settings, not yet listening: the service's own dialogue over the sockets of this machine. */
export function createProber(
  settings: ProberSettings,
  {
    dial = createNodeDial({ anyCertificate: true }),
    log,
  }: { dial?: Dial; log: (line: string) => void },
) {
  const { secret, ehloName, sender, concurrency, intervalMs, probePort, loopback, resolverUrls } =
    settings;
  const probe = createSmtpProbe({
    dial: paceByAddress(dial, systemClock, { intervalMs, isKnown: isOperators }),
    dns: createDohDns({ fetch, resolverUrls }),
    clock: systemClock,
    caller: { ehloName, sender },
    port: probePort,
    loopback,
    readReply: classify,
  });
  const admission = createAdmission(secret, () => systemClock.now());
  return createProberServer({ probe, admission, concurrency, log });
}
