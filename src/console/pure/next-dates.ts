import { addDays, dateIn } from "./dates.ts";

/** So many dates from that of an instant on, in a zone. */
export function everyDate(from: string | number, zone: string, days: number): string[] {
  const first = dateIn(from, zone);
  return Array.from({ length: days }, (_, index) => addDays(first, index));
}
