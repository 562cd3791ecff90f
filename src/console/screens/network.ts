// One file for the browser: screens that are used together (src/console/routes.ts).
export { NetworkScreen } from "./network/network.tsx";
export { PostsScreen } from "./network/posts.tsx";
