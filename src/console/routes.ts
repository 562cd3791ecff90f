import type { ComponentType } from "preact";

export interface ScreenProps {
  /** Of the pattern. */
  params: Record<string, string>;
  /** Of the address; `setQuery` changes it. */
  query: URLSearchParams;
}

export type Screen = ComponentType<ScreenProps>;

export interface Route {
  /** Behind /console; `:name` is a part. The first that fits is taken. */
  path: string;
  /** Each screen is a file of its own for the browser, loaded when it is first shown. */
  load(): Promise<Screen>;
}

export interface NavItem {
  path: string;
  label: string;
  /** Pressed after `g`. */
  key: string;
}

/** Where /console itself leads. */
export const HOME = "/service";

export const routes: Route[] = [
  {
    path: "/campaigns",
    load: async () => (await import("./screens/campaigns/campaigns.tsx")).CampaignsScreen,
  },
  {
    path: "/campaigns/new",
    load: async () => (await import("./screens/campaigns/new.tsx")).NewCampaignScreen,
  },
  {
    path: "/campaigns/:id",
    load: async () => (await import("./screens/campaign/overview.tsx")).CampaignScreen,
  },
  {
    path: "/campaigns/:id/leads",
    load: async () => (await import("./screens/campaign/leads.tsx")).CampaignLeadsScreen,
  },
  {
    path: "/campaigns/:id/steps",
    load: async () => (await import("./screens/campaign/steps.tsx")).CampaignStepsScreen,
  },
  {
    path: "/campaigns/:id/settings",
    load: async () => (await import("./screens/campaign/settings.tsx")).CampaignSettingsScreen,
  },
  {
    path: "/service",
    load: async () => (await import("./screens/service/service.tsx")).ServiceScreen,
  },
  {
    path: "/settings",
    load: async () => (await import("./screens/settings/workspace.tsx")).WorkspaceScreen,
  },
  {
    path: "/settings/workspace",
    load: async () => (await import("./screens/settings/workspace.tsx")).WorkspaceScreen,
  },
  {
    path: "/settings/notifications",
    load: async () => (await import("./screens/settings/notifications.tsx")).NotificationsScreen,
  },
  {
    path: "/settings/api-keys",
    load: async () => (await import("./screens/settings/api-keys.tsx")).ApiKeysScreen,
  },
];

/** The rail on the left, in groups. */
export const navigation: NavItem[][] = [
  [{ path: "/campaigns", label: "Campaigns", key: "c" }],
  [
    { path: "/settings", label: "Settings", key: "," },
    { path: "/service", label: "Service", key: "v" },
  ],
];
