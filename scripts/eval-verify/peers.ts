import { createRequire } from "node:module";
import * as path from "node:path";
import type { Outcome } from "../stack/farm/format.ts";
import { timed } from "./run.ts";
import type { Verify } from "./score.ts";

/** Another verifier, as its readers would call it, and what its answer means in our outcomes. */
export interface Peer {
  name: string;
  verify: Verify;
}

const SENDER = "probe@overture.zz";
const TIMEOUT_MS = 8_000;

interface PeerPackage {
  package: string;
  /** Called with the package as it was loaded. */
  ask(loaded: unknown, address: string): Promise<{ outcome: Outcome; detail: string }>;
}

const PACKAGES: PeerPackage[] = [
  {
    package: "deep-email-validator",
    async ask(loaded, email) {
      type Validate = (options: object) => Promise<{
        valid: boolean;
        reason?: string;
        validators: Record<string, { reason?: string } | undefined>;
      }>;
      // Its list of throw-away services and its typing hints are not what is compared here.
      const options = { email, sender: SENDER, validateTypo: false, validateDisposable: false };
      const { validate } = loaded as { validate: Validate };
      const { valid, reason = "", validators } = await validate(options);
      const detail = validators[reason]?.reason ?? "";
      // It has yes and no alone; a time-out is read as what it is, for its good.
      const refusal = detail === "Timeout" ? "unknown" : "invalid";
      return { outcome: valid ? "valid" : refusal, detail };
    },
  },
  {
    package: "@devmehq/email-validator-js",
    async ask(loaded, emailAddress) {
      type VerifyEmail = (options: object) => Promise<{
        validFormat: boolean;
        validMx: boolean | null;
        validSmtp: boolean | null;
      }>;
      const { verifyEmail } = loaded as { verifyEmail: VerifyEmail };
      const options = { emailAddress, verifyMx: true, verifySmtp: true, timeout: TIMEOUT_MS };
      const { validFormat, validMx, validSmtp } = await verifyEmail(options);
      const refused = [validFormat, validMx, validSmtp].includes(false);
      return {
        outcome: refused ? "invalid" : validSmtp === true ? "valid" : "unknown",
        detail: JSON.stringify({ validFormat, validMx, validSmtp }),
      };
    },
  },
];

/** The peers that are installed in a folder. */
export function peersIn(folder: string): Peer[] {
  const require = createRequire(path.join(path.resolve(folder), "package.json"));
  return PACKAGES.flatMap((each) => {
    const loaded = load(require, each.package);
    if (loaded === null) return [];
    const { version } = require(
      path.join(path.resolve(folder), "node_modules", each.package, "package.json"),
    ) as { version: string };
    return [{ name: `${each.package} ${version}`, verify: verifyBy(each, loaded) }];
  });
}

function load(require: NodeJS.Require, name: string): unknown {
  try {
    return require(name);
  } catch {
    return null;
  }
}

const verifyBy =
  (peer: PeerPackage, loaded: unknown): Verify =>
  async (address) => {
    const failed = (error: Error) => ({ outcome: "unknown" as const, detail: error.message });
    const [said, ms] = await timed(() => peer.ask(loaded, address).catch(failed));
    return { ...said, ms };
  };
