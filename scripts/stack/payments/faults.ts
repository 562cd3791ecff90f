/** What the part can be ordered to do wrong, one occasion each. */
export const paymentsFaults = {
  down: "the next API request finds its connection closed; nothing is done",
  slow: "the next API request is done, but its answer is held back for as long as the caller waits, at most a minute",
  server_error: "the next API request is answered 500; nothing is done",
  server_error_kept:
    "the next API request that would do something is answered 500, and so is every repetition under its idempotency key",
  rate_limited: "the next API request is answered 429; nothing is done",
  lost_answer: "the next API request is done, but the connection is cut before the answer",
  garbage: "the next API request is done, but answered with a page of HTML",
  wrong_session: "the next session is made over one cent more than was asked for",
  wrong_amount: "the next session that is paid is charged one cent less than it said",
  wrong_currency: "the next session that is paid is charged in another currency",
  event_lost: "the next event is never delivered; it stands in the list of events",
  event_late: "the next event is delivered an hour late",
  event_twice: "the next delivery is made twice, one after the other",
  events_swapped: "the next event is delivered after the one that follows it, or a day late",
  event_stale: "the next delivery is signed an hour ago",
  endpoint_outdated: "the endpoint is listed as made for the API version before",
  endpoint_disabled: "the endpoint is listed as disabled",
  event_forged: "the next delivery is signed with a secret that nobody knows",
};
