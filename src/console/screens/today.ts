// One file for the browser: screens that are used together (src/console/routes.ts).
export { TodayScreen } from "./today/today.tsx";
