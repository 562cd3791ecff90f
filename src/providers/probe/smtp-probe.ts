import type { Dial } from "#src/providers/mail/index.ts";
import { createGuardedDial } from "#src/providers/net/guarded-dial.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import type { Clock } from "#src/platform/index.ts";
import { type Agenda, askGreylistedAgain, nextQuestion, startAgenda } from "./agenda.ts";
import { type Dialogue, holdDialogue, type Line } from "./dialogue.ts";
import {
  type EgressKind,
  type MailProbe,
  type ProbeConnection,
  type ProbePlan,
  type ReadReply,
} from "./index.ts";
import type { Caller } from "./introduce.ts";
import { assertPlan, hostsToTry } from "./plan.ts";

export interface SmtpProbeSettings {
  dial: Dial;
  dns: Dns;
  clock: Clock;
  caller: Caller;
  /** 25, except against a local farm. */
  port: number;
  /** Hosts on this machine may be asked: for a local stack alone. */
  loopback: boolean;
  readReply: ReadReply;
  egress?: EgressKind;
}

/** How long a host may take per phase before the next one is tried, where there is a next one. */
const FAILOVER_MS = 2_500;
/** A short greylist lets the second try pass after so long. */
const GREYLIST_WAIT_MS = 2_000;
/** What a second dialogue takes at least. */
const SECOND_TRY_MS = 600;

/** Asks mail hosts over sockets of this machine. */
export function createSmtpProbe(settings: SmtpProbeSettings): MailProbe {
  return {
    egress: settings.egress ?? "direct",
    async probe(plan, signal) {
      assertPlan(plan);
      const timeout = AbortSignal.timeout(plan.budgetMs);
      const run = startRun(settings, plan, signal ? AbortSignal.any([signal, timeout]) : timeout);
      await askHosts(run);
      return {
        connections: run.dialogues.map(({ record }): ProbeConnection => record),
        opinions: [],
        failure: null,
        closed: Promise.all(run.dialogues.map(({ closed }) => closed)).then(() => {}),
      };
    },
  };
}

interface Run {
  clock: Clock;
  signal: AbortSignal;
  hosts: readonly string[];
  agenda: Agenda;
  leftMs: () => number;
  hold: (host: string, isLast: boolean) => Promise<Dialogue>;
  dialogues: Dialogue[];
}

function startRun(settings: SmtpProbeSettings, plan: ProbePlan, signal: AbortSignal): Run {
  const { clock, dns, port, loopback } = settings;
  const until = clock.now().getTime() + plan.budgetMs;
  const leftMs = () => Math.max(1, until - clock.now().getTime());
  const agenda = startAgenda(plan);
  const addresses = new Map<string, string>();
  const noting: Dial = (target, abort) => {
    addresses.set(target.host, target.address ?? target.host);
    return settings.dial(target, abort);
  };
  const dial = createGuardedDial(noting, dns, { loopback, ports: [port] });
  const addressOf = (host: string) => addresses.get(host) ?? null;
  const dialogues: Dialogue[] = [];
  const line = { ...settings, dial, addressOf, signal, leftMs };
  return {
    clock,
    signal,
    hosts: hostsToTry(plan),
    agenda,
    leftMs,
    dialogues,
    async hold(host, isLast) {
      const phaseMs = () => (isLast ? leftMs() : Math.min(FAILOVER_MS, leftMs() / 2));
      const held = await holdDialogue({ ...line, phaseMs } satisfies Line, agenda, host);
      dialogues.push(held);
      return held;
    },
  };
}

/** Down the hosts until one has answered; once more over a new connection where that helps. */
async function askHosts(run: Run): Promise<void> {
  const { hosts, agenda, signal } = run;
  let again = 1;
  let waited = false;
  for (let index = 0; index < hosts.length && !signal.aborted;) {
    const dialogue = await run.hold(hosts[index]!, index === hosts.length - 1);
    if (signal.aborted) return;
    if (!hasSpoken(dialogue)) {
      if (isRefusedForGood(dialogue)) return;
      index++;
    } else if (isCutShort(dialogue) && nextQuestion(agenda) !== null && again-- > 0) {
      // The host counts connections: the old one is gone before the new one comes.
      await dialogue.closed;
    } else if (!waited && canWait(run) && askGreylistedAgain(agenda)) {
      waited = true;
      await dialogue.closed;
      await run.clock
        .sleepUntil(new Date(run.clock.now().getTime() + GREYLIST_WAIT_MS), signal)
        .catch(() => {});
    } else return;
  }
}

/** A recipient was named to it. */
const hasSpoken = ({ record }: Dialogue): boolean =>
  record.stage === "rcpt" || record.end === "no_smtputf8";

/** No other host of the same domain will think better of our sender. */
const isRefusedForGood = ({ record }: Dialogue): boolean =>
  record.end === "refused" && record.stage === "mail" && record.exchanges.at(-1)!.reply.code >= 500;

/** It left in the middle, or takes no further recipient in one session. */
const isCutShort = ({ record, last }: Dialogue): boolean =>
  record.end === "closed" || last === "too_many_recipients";

const canWait = ({ leftMs }: Run): boolean => leftMs() >= GREYLIST_WAIT_MS + SECOND_TRY_MS;
