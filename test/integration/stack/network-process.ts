import { startNetwork } from "../../../scripts/stack/network/network.ts";

/** A network in a process of its own, which a test may kill; says where it is. */
const part = await startNetwork({
  apiKey: process.argv[2] ?? "",
  stateFile: process.argv[3] ?? "",
});
console.log(part.url);
