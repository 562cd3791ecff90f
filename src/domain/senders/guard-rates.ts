/** Bounces and complaints that a sender's reputation bears; the rates are per thousand messages. */
export const GUARDRAILS = {
  minimumSends: 50,
  bouncesPerThousand: 50,
  complaintsPerThousand: 1,
};
