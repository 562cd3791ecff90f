// One file for the browser: screens that are used together (src/console/routes.ts).
export { InboxScreen } from "./inbox/inbox.tsx";
export { EmailsScreen } from "./emails/emails.tsx";
export { ComposeScreen } from "./emails/compose.tsx";
export { EmailScreen } from "./emails/email.tsx";
