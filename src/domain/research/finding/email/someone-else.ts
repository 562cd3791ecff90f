import { isCommonFamilyName, isCommonFirstName } from "../names/common-names.ts";
import type { Built, Shows } from "./patterns.ts";

/** How likely a colleague has such a local part, when the person asked for does not: of names that few have, and of common ones. */
const CHANCE: Record<Shows, [rare: number, common: number]> = {
  whole: [0.004, 0.004],
  first_and_initial: [0.01, 0.01],
  family_and_initial: [0.006, 0.35],
  first: [0.05, 0.35],
  family: [0.05, 0.35],
  initials: [0.35, 0.35],
};
/** `robert.miller` for a Bob Miller, `trang.le` for a Thu Trang Le: a colleague may be called just that. */
const OTHER_FIRST_NAME = [0.02, 0.1] as const;

/** What a colleague may well have: it is asked for last, and told only where it is nearly sure. */
export const SHARED = 0.05;

export function someoneElse(
  shows: Shows,
  given: Built & { isOther: boolean },
  family: Built,
): number {
  const isCommonFamily = isCommonFamilyName(family.text.replace(/[.-]/g, ""));
  const isCommon = shows === "first" ? isCommonFirstName(given.text) : isCommonFamily;
  const chance = CHANCE[shows][isCommon ? 1 : 0];
  return given.isOther ? Math.max(chance, OTHER_FIRST_NAME[isCommonFamily ? 1 : 0]) : chance;
}
