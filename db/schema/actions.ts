import type { Channel } from "./content.ts";
import type { Budget } from "./engine.ts";

interface Action {
  channel: Channel;
  /** The part of the sender's day that it takes from. */
  budget: Budget;
  /** What the record of a lead calls it once it is done. */
  deed: "sent" | "invited" | "visited";
  /** The event of its end; of mail the state of the send tells it. */
  event?: "network.invited" | "network.viewed" | "network.messaged";
  /** It carries no text. */
  isSilent?: true;
  /** It asks the person to connect, or reaches connected people alone: the second, behind the first, waits for acceptance. */
  acceptance?: "asked" | "needed";
}

/**
 * What a step can do, and all that engine, checks, timeline and events know of it. How it is done is
 * `src/domain/messages/network/perform.ts`. The first of a channel is its default: of the network's the one action
 * that reaches a person who is not connected.
 */
export const ACTIONS = {
  send_email: { channel: "email", budget: "", deed: "sent" },
  connection_request: {
    channel: "socialnet",
    budget: "connection",
    deed: "invited",
    event: "network.invited",
    acceptance: "asked",
  },
  message: {
    channel: "socialnet",
    budget: "message",
    deed: "sent",
    event: "network.messaged",
    acceptance: "needed",
  },
  profile_view: {
    channel: "socialnet",
    budget: "message",
    deed: "visited",
    event: "network.viewed",
    isSilent: true,
  },
} as const satisfies Record<string, Action>;

export type ActionType = keyof typeof ACTIONS;
export const ACTION_TYPES = Object.keys(ACTIONS) as [ActionType, ...ActionType[]];
export const actionOf = (type: ActionType): Action => ACTIONS[type];

export const actionsOf = (channel: Channel): ActionType[] =>
  ACTION_TYPES.filter((type) => ACTIONS[type].channel === channel);
