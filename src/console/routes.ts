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
  /** Screens that are used together are one file for the browser (`screens/*.ts`), loaded when one is first shown. */
  load(): Promise<Screen>;
  /** Addresses of one name are one page: a list beside what is chosen in it, which stays where it is. */
  isOnePageAs?: string;
}

export interface NavItem {
  path: string;
  label: string;
  /** Pressed after `g`. */
  key: string;
}

/** What /console itself shows. */
export const HOME = "/";

export const routes: Route[] = [
  {
    path: "/",
    load: async () => (await import("./screens/today.ts")).TodayScreen,
  },
  {
    path: "/stats",
    load: async () => (await import("./screens/figures.ts")).StatsScreen,
  },
  {
    path: "/credits",
    load: async () => (await import("./screens/figures.ts")).CreditsScreen,
  },
  {
    path: "/drafts",
    load: async () => (await import("./screens/drafts.ts")).DraftsScreen,
  },
  {
    path: "/drafts/:batch",
    load: async () => (await import("./screens/drafts.ts")).BatchScreen,
  },
  {
    path: "/inbox",
    isOnePageAs: "/inbox",
    load: async () => (await import("./screens/letters.ts")).InboxScreen,
  },
  {
    path: "/inbox/:id",
    isOnePageAs: "/inbox",
    load: async () => (await import("./screens/letters.ts")).InboxScreen,
  },
  {
    path: "/network",
    load: async () => (await import("./screens/network.ts")).NetworkScreen,
  },
  {
    path: "/posts",
    load: async () => (await import("./screens/network.ts")).PostsScreen,
  },
  {
    path: "/campaigns",
    load: async () => (await import("./screens/campaign.ts")).CampaignsScreen,
  },
  {
    path: "/campaigns/new",
    load: async () => (await import("./screens/campaign.ts")).NewCampaignScreen,
  },
  {
    path: "/campaigns/:id",
    load: async () => (await import("./screens/campaign.ts")).CampaignScreen,
  },
  {
    path: "/campaigns/:id/leads",
    load: async () => (await import("./screens/editing.ts")).CampaignLeadsScreen,
  },
  {
    path: "/campaigns/:id/steps",
    load: async () => (await import("./screens/editing.ts")).CampaignStepsScreen,
  },
  {
    path: "/campaigns/:id/settings",
    load: async () => (await import("./screens/editing.ts")).CampaignSettingsScreen,
  },
  {
    path: "/senders",
    load: async () => (await import("./screens/senders.ts")).AliasesScreen,
  },
  {
    path: "/senders/aliases/new",
    load: async () => (await import("./screens/senders.ts")).NewAliasScreen,
  },
  {
    path: "/senders/aliases/:id",
    load: async () => (await import("./screens/senders.ts")).AliasScreen,
  },
  {
    path: "/senders/domains",
    load: async () => (await import("./screens/arriving.ts")).DomainsScreen,
  },
  {
    path: "/senders/domains/:id",
    load: async () => (await import("./screens/arriving.ts")).DomainScreen,
  },
  {
    path: "/senders/profiles",
    load: async () => (await import("./screens/senders.ts")).ProfilesScreen,
  },
  {
    path: "/senders/profiles/new",
    load: async () => (await import("./screens/senders.ts")).NewProfileScreen,
  },
  {
    path: "/senders/profiles/:id",
    load: async () => (await import("./screens/senders.ts")).ProfileScreen,
  },
  {
    path: "/senders/placement",
    load: async () => (await import("./screens/arriving.ts")).PlacementScreen,
  },
  {
    path: "/senders/placement/:id",
    load: async () => (await import("./screens/arriving.ts")).PlacementTestScreen,
  },
  {
    path: "/people",
    load: async () => (await import("./screens/people.ts")).PeopleScreen,
  },
  {
    path: "/people/:dataset",
    load: async () => (await import("./screens/people.ts")).DatasetScreen,
  },
  {
    path: "/people/:dataset/import",
    load: async () => (await import("./screens/people.ts")).ImportScreen,
  },
  {
    path: "/person/:lead",
    load: async () => (await import("./screens/people.ts")).PersonScreen,
  },
  {
    path: "/templates",
    load: async () => (await import("./screens/texts.ts")).TemplatesScreen,
  },
  {
    path: "/templates/:id",
    load: async () => (await import("./screens/texts.ts")).TemplateScreen,
  },
  {
    path: "/suppressions",
    load: async () => (await import("./screens/texts.ts")).SuppressionsScreen,
  },
  {
    path: "/service",
    load: async () => (await import("./screens/figures.ts")).ServiceScreen,
  },
  {
    path: "/settings",
    load: async () => (await import("./screens/access.ts")).WorkspaceScreen,
  },
  {
    path: "/settings/workspace",
    load: async () => (await import("./screens/access.ts")).WorkspaceScreen,
  },
  {
    path: "/settings/notifications",
    load: async () => (await import("./screens/access.ts")).NotificationsScreen,
  },
  {
    path: "/settings/api-keys",
    load: async () => (await import("./screens/access.ts")).ApiKeysScreen,
  },
  {
    path: "/settings/confirmations",
    load: async () => (await import("./screens/access.ts")).ConfirmationsScreen,
  },
  {
    path: "/settings/webhooks",
    load: async () => (await import("./screens/events.ts")).WebhooksScreen,
  },
  {
    path: "/settings/webhooks/:id",
    load: async () => (await import("./screens/events.ts")).WebhookScreen,
  },
  {
    path: "/settings/members",
    load: async () => (await import("./screens/access.ts")).MembersScreen,
  },
  {
    path: "/invitations/:token",
    load: async () => (await import("./screens/access.ts")).AcceptScreen,
  },
  {
    path: "/settings/events",
    load: async () => (await import("./screens/events.ts")).EventsScreen,
  },
  {
    path: "/emails",
    load: async () => (await import("./screens/letters.ts")).EmailsScreen,
  },
  {
    path: "/emails/new",
    load: async () => (await import("./screens/letters.ts")).ComposeScreen,
  },
  {
    path: "/emails/:id",
    load: async () => (await import("./screens/letters.ts")).EmailScreen,
  },
];

/** The rail on the left, in groups. */
export const navigation: NavItem[][] = [
  [{ path: "/", label: "Today", key: "h" }],
  [
    { path: "/campaigns", label: "Campaigns", key: "c" },
    { path: "/inbox", label: "Inbox", key: "i" },
    { path: "/drafts", label: "Drafts", key: "d" },
  ],
  [
    { path: "/people", label: "People", key: "p" },
    { path: "/senders", label: "Senders", key: "s" },
    { path: "/templates", label: "Templates", key: "t" },
    { path: "/suppressions", label: "Suppressions", key: "u" },
  ],
  [
    { path: "/network", label: "Network", key: "n" },
    { path: "/posts", label: "Posts", key: "o" },
  ],
  [
    { path: "/stats", label: "Statistics", key: "r" },
    { path: "/emails", label: "Single emails", key: "e" },
    { path: "/credits", label: "Credits", key: "b" },
  ],
  [
    { path: "/settings", label: "Settings", key: "," },
    { path: "/service", label: "Service", key: "v" },
  ],
];
