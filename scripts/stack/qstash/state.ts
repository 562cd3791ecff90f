import type { CallLog, Faults } from "../part.ts";
import type { Quiet } from "../quiet.ts";
import type { Gates } from "./gates.ts";
import type { Store } from "./store.ts";

/** What all of QStash's local stand-in works on. */
export interface State {
  store: Store;
  gates: Gates;
  faults: Faults;
  log: CallLog;
  /** Which runs of schedules a moving clock may pass over. */
  quiet: Quiet;
  /** Schedules of which runs were left out since their last one. */
  leftOut: Set<string>;
  /** The signing keys. */
  keys: { current: string; next: string };
}
