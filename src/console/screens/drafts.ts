// One file for the browser: screens that are used together (src/console/routes.ts).
export { DraftsScreen } from "./drafts/drafts.tsx";
export { BatchScreen } from "./drafts/batch.tsx";
