import type { ComponentChildren } from "preact";

export type Tone = "good" | "warn" | "bad" | "busy" | "quiet";

/** A state as a word, with a mark whose shape differs as its colour does. */
export function Status(props: { tone: Tone; children: ComponentChildren; title?: string }) {
  return (
    <span class={`pill ${props.tone}`} title={props.title}>
      {props.children}
    </span>
  );
}

/** Of states that several screens show; what is not here is quiet. */
const TONES: Record<string, Tone> = {
  active: "good",
  verified: "good",
  healthy: "good",
  connected: "good",
  ready: "good",
  ok: "good",
  replied: "good",
  approved: "good",
  sent: "good",
  delivered: "good",
  published: "good",
  launching: "busy",
  draining: "busy",
  pending: "busy",
  queued: "busy",
  publishing: "busy",
  sending: "busy",
  importing: "busy",
  scheduled: "busy",
  running: "busy",
  paused: "warn",
  degraded: "warn",
  held: "warn",
  stale: "warn",
  disconnected: "warn",
  failed: "bad",
  unhealthy: "bad",
  bounced: "bad",
  complained: "bad",
  disabled: "bad",
  revoked: "bad",
  expired: "bad",
};

export const toneOf = (state: string): Tone => TONES[state] ?? "quiet";

/** A state of the API's, in its own word. */
export function State({ of }: { of: string }) {
  return <Status tone={toneOf(of)}>{of.replaceAll("_", " ")}</Status>;
}
