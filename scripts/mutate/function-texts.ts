/** Prints what the engine's functions are in the tree in which it stands, as JSON by name. */
import { ENGINE_FUNCTIONS, functionText } from "#db/engine/functions.ts";

console.log(
  JSON.stringify(Object.fromEntries(ENGINE_FUNCTIONS.map((fn) => [fn.name, functionText(fn)]))),
);
