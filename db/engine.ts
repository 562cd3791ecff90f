/** The engine's own queries; one statement per verb, in the files beside. */
export { budgetOf } from "./engine/budgets.ts";
export { holdSuppressionsStatement, lockSuppressionsStatement } from "./engine/begin.ts";
export { SKIPPED_AT_ONCE, skipUnstarted, stalledDrains } from "./engine/complete.ts";
export {
  areConnections,
  countersOf,
  type DaySpan,
  laneUseIn,
  lockCampaignStatement,
  lockLanesStatement,
} from "./engine/counters.ts";
export {
  domainQuotaOf,
  lockQuotas,
  recordSpentStatement,
  reallotStatement,
  redealDomainOf,
} from "./engine/domain-quotas.ts";
export { createPostgresStore } from "./engine/postgres-store.ts";
export { draftHoldOf, isDraftedStep } from "./engine/draft-hold.ts";
export { leadFields, loadContexts } from "./engine/context.ts";
export { findLastAttempts } from "./engine/last-attempts.ts";
export { reassignLeads } from "./engine/reassign.ts";
export { ROLLED_AT_ONCE, rollOverLanesStatement } from "./engine/rollover.ts";
export type * from "./engine/rollovers.ts";
export { ERROR_KIND_OF } from "./engine/store.ts";
export type * from "./engine/step-context.ts";
export type * from "./engine/store.ts";
export { countDirectMessage, countSingle, uncountSingle } from "./engine/single-messages.ts";
export { SUSPECT_ALONE } from "./engine/sweep.ts";
export { addZones, followTimeZones, openZonesStatement, zoneIn } from "./engine/zones.ts";
export {
  capLanes,
  closeLanes,
  countDueLanes,
  deleteLane,
  insertLane,
  type Lanes,
  lockCampaignLanes,
  lockLane,
  moveLanes,
  openLanes,
  restLanes,
  sizeLanes,
  wakeLanesFor,
  wakeLanesForAll,
  wakeLanesStatement,
} from "./engine/lanes.ts";
