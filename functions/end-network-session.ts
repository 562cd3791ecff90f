import * as z from "zod";
import { END_NETWORK_SESSION, runEndSession } from "#src/domain/network/end-session.ts";
import { callback } from "#src/http/callback.ts";

export const endNetworkSession = callback({
  name: END_NETWORK_SESSION,
  payload: z.object({ session: z.string().min(1), version: z.literal(1) }),
  run: (deps, { session }) => runEndSession(deps, session),
});
