import * as z from "zod";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import { SYNC_NETWORK } from "#src/domain/network/sync-due.ts";
import { callback } from "#src/http/callback.ts";

export const syncNetworkAccount = callback({
  name: SYNC_NETWORK,
  payload: z.object({ account_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { account_id }) => lookAtAccount(deps, account_id),
});
