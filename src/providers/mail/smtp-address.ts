const MAX_ADDRESS_BYTES = 254;

/**
 * Whether an address may stand between the angle brackets of MAIL and RCPT as it is: one address,
 * no control characters, spaces or brackets, at most 254 bytes (RFC 5321 section 4.5.3.1.3).
 */
export function isEnvelopeAddress(address: string): boolean {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f<>]/.test(address) || !address.isWellFormed()) return false;
  const at = address.lastIndexOf("@");
  if (at < 1 || at === address.length - 1 || address.startsWith("@")) return false;
  // In UTF-8 a unit of the text takes three bytes at most.
  if (address.length * 3 <= MAX_ADDRESS_BYTES) return true;
  return new TextEncoder().encode(address).length <= MAX_ADDRESS_BYTES;
}

/** Whether the address can only travel under SMTPUTF8 (RFC 6531). */
export function needsSmtpUtf8(address: string): boolean {
  return !/^[\x21-\x7e]*$/.test(address);
}
