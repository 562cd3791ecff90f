import * as z from "zod";
import { EVENT_TYPES, listEvents, type ToldEvent } from "#src/domain/workspace/events/read.ts";
import { instant, uuid, wholeNumberOr } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import { NO_CURSOR } from "#src/http/pagination.ts";
import { cursorOf, placeOf, typeNames } from "./event-fields.ts";

const place = z
  .string()
  .max(200)
  .transform((text, context) => {
    const found = text === "now" ? "now" : placeOf(text);
    if (found !== undefined) return found;
    context.addIssue(NO_CURSOR);
    return z.NEVER;
  })
  .optional();

const KINDS_OF_ACTOR = ["system", "user", "key"] as const;

const Query = z.object({
  after: place.openapi({
    type: "string",
    description:
      "The `next_cursor` of the answer before, or the `cursor` of an event; `now` for what comes from here on. Absent: from the oldest event that is kept.",
  }),
  before: place.openapi({
    type: "string",
    description:
      "Instead of `after`: the events in front of this place, the newest first; `now` for the newest there are. `next_cursor` then leads further back.",
  }),
  actor: z
    .union([z.enum(KINDS_OF_ACTOR), uuid])
    .transform((who) =>
      KINDS_OF_ACTOR.some((kind) => kind === who)
        ? { type: who as (typeof KINDS_OF_ACTOR)[number] }
        : { id: who },
    )
    .optional()
    .openapi({
      type: "string",
      description: "Who did it: `system`, `user` or `key`, or the id of one of them.",
      example: "user",
    }),
  types: z
    .string()
    .max(2000)
    .transform((text) => text.split(","))
    .pipe(typeNames)
    .optional()
    .openapi({
      type: "string",
      description: "Types separated by commas, or all of a kind: `campaign.*,email.sent`.",
      example: "campaign.*,reply.received",
    }),
  campaign_id: uuid.optional(),
  limit: wholeNumberOr(100, 1, 500),
});

const eventFields = {
  id: uuid.openapi({ description: "The same wherever the event is told." }),
  type: z.enum(EVENT_TYPES),
  timestamp: instant,
  actor: z.object({
    type: z.enum(KINDS_OF_ACTOR),
    id: uuid.nullable(),
    name: z.string().nullable(),
  }),
  data: z.record(z.string(), z.unknown()).openapi({
    description:
      "Ids and facts of this type of event, and `url`, where more is told. `email` is the person's address, as long as it is known.",
    example: {
      campaign_id: "01a1fc0c-6921-718e-aa4a-ab45df202f29",
      campaign_lead_id: "01a1fc0c-6921-718e-aa4a-ab45df202f2a",
      step: 1,
      email: "ada@example.com",
      url: "/api/v2/campaigns/01a1fc0c-6921-718e-aa4a-ab45df202f29/leads/01a1fc0c-6921-718e-aa4a-ab45df202f2a",
    },
  }),
};

const Event = z
  .object({
    ...eventFields,
    cursor: z
      .string()
      .openapi({ description: "Its place in the feed.", example: "NzQzLjEyMDQuMTc5NTQ4MDAwMA" }),
  })
  .openapi("Event");

const toldBody = ({ timestamp, ...event }: ToldEvent) => ({
  ...event,
  timestamp: timestamp.toISOString(),
});

export const eventRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/events",
    id: "listEvents",
    scope: "events:read",
    tag: "Events",
    summary: "Read what happened, in order",
    description:
      "Every event is told once to a reader that goes on at `next_cursor`, which is there on an empty page too: keep it, and ask again after the seconds in `Retry-After`. Nothing appears before an event that was told already. With `before` it is read backwards, as a page of what happened wants it. Events are kept for 30 days.",
    query: Query,
    response: z
      .object({
        items: z.array(Event),
        next_cursor: z.string().openapi({ example: "NzQzLjEyMDQuMTc5NTQ4MDAwMA" }),
        has_more: z.boolean(),
      })
      .openapi("Events"),
    sends: ["Retry-After"],
    errors: [410],
    handler: async ({ deps, principal, query }) => {
      const { campaign_id: campaignId, ...asked } = query;
      const page = await listEvents(deps, principal.workspaceId, { ...asked, campaignId });
      const body = {
        items: page.events.map(({ event, cursor }) => ({
          ...toldBody(event),
          cursor: cursorOf(cursor),
        })),
        next_cursor: cursorOf(page.next),
        has_more: page.hasMore,
      };
      return new Answer(200, body, { "Retry-After": page.events.length > 0 ? "1" : "5" });
    },
  }),
];
