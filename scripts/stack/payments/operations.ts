import { disputeOperations, paymentOperations, refundOperations } from "./charge-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { balance } from "./objects/balance.ts";
import { nothing, type Operation, operation } from "./operation.ts";
import { endpointOperations } from "./endpoint-operations.ts";
import { sessionOperations } from "./session-operations.ts";

/** What of Stripe's API stands here. */
export const operations: Operation[] = [
  ...sessionOperations,
  ...paymentOperations,
  ...refundOperations,
  ...disputeOperations,
  ...eventOperations,
  ...endpointOperations,
  operation("GET", "balance", nothing, ({ state }) => balance(state.books)),
];
