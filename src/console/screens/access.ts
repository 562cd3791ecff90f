// One file for the browser: screens that are used together (src/console/routes.ts).
export { WebhooksScreen } from "./settings/webhooks/webhooks.tsx";
export { WebhookScreen } from "./settings/webhooks/webhook.tsx";
export { MembersScreen } from "./settings/members/members.tsx";
export { AcceptScreen } from "./settings/members/accept.tsx";
