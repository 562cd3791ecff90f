// One file for the browser: screens that are used together (src/console/routes.ts).
export { AliasesScreen } from "./senders/aliases.tsx";
export { NewAliasScreen } from "./senders/new-alias.tsx";
export { AliasScreen } from "./senders/alias.tsx";
export { ProfilesScreen } from "./senders/profiles.tsx";
export { NewProfileScreen } from "./senders/profile.tsx";
export { ProfileScreen } from "./senders/profile.tsx";
