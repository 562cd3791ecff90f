/** What each verb of the engine's store promises; one suite for both stores. */
import { describe } from "vitest";
import { useApi } from "../../support/use-api.ts";
import { describeBeginning } from "./store/beginning.ts";
import { describeBudgets } from "./store/budgets.ts";
import { describeChanging } from "./store/changing.ts";
import { describeClaiming } from "./store/claiming.ts";
import { describeInvitations } from "./store/invitations.ts";
import { describeLimits } from "./store/limits.ts";
import { describeLookups } from "./store/lookups.ts";
import { describePlaces } from "./store/places.ts";
import { describeSettling } from "./store/settling.ts";
import { describeUpkeep } from "./store/upkeep.ts";
import { describeZones } from "./store/zones.ts";
import { STORES, useStore } from "./store/setting.ts";

useApi();

describe.each(STORES)("%s", (store) => {
  useStore(store);
  describeClaiming();
  describeZones();
  describeBeginning();
  describeSettling();
  describeChanging();
  describePlaces();
  describeUpkeep();
  describeLimits();
  describeInvitations();
  describeLookups();
  describeBudgets();
});
