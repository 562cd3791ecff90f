import type { z } from "zod";

/** What one operator of mail hosts is troubled with at most, and all of them in a day; 0: as much as comes. */
export interface ProbeLimits {
  /** At a time: one or two. */
  connections: number;
  /** Between two new connections. */
  intervalMs: number;
  recipientsPerMinute: number;
  connectionsPerDay: number;
}

export interface VerifierConfig {
  /** The way to port 25; null where there is none, and then nothing is verified. */
  egress:
    | { kind: "direct"; port: number }
    | { kind: "prober"; url: string; secret: string }
    | { kind: "reacher"; url: string; secret: string | null }
    | null;
  sender: string;
  pacing: ProbeLimits;
  /** Domains that asked not to be asked. */
  doNotProbe: string[];
}

export interface EgressFields {
  VERIFIER_EGRESS?: "direct" | "prober" | "reacher" | undefined;
  ALLOW_LOOPBACK: string;
  PROBE_PORT: number;
  PROBER_URL?: string | undefined;
  PROBER_SECRET?: string | undefined;
  REACHER_URL?: string | undefined;
  REACHER_SECRET?: string | undefined;
}

/** A way to port 25 that cannot work is a fault of the configuration, not of each verification. */
export function checkEgress(env: EgressFields, context: z.RefinementCtx): void {
  const needed = { prober: ["PROBER_URL", "PROBER_SECRET"], reacher: ["REACHER_URL"] } as const;
  const egress = env.VERIFIER_EGRESS;
  if (egress === "direct" && env.PROBE_PORT === 25 && env.ALLOW_LOOPBACK !== "true")
    context.addIssue({
      code: "custom",
      path: ["VERIFIER_EGRESS"],
      message:
        "direct cannot work here: Workers may not open port 25, though a local run may. Use prober (functions/smtp-prober) or reacher",
    });
  if (egress !== "prober" && egress !== "reacher") return;
  for (const name of needed[egress])
    if (env[name] === undefined)
      context.addIssue({
        code: "custom",
        path: [name],
        message: `is missing: VERIFIER_EGRESS is ${egress}`,
      });
}

/** Of fields that `checkEgress` has passed. */
export function egressOf(data: EgressFields): VerifierConfig["egress"] {
  switch (data.VERIFIER_EGRESS) {
    case "direct":
      return { kind: "direct", port: data.PROBE_PORT };
    case "prober":
      return { kind: "prober", url: data.PROBER_URL!, secret: data.PROBER_SECRET! };
    case "reacher":
      return { kind: "reacher", url: data.REACHER_URL!, secret: data.REACHER_SECRET ?? null };
    case undefined:
      return null;
  }
}
