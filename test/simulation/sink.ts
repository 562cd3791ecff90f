import { createHash } from "node:crypto";
import { draftHoldOf } from "#db/engine/index.ts";
import { ACCEPTANCE_HOLD, type LaneKind, type LaunchPolicy, type Step } from "#db/schema/index.ts";
import { drawVariant } from "#src/domain/campaigns/experiments/draw.ts";
import type { ActionResult, Channel } from "#src/domain/engine/channel.ts";
import { actionResult } from "#src/domain/messages/mail-result.ts";
import type { SendResult } from "#src/providers/mail/index.ts";
import type { Random } from "../support/random.ts";
import { drawRelayFault, type FaultRates, type RelayFault } from "./faults.ts";
import type { Machine, Task } from "./machine.ts";
import { type Network, needsConnection } from "./network.ts";
import type { Refusals } from "./refusals.ts";
import type { SimulatedStep } from "./steps.ts";
import type { AttemptEntry, WireEntry } from "./wire.ts";

/** What the simulation knows of a claimed send, by its id in the store. */
export interface Journey {
  campaignId: string;
  laneId: string;
  leadId: string;
  claimNo: number;
  beganNo: number;
  beganAt: number;
}

export interface SinkPorts {
  machine: Machine;
  load(kind: LaneKind, sendIds: string[]): Promise<SimulatedStep[]>;
  random: Random;
  rates(): FaultRates;
  journeyOf(sendId: string): Journey;
  lacksText(leadId: string, campaignId: string, step: number): boolean;
  policyOf(campaignId: string): LaunchPolicy;
  network: Network;
  stepsOf(campaignId: string): readonly Step[];
  /** Nothing can be written to the lead. */
  onUnfit(leadId: string): void;
  /** Before the network has said anything to it. */
  onTry(entry: AttemptEntry): void;
  onMail(entry: WireEntry): void;
  onAttempt(entry: AttemptEntry, fault: RelayFault, sendId: string): void;
  refusals: Refusals | undefined;
}

export const messageIdOf = (leadId: string, step: number): string => `<${leadId}.${step}@sim.zz>`;

/** As the service draws it; of the model by the weights as they are configured. */
function variantOf({ leadId, step, draw = null }: SimulatedStep) {
  const { index, drawn } = drawVariant(leadId, step.step, step.variants, draw);
  return { variantLabel: step.variants[index]?.label ?? "A", drawn };
}

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1);

/** The relay or network, and what writes for it. One per tick; it dies with its worker. */
export function createSinkChannel(
  kind: LaneKind,
  task: Task,
  ports: SinkPorts,
): Channel<SimulatedStep, SimulatedStep> {
  const { machine, random, rates } = ports;
  const isMail = kind === "email";
  const wait = (ms: number) => machine.turn(machine.now() + ms, task);
  const dawdle = () => wait(random.chance(rates().slow) ? random.below(2000) : 0);
  const isRefused = ({ leadId, campaignId, step }: SimulatedStep): boolean =>
    needsConnection(ports.stepsOf(campaignId), step.step) && !ports.network.isConnected(leadId);
  const draw = (context: SimulatedStep): RelayFault | null => {
    const drawn = drawRelayFault(random, rates());
    if (isMail) return drawn;
    if (isRefused(context)) return "content";
    return drawn === null ? null : (AT_A_NETWORK[drawn] ?? drawn);
  };
  return {
    kind,
    load: (sendIds) => ports.load(kind, sendIds),
    routeOf: ({ laneId }) => ({ workspaceId: "", host: laneId, account: laneId }),
    targetOf: ({ address }) => (isMail ? domainOf(address) : null),
    async prepare(context) {
      if (random.chance(rates().render)) {
        if (random.chance(0.3)) throw new Error("The vault is away.");
        ports.onUnfit(context.leadId);
        return { ok: false, reason: "MISSING_VARIABLE: first_name", skip: true };
      }
      const { leadId, step } = context;
      if (ports.lacksText(leadId, context.campaignId, step.step)) {
        const policy = ports.policyOf(context.campaignId);
        return { ok: false, reason: "no text", waits: draftHoldOf(policy), approvedAt: null };
      }
      if (context.lacksAcceptance)
        return { ok: false, reason: "not accepted", waits: ACCEPTANCE_HOLD, approvedAt: null };
      const ids = { templateId: null, templateVersion: null, senderProfileId: null };
      const record = isMail
        ? {
            messageId: messageIdOf(leadId, step.step),
            subject: "Hello",
            html: "",
            ...variantOf(context),
          }
        : { messageId: null, subject: null, html: null, variantLabel: null };
      return { ok: true, ready: context, record: { ...record, ...ids } };
    },
    async perform(context): Promise<ActionResult> {
      const { leadId, address } = context;
      const { claimNo, beganNo, beganAt } = ports.journeyOf(context.sendId);
      const attempt: AttemptEntry = {
        at: machine.now(),
        beganAt,
        beganNo,
        campaignId: context.campaignId,
        leadId,
        laneId: context.laneId,
        step: context.step.step,
      };
      const take = () => {
        if (!isMail) ports.network.take(context, machine.now());
        ports.onMail({
          ...attempt,
          at: machine.now(),
          claimNo,
          address,
          messageId: messageIdOf(leadId, context.step.step),
          references: context.references,
        });
      };
      await dawdle();
      if (!isMail) ports.onTry({ ...attempt, at: machine.now() });
      const refused = isMail ? ports.refusals?.refuses({ ...attempt, at: machine.now() }) : null;
      const fault = refused ?? draw(context);
      if (fault === null) {
        take();
        await wait(0);
        return { state: "accepted", reply: "250 OK" };
      }
      ports.onAttempt(attempt, fault, context.sendId);
      if (fault === "refused" || fault === "listed")
        ports.refusals!.onRefused(attempt, domainOf(address), context.sendId);
      if (fault === "spent")
        return { state: "deferred", reply: "422 cannot_resend_yet", scope: "budget" };
      const result = actionResult(await refuse(fault, { take, wait, random }));
      // A network says nothing of whom it is about.
      return "isNamed" in result && !isMail ? { ...result, isNamed: false } : result;
    },
    ...(!isMail && {
      async lookUp(context: SimulatedStep) {
        await dawdle();
        if (random.chance(rates().relay)) return "unknown";
        return ports.network.lookUp(context, machine.now());
      },
    }),
    async close() {},
  };
}

const deferred = (
  reply: string,
  scope: "recipient" | "sender" | "connection" | "doubtful",
  enhanced?: string,
): SendResult => ({
  state: "deferred",
  code: Number(reply.slice(0, 3)),
  reply,
  scope,
  stage: "rcpt",
  ...(enhanced === undefined ? {} : { enhanced }),
});

const rejected = (
  reply: string,
  scope: "recipient" | "message" | "sender" | "doubtful",
  enhanced: string,
): SendResult => ({
  state: "rejected",
  code: Number(reply.slice(0, 3)),
  enhanced,
  reply,
  scope,
  stage: "rcpt",
});

async function refuse(
  fault: Exclude<RelayFault, "spent">,
  { take, wait, random }: { take(): void; wait(ms: number): Promise<void>; random: Random },
): Promise<SendResult> {
  switch (fault) {
    case "greylisted":
      return deferred("450 4.2.0 greylisted", "recipient", "4.2.0");
    case "policy_4xx":
      return deferred("451 4.7.1 not now", "doubtful", "4.7.1");
    case "limited":
      return deferred("421 4.7.0 too much mail", "sender", "4.7.0");
    case "policy_5xx":
      return rejected("554 5.7.1 refused by policy", "doubtful", "5.7.1");
    case "refused":
      return rejected("550 5.7.1 not accepted by policy", "doubtful", "5.7.1");
    case "listed":
      return rejected("554 5.7.1 client host blocked using bl.zz", "doubtful", "5.7.1");
    case "gone":
      return rejected("550 5.1.1 no such user", "recipient", "5.1.1");
    case "content":
      return rejected("552 5.6.0 not like this", "message", "5.6.0");
    case "down":
      return deferred("000 connection refused", "connection");
    case "account":
      return { ...deferred("535 no", "sender"), accountError: "login refused" } as SendResult;
    case "hang_before_dot":
      await wait(10_000 + random.below(300_000));
      return deferred("000 timed out before the message", "connection");
    case "lost_after_dot":
      take();
      await wait(random.below(1000));
      return { state: "unknown", reason: "line lost after the final dot" };
    case "hang_after_dot":
      take();
      await wait(60_000 + random.below(700_000));
      return random.chance(0.5)
        ? { state: "unknown", reason: "no reply after the final dot" }
        : { state: "accepted", reply: "250 at last" };
    case "throw_after_dot":
      take();
      throw new Error("the transport broke");
  }
}

/** What a network says in the place of a relay's words. Nobody in the simulation mends an account of one. */
const AT_A_NETWORK: Partial<Record<RelayFault, RelayFault>> = {
  account: "limited",
  policy_4xx: "spent",
  policy_5xx: "limited",
};

/** A digest of everything that happened; equal for the same seed. */
export function createDigest() {
  const hash = createHash("sha256");
  let waiting: string[] = [];
  const flush = () => {
    hash.update(waiting.join("\n"));
    waiting = [];
  };
  return {
    add(text: string) {
      waiting.push(text);
      if (waiting.length === 1000) flush();
    },
    hex() {
      flush();
      return hash.copy().digest("hex").slice(0, 16);
    },
  };
}
