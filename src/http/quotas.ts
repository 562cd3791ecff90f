import type { Principal } from "#src/deps.ts";

export interface Quota {
  limit: number;
  windowSeconds: number;
}

export interface StrictQuota extends Quota {
  failClosed?: true;
  per?: string;
}

const MINUTE = 60;
export const HOUR = 3600;

/** Per workspace; more keys add nothing. */
export const WORKSPACE_QUOTAS: Record<Principal["plan"], Quota> = {
  free: { limit: 60, windowSeconds: MINUTE },
  paid: { limit: 600, windowSeconds: MINUTE },
};

/** Per user, of the console's sessions: a person's screens and the workspace's programs do not starve each other. */
export const SESSION_QUOTA: Quota = { limit: 300, windowSeconds: MINUTE };

/**
 * Quotas stricter than the workspace's; `failClosed` ones refuse when the counters cannot be read, and one with `per`
 * is counted for each of the records that the parameter of the path names.
 */
export const STRICT_QUOTAS = {
  preview: { limit: 20, windowSeconds: MINUTE },
  generate: { limit: 10, windowSeconds: MINUTE },
  "mailer-emails": { limit: 60, windowSeconds: MINUTE },
  "mailer-batches": { limit: 6, windowSeconds: MINUTE },
  erase: { limit: 30, windowSeconds: MINUTE },
  export: { limit: 30, windowSeconds: MINUTE },
  "socialnet-message": { limit: 30, windowSeconds: MINUTE },
  connect: { limit: 5, windowSeconds: HOUR, failClosed: true },
  // Whose session the network ends often has it back without using up what new accounts are connected with.
  reconnect: { limit: 10, windowSeconds: HOUR, failClosed: true, per: "account_id" },
  checkpoint: { limit: 10, windowSeconds: HOUR, failClosed: true },
  invitations: { limit: 20, windowSeconds: HOUR, failClosed: true },
  "api-keys": { limit: 10, windowSeconds: HOUR, failClosed: true },
} satisfies Record<string, StrictQuota>;
export type LimitName = keyof typeof STRICT_QUOTAS;

/** Per client address: refused credentials and public forms. */
export const ADDRESS_QUOTA: Quota = { limit: 30, windowSeconds: MINUTE };

/** Of paid calls: requests of a client address that paid nothing, and of a payer that were not charged. */
export const UNPAID_QUOTA: Quota = { limit: 60, windowSeconds: MINUTE };
export const UNCHARGED_QUOTA: Quota = { limit: 60, windowSeconds: MINUTE };

export interface Policy extends Quota {
  name: string;
  subject: string;
}
