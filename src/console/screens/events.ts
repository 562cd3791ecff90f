// One file for the browser: screens that are used together (src/console/routes.ts).
export { EventsScreen } from "./settings/events/events.tsx";
export { WebhooksScreen } from "./settings/webhooks/webhooks.tsx";
export { WebhookScreen } from "./settings/webhooks/webhook.tsx";
