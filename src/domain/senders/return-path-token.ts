import { createSignedTokens, UUID_BYTES, uuidBytes, uuidText } from "./signed-token.ts";

/** The addresses that campaign mail gives as envelope sender, one for each send (VERP). */
export interface ReturnPathTokens {
  /** `b+<token>@<domain>`: at most 36 characters before the @, and no difference in case. */
  address(sendId: string, domain: string): Promise<string>;
  /** The send that an address stands for, or null when no secret has made it. Never throws. */
  read(address: string): Promise<string | null>;
}

/** Each guess of a MAC costs a mail to this service: 2^40 of them are out of reach. */
const SIZES = { payloadBytes: UUID_BYTES, macBytes: 5 };
const TOKEN = /^b[+.-]([a-z2-7]{34})@/;

/** The first secret signs; what the others signed is still read. */
export function createReturnPathTokens(secrets: readonly [string, ...string[]]): ReturnPathTokens {
  const tokens = createSignedTokens("overture.return-path.1", SIZES, secrets);
  return {
    address: async (sendId, domain) => `b+${await tokens.sign(uuidBytes(sendId))}@${domain}`,
    async read(address) {
      const token = TOKEN.exec(address.trim().replace(/^<|>$/g, "").toLowerCase())?.[1];
      const payload = token === undefined ? null : await tokens.open(token);
      return payload && uuidText(payload);
    },
  };
}
