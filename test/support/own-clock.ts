/** Each file begins at the machine's own time, or as far ahead of it as is asked: files of one kind share a process, and its clock. */
import { AHEAD_MS } from "./ahead.ts";
import { releaseWarp, setWarpOffsetMs } from "../../scripts/stack/warp.ts";

releaseWarp();
setWarpOffsetMs(AHEAD_MS);
