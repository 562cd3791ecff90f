// One file for the browser: screens that are used together (src/console/routes.ts).
export { WorkspaceScreen } from "./settings/workspace.tsx";
export { NotificationsScreen } from "./settings/notifications.tsx";
export { ApiKeysScreen } from "./settings/api-keys.tsx";
export { ConfirmationsScreen } from "./settings/confirmations.tsx";
export { MembersScreen } from "./settings/members/members.tsx";
export { AcceptScreen } from "./settings/members/accept.tsx";
