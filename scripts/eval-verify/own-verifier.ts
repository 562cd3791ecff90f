import { askMailHosts, planVerification } from "#src/domain/research/verification/ask.ts";
import { classify } from "#src/domain/research/verification/classify.ts";
import { findMailHosts, hostsToAsk } from "#src/domain/research/verification/mail-hosts.ts";
import { REASONS } from "#src/domain/research/verification/outcome.ts";
import { prefilter } from "#src/domain/research/verification/prefilter/prefilter.ts";
import { readTarget } from "#src/domain/research/verification/target.ts";
import { createIds } from "#src/platform/ids.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { createSmtpProbe } from "#src/providers/probe/smtp-probe.ts";
import type { StartVerifier } from "./command.ts";
import { timed } from "./run.ts";

/** The product's prefilter, probe and judgement as they are, without caches and pacing. */
export const startVerifier: StartVerifier = ({ dns, dial }) => {
  const ids = createIds(systemClock, systemRandomBytes);
  const caller = { ehloName: "probe.overture.zz", sender: "probe@overture.zz" };
  const probe = createSmtpProbe({
    dial,
    dns,
    clock: systemClock,
    caller,
    port: 25,
    loopback: true,
    readReply: classify,
  });
  const reasonOf = async (address: string) => {
    const target = readTarget(address);
    if (target === null || prefilter(address).reject !== null) return "hard_reject";
    const found = await hostsToAsk({ dns }, await findMailHosts({ dns, ids }, target.domain));
    if (found.kind === "none") return found.reason;
    const known = { isCatchAll: null };
    const plan = planVerification({ ids }, target, found.hosts, known);
    return (await askMailHosts(probe, plan, known)).decision.reason;
  };
  return async (address) => {
    const [reason, ms] = await timed(() => reasonOf(address));
    return { outcome: REASONS[reason], ms, detail: reason };
  };
};
