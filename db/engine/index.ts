/** The engine's own queries; one statement per verb, in the files beside. */
export { budgetOf } from "./budgets.ts";
export { holdSuppressionsStatement, lockSuppressionsStatement } from "./begin.ts";
export { SKIPPED_AT_ONCE, skipUnstarted, stalledDrains } from "./complete.ts";
export {
  areConnections,
  countedIn,
  countersOf,
  type DaySpan,
  laneUseIn,
  lockCampaignStatement,
  lockLanesStatement,
} from "./counters.ts";
export {
  domainQuotaOf,
  domainQuotasOf,
  lockQuotas,
  recordSpentStatement,
  reallotStatement,
  redealDomainOf,
} from "./domain-quotas.ts";
export { ERASED_WORDS } from "./outcomes.ts";
export { createPostgresStore } from "./postgres-store.ts";
export { draftHoldOf, isDraftedStep } from "./draft-hold.ts";
export type { Draw } from "./draw.ts";
export { leadFields, loadContexts } from "./context.ts";
export { findLastAttempts } from "./last-attempts.ts";
export { reassignLeads } from "./reassign.ts";
export { mayDayEnd, ROLLED_AT_ONCE, rollOverLanesStatement } from "./rollover.ts";
export type * from "./rollovers.ts";
export { ERROR_KIND_OF } from "./store.ts";
export type * from "./step-context.ts";
export type * from "./store.ts";
export { countDirectMessage, countSingle, uncountSingle } from "./single-messages.ts";
export { SUSPECT_ALONE } from "./sweep.ts";
export { addZones, followTimeZones, openZonesStatement, zoneIn } from "./zones.ts";
export {
  capLanes,
  closeLanes,
  countDueLanes,
  deleteLane,
  endRest,
  insertLane,
  type Lanes,
  lockCampaignLanes,
  lockLane,
  moveLanes,
  openLanes,
  restLanes,
  sizeLanes,
  wakeLanesForAll,
  wakeLanesStatement,
} from "./lanes.ts";
export { lockLanesOfLeads, wakeLanesFor } from "./wake-few.ts";
