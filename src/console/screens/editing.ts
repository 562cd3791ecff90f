// One file for the browser: screens that are used together (src/console/routes.ts).
export { CampaignLeadsScreen } from "./campaign/leads.tsx";
export { CampaignStepsScreen } from "./campaign/steps.tsx";
export { CampaignSettingsScreen } from "./campaign/settings.tsx";
