import { packedHits } from "#src/domain/messages/tracking/packed-hits.ts";
import { RECORD_HITS } from "#src/domain/messages/tracking/publish-hits.ts";
import { recordHits } from "#src/domain/messages/tracking/record.ts";
import { callback } from "#src/http/callback.ts";

/** Opens and clicks that found the database away. */
export const recordHandedOver = callback({
  name: RECORD_HITS,
  payload: packedHits,
  run: (deps, { hits }) => recordHits(deps, hits),
});
