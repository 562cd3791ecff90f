// One file for the browser: screens that are used together (src/console/routes.ts).
export { CampaignsScreen } from "./campaigns/campaigns.tsx";
export { NewCampaignScreen } from "./campaigns/new.tsx";
export { CampaignScreen } from "./campaign/overview.tsx";
