/** Each file begins at the machine's own time: files of one kind share a process, and its clock. */
import { releaseWarp, setWarpOffsetMs } from "../../scripts/stack/warp.ts";

releaseWarp();
setWarpOffsetMs(0);
