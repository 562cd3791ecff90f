const known = new Map<string, string | null>();
/** Bounds the memory that made-up names can take; there are about 600 real ones. */
const MAX_KNOWN = 2000;

/** The IANA zone as given, if this runtime knows it; null for offsets and unknown names. */
export function readTimeZone(text: string): string | null {
  const zone = text.trim();
  const found = known.get(zone);
  if (found !== undefined) return found;
  const read = check(zone);
  if (known.size < MAX_KNOWN) known.set(zone, read);
  return read;
}

function check(zone: string): string | null {
  if (zone.length > 100 || !/^[A-Za-z]/.test(zone)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return null;
  }
}
