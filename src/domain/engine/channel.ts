import type { BeginSend, StepContext } from "#db/engine/index.ts";
import type { LaneKind, StepHold } from "#db/schema/index.ts";
import type { Gone } from "#src/domain/people/refusals/suppression-period.ts";
import type { Attempt } from "./pace.ts";

/** The server that an action goes to: a slow one delays all sends to it. */
export interface Route {
  workspaceId: string;
  /** The server: a relay, or a provider of which there is one for all. */
  host: string;
  /** The login that the connection uses: the same for all senders that share it. */
  account: string;
}

/**
 * Writes and performs the actions of one kind of sender. The engine knows senders,
 * slots, guards and outcomes; the text and its transport only the channel knows.
 * One per tick: its connections belong to the invocation.
 */
export interface Channel<Context extends StepContext = StepContext, Ready = unknown> {
  kind: LaneKind;
  /** The contexts of these sends; sends whose lead, sender or step is gone are absent. */
  load(sendIds: string[]): Promise<Context[]>;
  routeOf(context: Context): Route;
  /**
   * How servers answered of late by what the ledger knows: the last answer to each of these sends' senders, and
   * whatever is awaited for long at `now`, by any worker. Absent where nothing is known but what a run sees itself.
   */
  lastAttempts?(sendIds: string[], now: Date): Promise<Attempt[]>;
  /** The server behind the recipient, such as its domain: a temporary refusal of one send holds back the rest to it. Null where there is none. */
  targetOf(context: Context): string | null;
  /** Writes; sends nothing. Throws when the account or its keys cannot be opened, which is not the lead's fault. */
  prepare(
    context: Context,
    now: Date,
  ): Promise<PreparedAction<Ready> | RefusedAction | WaitingAction>;
  /** At most one attempt, once it is recorded as begun. */
  perform(ready: Ready): Promise<ActionResult>;
  /**
   * Whether an action whose answer was lost was done; absent where the channel cannot tell. `unknown` when the provider
   * does not show it, or is away. Changes nothing, and does not throw.
   */
  lookUp?(context: Context, since: Date): Promise<LookUp>;
  close(): Promise<void>;
}

export type LookUp = "done" | "not_done" | "unknown";

export interface PreparedAction<Ready = unknown> {
  ok: true;
  /** What the ledger keeps of it. */
  record: Omit<BeginSend, "id" | "leaseUntil">;
  ready: Ready;
}

export interface RefusedAction {
  ok: false;
  /** In words, for the lead's record. */
  reason: string;
  /** The lead is skipped (its own data lacks something); otherwise it has failed. */
  skip: boolean;
  /** Neither: whatever its sender says would be refused, until its owner mended it. */
  isOfSender?: true;
}

/** An action that only waits: for its text, an approval, its lead's acceptance, or a date on which notes are taken again. */
export interface WaitingAction {
  ok: false;
  reason: string;
  waits: StepHold;
  /** When the text was approved that was looked at and is not true any more; null for none. */
  approvedAt: string | null;
}

/** How an action ended, as far as the engine has to know. */
export type ActionResult =
  | {
      state: "accepted";
      reply: string;
      /** Set when the provider replaced the message's id. */
      messageId?: string;
    }
  | {
      state: "rejected";
      reply: string;
      /** The refused party. `recipient`: this lead; `message`: this content; `sender`: authentication, reputation; `doubtful`: any of them, decided by the sender's history (retry-policy.ts). */
      scope: "recipient" | "message" | "sender" | "doubtful";
      /** The address must not be tried again: it does not exist, or its mailbox is disabled. */
      gone?: Gone;
      isNamed?: boolean;
      /** Once the recipient was named: for what is the sender's by the receiver's rules. */
      isPolicy?: boolean;
    }
  | {
      state: "deferred";
      reply: string;
      /** The party at fault: this lead, this sender (limits), its budget of this kind of action for the day, or connection and server; none for `content`, which is prepared anew; `doubtful` as above. */
      scope: "recipient" | "sender" | "budget" | "content" | "connection" | "doubtful";
      /** The refusal came after the recipient was named, so that it may be about the recipient in spite of its words. */
      isNamed?: boolean;
      isPolicy?: boolean;
      /** The account itself needs its owner: why, in plain words. */
      accountError?: string;
      /** The whole target refused, not this one lead. */
      isOfTarget?: boolean;
    }
  /** It may have been done. */
  | { state: "unknown"; reason: string };
