import * as z from "zod";
import { hostName, list, secret, url, whole } from "./fields.ts";

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

export const verifierVariables = {
  VERIFIER_EGRESS: z.enum(["direct", "prober", "reacher"]).optional(),
  PROBE_PORT: whole(25, 1, 65_535),
  PROBE_SENDER: z.email("must be an address").optional(),
  PROBE_CONNECTIONS: whole(2, 1, 2),
  PROBE_INTERVAL_MS: whole(1_000, 0, 60_000),
  PROBE_RECIPIENTS_PER_MINUTE: whole(120, 0, 100_000),
  PROBE_CONNECTIONS_PER_DAY: whole(200_000, 0, 100_000_000),
  DO_NOT_PROBE: list
    .transform((names) => names.map((name) => name.toLowerCase()))
    .pipe(z.array(hostName).max(1_000)),
  PROBER_URL: url.optional(),
  PROBER_SECRET: secret.optional(),
  REACHER_URL: url.optional(),
  REACHER_SECRET: z.string().min(1).optional(),
};
const variables = z.object(verifierVariables);
type Variables = z.output<typeof variables>;

/** A way to port 25 that cannot work is a fault of the configuration, not of each verification. */
export function checkEgress(
  env: Variables & { ALLOW_LOOPBACK: string },
  context: z.RefinementCtx,
): void {
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

/** Of variables that `checkEgress` has passed; the verifier greets mail hosts by the name that it greets relays with. */
export const readVerifier = (data: Variables, ehloName: string): VerifierConfig => ({
  egress: egressOf(data),
  sender: data.PROBE_SENDER ?? `probe@${ehloName}`,
  pacing: {
    connections: data.PROBE_CONNECTIONS,
    intervalMs: data.PROBE_INTERVAL_MS,
    recipientsPerMinute: data.PROBE_RECIPIENTS_PER_MINUTE,
    connectionsPerDay: data.PROBE_CONNECTIONS_PER_DAY,
  },
  doNotProbe: data.DO_NOT_PROBE,
});

function egressOf(data: Variables): VerifierConfig["egress"] {
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
