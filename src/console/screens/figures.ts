// One file for the browser: screens that are used together (src/console/routes.ts).
export { StatsScreen } from "./stats/stats.tsx";
export { CreditsScreen } from "./credits/credits.tsx";
export { ServiceScreen } from "./service/service.tsx";
