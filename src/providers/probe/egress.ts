import type { MailProbe } from "./index.ts";
import { createProberProbe } from "./prober.ts";
import { createReacherProbe } from "./reacher.ts";
import { createSmtpProbe, type SmtpProbeSettings } from "./smtp-probe.ts";

export type Egress =
  | { kind: "direct"; port: number }
  | { kind: "prober"; url: string; secret: string }
  | { kind: "reacher"; url: string; secret: string | null };

type Surroundings = Omit<SmtpProbeSettings, "port"> & { fetch: typeof fetch };

/** The way to port 25 that the deployment has. */
export function createMailProbe(egress: Egress | null, around: Surroundings): MailProbe | null {
  if (egress === null) return null;
  switch (egress.kind) {
    case "direct":
      return createSmtpProbe({ ...around, port: egress.port });
    case "prober":
      return createProberProbe(egress, around);
    case "reacher":
      return createReacherProbe(egress, around);
  }
}
