// One file for the browser: screens that are used together (src/console/routes.ts).
export { WorkspaceScreen } from "./settings/workspace.tsx";
export { NotificationsScreen } from "./settings/notifications.tsx";
export { ApiKeysScreen } from "./settings/api-keys.tsx";
export { EventsScreen } from "./settings/events/events.tsx";
