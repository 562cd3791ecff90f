import { toHex } from "./encoding.ts";
import { readAddress } from "./special-addresses.ts";

/** Who asks, by an address: a network of IPv6 is one customer's, who has all of its addresses (RFC 6177). */
export function clientNetwork(address: string): string {
  const bytes = readAddress(address);
  if (bytes === null || bytes.length === 4) return address;
  const isMapped =
    bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12).join(".") : `${toHex(Uint8Array.from(bytes.slice(0, 8)))}/64`;
}
