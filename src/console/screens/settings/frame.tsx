import type { ComponentChildren } from "preact";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { href } from "../../router.ts";

const TABS = [
  { label: "Workspace", path: "/settings/workspace" },
  { label: "API keys", path: "/settings/api-keys" },
  { label: "Notifications", path: "/settings/notifications" },
  { label: "Members", path: "/settings/members" },
  { label: "Webhooks", path: "/settings/webhooks" },
  { label: "Who did what", path: "/settings/events" },
];

/** The settings are pages beside each other; each names itself by its path. */
export function SettingsPage(props: {
  path: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { path, actions, children } = props;
  const { label = "Settings" } = TABS.find((tab) => tab.path === path) ?? {};
  return (
    <Page
      title={label}
      {...(actions === undefined ? {} : { actions })}
      tabs={
        <Tabs
          label="Settings"
          tabs={TABS.map((tab) => ({
            label: tab.label,
            href: href(tab.path),
            isCurrent: tab.path === path,
          }))}
        />
      }
    >
      {children}
    </Page>
  );
}
