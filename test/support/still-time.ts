import { onTestFinished } from "vitest";
import { holdWarp, releaseWarp } from "../../scripts/stack/warp.ts";

/** Until the test ends time stands still but for `advance`: a second before a limit is a second, however slow the machine. */
export function letTimeStandStill(): void {
  holdWarp();
  onTestFinished(releaseWarp);
}
