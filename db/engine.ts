/** The engine's own queries; one statement per verb, in the files beside. */
export { createPostgresStore } from "./engine/postgres-store.ts";
export type * from "./engine/store.ts";
export { wakeLaneStatement, wakeLanesStatement } from "./engine/wake.ts";
