import { toBase64Url, toHex } from "./encoding.ts";
import type { Clock } from "./index.ts";

export interface Ids {
  /** UUID version 7 (RFC 9562): sorts by creation, which keeps lists stable and indexes dense. */
  uuid(): string;
  /** Unguessable text of `byteCount` random bytes, base64url. */
  secret(byteCount: number): string;
}

export function createIds(
  clock: Clock,
  randomBytes: (count: number) => Uint8Array<ArrayBuffer>,
): Ids {
  // RFC 9562 section 6.2, method 1: a counter keeps ids of one millisecond in order.
  let lastMs = 0;
  let counter = 0;
  return {
    uuid() {
      const bytes = randomBytes(16);
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = ((bytes[6]! & 0x07) << 8) | bytes[7]!;
      } else if (++counter > 0xfff) {
        lastMs += 1;
        counter = 0;
      }
      for (let index = 0; index < 6; index++)
        bytes[index] = Math.floor(lastMs / 2 ** (40 - 8 * index)) & 0xff;
      bytes[6] = 0x70 | (counter >> 8);
      bytes[7] = counter & 0xff;
      bytes[8] = 0x80 | (bytes[8]! & 0x3f);
      const hex = toHex(bytes);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
    secret: (byteCount) => toBase64Url(randomBytes(byteCount)),
  };
}
