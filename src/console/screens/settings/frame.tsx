import type { ComponentChildren } from "preact";
import { TabbedPage } from "../../parts/tabbed-page.tsx";

const TABS = {
  "/settings/workspace": "Workspace",
  "/settings/api-keys": "API keys",
  "/settings/confirmations": "Agents",
  "/settings/notifications": "Notifications",
  "/settings/members": "Members",
  "/settings/webhooks": "Webhooks",
  "/settings/events": "Who did what",
};

/** The settings are pages beside each other; each names itself by its path. */
export const SettingsPage = (props: {
  path: keyof typeof TABS;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) => <TabbedPage label="Settings" tabs={TABS} {...props} />;
