import * as z from "zod";
import { VERIFY_AGAIN } from "#src/domain/research/verification/recheck.ts";
import { verifyAddress } from "#src/domain/research/verification/verify-address.ts";
import { callback } from "#src/http/callback.ts";

/** The second try of a greylisted address, from the same sender, minutes later. */
export const verifyAgain = callback({
  name: VERIFY_AGAIN,
  payload: z.object({ address: z.string().max(320), version: z.literal(1) }),
  run: async (deps, { address }) => {
    const { reason } = await verifyAddress(deps, address, { force: true, isUnhurried: true });
    return { reason };
  },
});
