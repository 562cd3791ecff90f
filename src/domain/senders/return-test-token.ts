import { createSignedTokens, UUID_BYTES, uuidBytes, uuidText } from "./signed-token.ts";

/** One mail that was sent to find out whether replies to an alias come back. */
export interface ReturnTest {
  aliasId: string;
  /** When it was asked, to the second. */
  askedAt: Date;
}

export interface ReturnTestTokens {
  sign(test: ReturnTest): Promise<string>;
  /** Null when none of the service's secrets made it. Never throws. */
  read(token: string): Promise<ReturnTest | null>;
}

/** 28 bytes are 45 characters: short enough to stand in a subject without being folded apart. */
const SIZES = { payloadBytes: UUID_BYTES + 4, macBytes: 8 };

export function createReturnTestTokens(secrets: readonly [string, ...string[]]): ReturnTestTokens {
  const tokens = createSignedTokens("overture.return-test.1", SIZES, secrets);
  return {
    sign({ aliasId, askedAt }) {
      const payload = new Uint8Array(SIZES.payloadBytes);
      payload.set(uuidBytes(aliasId));
      new DataView(payload.buffer).setUint32(UUID_BYTES, askedAt.getTime() / 1000);
      return tokens.sign(payload);
    },
    async read(token) {
      const payload = await tokens.open(token);
      if (payload === null) return null;
      const seconds = new DataView(payload.buffer).getUint32(UUID_BYTES);
      return {
        aliasId: uuidText(payload.subarray(0, UUID_BYTES)),
        askedAt: new Date(seconds * 1000),
      };
    },
  };
}
