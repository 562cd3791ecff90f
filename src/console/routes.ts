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
    load: async () => (await import("./screens/today/today.tsx")).TodayScreen,
  },
  {
    path: "/stats",
    load: async () => (await import("./screens/stats/stats.tsx")).StatsScreen,
  },
  {
    path: "/credits",
    load: async () => (await import("./screens/credits/credits.tsx")).CreditsScreen,
  },
  {
    path: "/drafts",
    load: async () => (await import("./screens/drafts/drafts.tsx")).DraftsScreen,
  },
  {
    path: "/drafts/:batch",
    load: async () => (await import("./screens/drafts/batch.tsx")).BatchScreen,
  },
  {
    path: "/inbox",
    isOnePageAs: "/inbox",
    load: async () => (await import("./screens/inbox/inbox.tsx")).InboxScreen,
  },
  {
    path: "/inbox/:id",
    isOnePageAs: "/inbox",
    load: async () => (await import("./screens/inbox/inbox.tsx")).InboxScreen,
  },
  {
    path: "/network",
    load: async () => (await import("./screens/network/network.tsx")).NetworkScreen,
  },
  {
    path: "/posts",
    load: async () => (await import("./screens/network/posts.tsx")).PostsScreen,
  },
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
    path: "/senders",
    load: async () => (await import("./screens/senders/aliases.tsx")).AliasesScreen,
  },
  {
    path: "/senders/aliases/new",
    load: async () => (await import("./screens/senders/new-alias.tsx")).NewAliasScreen,
  },
  {
    path: "/senders/aliases/:id",
    load: async () => (await import("./screens/senders/alias.tsx")).AliasScreen,
  },
  {
    path: "/senders/domains",
    load: async () => (await import("./screens/senders/domains.tsx")).DomainsScreen,
  },
  {
    path: "/senders/domains/:id",
    load: async () => (await import("./screens/senders/domain.tsx")).DomainScreen,
  },
  {
    path: "/senders/profiles",
    load: async () => (await import("./screens/senders/profiles.tsx")).ProfilesScreen,
  },
  {
    path: "/senders/profiles/new",
    load: async () => (await import("./screens/senders/profile.tsx")).NewProfileScreen,
  },
  {
    path: "/senders/profiles/:id",
    load: async () => (await import("./screens/senders/profile.tsx")).ProfileScreen,
  },
  {
    path: "/people",
    load: async () => (await import("./screens/people/people.tsx")).PeopleScreen,
  },
  {
    path: "/people/:dataset",
    load: async () => (await import("./screens/people/dataset.tsx")).DatasetScreen,
  },
  {
    path: "/people/:dataset/import",
    load: async () => (await import("./screens/people/import.tsx")).ImportScreen,
  },
  {
    path: "/person/:lead",
    load: async () => (await import("./screens/people/person.tsx")).PersonScreen,
  },
  {
    path: "/templates",
    load: async () => (await import("./screens/templates/templates.tsx")).TemplatesScreen,
  },
  {
    path: "/templates/:id",
    load: async () => (await import("./screens/templates/template.tsx")).TemplateScreen,
  },
  {
    path: "/suppressions",
    load: async () => (await import("./screens/suppressions/suppressions.tsx")).SuppressionsScreen,
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
  {
    path: "/settings/webhooks",
    load: async () => (await import("./screens/settings/webhooks/webhooks.tsx")).WebhooksScreen,
  },
  {
    path: "/settings/webhooks/:id",
    load: async () => (await import("./screens/settings/webhooks/webhook.tsx")).WebhookScreen,
  },
  {
    path: "/settings/members",
    load: async () => (await import("./screens/settings/members/members.tsx")).MembersScreen,
  },
  {
    path: "/invitations/:token",
    load: async () => (await import("./screens/settings/members/accept.tsx")).AcceptScreen,
  },
  {
    path: "/settings/events",
    load: async () => (await import("./screens/settings/events/events.tsx")).EventsScreen,
  },
  {
    path: "/emails",
    load: async () => (await import("./screens/emails/emails.tsx")).EmailsScreen,
  },
  {
    path: "/emails/new",
    load: async () => (await import("./screens/emails/compose.tsx")).ComposeScreen,
  },
  {
    path: "/emails/:id",
    load: async () => (await import("./screens/emails/email.tsx")).EmailScreen,
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
