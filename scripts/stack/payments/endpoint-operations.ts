import type { State } from "./books.ts";
import { now } from "./books.ts";
import { page, paging } from "./lists.ts";
import { API_VERSION } from "./objects/event.ts";
import { operation } from "./operation.ts";
import { parameters } from "./parameters.ts";

const OUTDATED_VERSION = "2025-09-30.clover";

/** https://docs.stripe.com/api/webhook_endpoints/list: the one that is here, without its secret, as Stripe lists it. */
export const endpointOperations = [
  operation("GET", "webhook_endpoints", parameters(paging), ({ state, given }) => {
    const url = state.endpointUrl();
    const rows = url === null ? [] : [{ id: "we_1local", created: now(), url }];
    return page("/v1/webhook_endpoints", rows, given, (row) => ({
      ...row,
      ...conditionOf(state),
      object: "webhook_endpoint" as const,
      application: null,
      description: null,
      livemode: false,
      metadata: {},
      enabled_events: [...state.subscribed],
    }));
  }),
];

const conditionOf = ({ faults }: State) => ({
  api_version: faults.take("endpoint_outdated") ? OUTDATED_VERSION : API_VERSION,
  status: faults.take("endpoint_disabled") ? ("disabled" as const) : ("enabled" as const),
});
