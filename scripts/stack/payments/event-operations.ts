import { z } from "zod";
import { now } from "./books.ts";
import { page, paging } from "./lists.ts";
import { eventObject } from "./objects/event.ts";
import { find, nothing, operation } from "./operation.ts";
import { list, parameters, text } from "./parameters.ts";

const EVENTS_KEPT_SECONDS = 30 * 86_400;

export const eventOperations = [
  operation(
    "GET",
    "events",
    parameters({
      ...paging,
      type: text().optional(),
      types: list(text(), 20).optional(),
      delivery_success: z.enum(["true", "false"]).optional(),
    }),
    ({ state: { books }, given }) => {
      const found = books.events
        .values()
        .filter(({ created }) => created > now() - EVENTS_KEPT_SECONDS)
        .filter(({ type }) => isWanted(type, given.types ?? (given.type ? [given.type] : null)))
        .filter(
          ({ delivery: { outcome } }) =>
            given.delivery_success === undefined ||
            String(outcome === "delivered") === given.delivery_success,
        );
      return page("/v1/events", found, given, eventObject);
    },
  ),
  operation("GET", "events/:id", nothing, ({ state, id }) =>
    eventObject(find(state, "events", "event", id, "id")),
  ),
];

/** `charge.*` stands for each that begins so. */
function isWanted(type: string, wanted: string[] | null): boolean {
  return (
    wanted === null ||
    wanted.some((each) => (each.endsWith("*") ? type.startsWith(each.slice(0, -1)) : each === type))
  );
}
