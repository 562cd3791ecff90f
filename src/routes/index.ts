import type { App } from "#src/http/context.ts";
import type { Mount as Operation } from "#src/http/operation.ts";

/** Puts routes into an app; an operation (`operation()`) says besides what the API's description makes of it. */
type Mount = (app: App) => void;
export type Load = () => Promise<readonly Mount[]>;

const health: Load[] = [async () => (await import("./health.ts")).healthRoutes];
const tracking: Load[] = [async () => [(await import("./tracking.ts")).mountTracking]];
const finding: Load[] = [
  async () => (await import("./finding.ts")).findingRoutes,
  async () => (await import("./email-finder.ts")).emailFinderRoutes,
];
const suppressions: Load[] = [
  async () => (await import("./suppression-files.ts")).suppressionFileRoutes,
  async () => (await import("./suppressions.ts")).suppressionRoutes,
];
const prospects: Load = async () => (await import("./prospects.ts")).prospectRoutes;

/**
 * Every route, by the first word of its path behind the version: what one of them needs is loaded, and its schemas are
 * built, at the first request to it. Of two routes of an area that fit a path the first is taken.
 */
export const areas: Readonly<Record<string, readonly Load[]>> = {
  health,
  ready: health,
  status: health,
  api: health,
  auth: [
    async () => (await import("./auth.ts")).authRoutes,
    async () => (await import("./sessions.ts")).sessionRoutes,
    async () => [(await import("./login.ts")).mountLogin],
  ],
  "api-keys": [async () => (await import("./api-keys.ts")).apiKeyRoutes],
  confirmations: [async () => (await import("./confirmations.ts")).confirmationRoutes],
  workspace: [
    async () => (await import("./workspace.ts")).workspaceRoutes,
    async () => (await import("./members.ts")).memberRoutes,
  ],
  invitations: [async () => (await import("./members.ts")).invitationRoutes],
  payments: [
    async () => (await import("./payments.ts")).paymentRoutes,
    async () => (await import("./purchases.ts")).purchaseRoutes,
  ],
  events: [async () => (await import("./events.ts")).eventRoutes],
  webhooks: [async () => (await import("./webhooks.ts")).webhookRoutes],
  notifications: [
    async () => (await import("./notifications.ts")).notificationRoutes,
    async () => (await import("./whatsapp-webhook.ts")).whatsappWebhookRoutes,
  ],
  "email-finder": finding,
  "profile-finder": finding,
  personalize: [
    async () => (await import("./personalize-preview.ts")).personalizePreviewRoutes,
    async () => (await import("./personalize-runs.ts")).personalizeRunRoutes,
  ],
  "sender-profiles": [async () => (await import("./sender-profiles.ts")).senderProfileRoutes],
  templates: [
    async () => (await import("./templates.ts")).templateRoutes,
    async () => (await import("./template-preview.ts")).templatePreviewRoutes,
  ],
  datasets: [
    async () => (await import("./datasets.ts")).datasetRoutes,
    async () => (await import("./dataset-import.ts")).datasetImportRoutes,
    async () => (await import("./leads.ts")).leadRoutes,
  ],
  sheets: [async () => (await import("./sheets.ts")).sheetRoutes],
  leads: [
    async () => (await import("./erasure.ts")).erasureRoutes,
    async () => (await import("./lead-search.ts")).leadSearchRoutes,
  ],
  mailer: [
    async () => (await import("./mail-domains.ts")).mailDomainRoutes,
    async () => (await import("./domain-reports.ts")).domainReportRoutes,
    async () => (await import("./domain-health.ts")).domainHealthRoutes,
    async () => (await import("./domain-postmaster.ts")).domainPostmasterRoutes,
    async () => (await import("./domain-operators.ts")).domainOperatorRoutes,
    async () => (await import("./mail-aliases.ts")).mailAliasRoutes,
    async () => (await import("./mail-alias-oauth.ts")).mailAliasOauthRoutes,
    async () => (await import("./emails.ts")).emailRoutes,
    async () => (await import("./placement-tests.ts")).placementTestRoutes,
    async () => (await import("./inbound.ts")).inboundRoutes,
  ],
  "connected-accounts": [
    async () => (await import("./connected-accounts.ts")).connectedAccountRoutes,
  ],
  "suppression-imports": suppressions,
  "suppressions.csv": suppressions,
  suppressions,
  conversations: [
    async () => (await import("./conversations.ts")).conversationRoutes,
    async () => (await import("./conversation-reply.ts")).conversationReplyRoutes,
  ],
  socialnet: [
    async () => (await import("./network-messages.ts")).networkMessageRoutes,
    async () => (await import("./network-webhook.ts")).networkWebhookRoutes,
    async () => (await import("./social-posts.ts")).socialPostRoutes,
  ],
  campaigns: [
    async () => (await import("./campaigns.ts")).campaignRoutes,
    async () => (await import("./campaign-verbs.ts")).campaignVerbRoutes,
    async () => (await import("./campaign-plan.ts")).campaignPlanRoutes,
    async () => (await import("./campaign-preflight.ts")).campaignPreflightRoutes,
    async () => (await import("./campaign-sending.ts")).campaignSendingRoutes,
    async () => (await import("./campaign-preview.ts")).campaignPreviewRoutes,
    async () => (await import("./campaign-forecast.ts")).campaignForecastRoutes,
    async () => (await import("./campaign-stats.ts")).campaignStatsRoutes,
    async () => (await import("./campaign-messages.ts")).campaignMessageRoutes,
    async () => (await import("./campaign-experiments.ts")).campaignExperimentRoutes,
    async () => (await import("./campaign-leads.ts")).campaignLeadRoutes,
    async () => (await import("./campaign-lead-actions.ts")).campaignLeadActionRoutes,
    async () => (await import("./campaign-lead-counts.ts")).campaignLeadCountRoutes,
    async () => (await import("./campaign-playground.ts")).campaignPlaygroundRoutes,
    async () => (await import("./campaign-reviews.ts")).campaignReviewRoutes,
    async () => (await import("./click-stats.ts")).clickStatsRoutes,
  ],
  attention: [async () => (await import("./attention.ts")).attentionRoutes],
  forecast: [async () => (await import("./campaign-forecast.ts")).workspaceForecastRoutes],
  stats: [async () => (await import("./campaign-stats.ts")).workspaceStatsRoutes],
  prospects: [prospects, async () => [(await import("./prospects.ts")).mountOptOut]],
  x402: [
    prospects,
    async () => (await import("./paid-verification.ts")).paidVerificationRoutes,
    async () => (await import("./paid-finding.ts")).paidFindingRoutes,
  ],
  "email-verification": [
    async () => (await import("./dataset-verification.ts")).datasetVerificationRoutes,
  ],
  oauth: [
    async () => [(await import("./mail-alias-oauth.ts")).mountMailOauth],
    async () => [(await import("./domain-postmaster.ts")).mountPostmasterOauth],
  ],
  cells: [async () => [(await import("./cells.ts")).mountCells]],
  o: tracking,
  c: tracking,
  u: tracking,
};

/** `/api/v1/campaigns/{campaign_id}` is of the area "campaigns", `/o/{token}` of "o"; all paid calls are one. */
export function areaOf(path: string): string {
  const [, first = "", second = "", third = ""] = path.split("/");
  if (first !== "api") return first;
  return second === "x402" ? second : third;
}

/** The operations of the whole API, as its description lists them. */
export async function everyOperation(): Promise<Operation[]> {
  const loads = new Set(Object.values(areas).flat());
  const mounts = await Promise.all([...loads].map((load) => load()));
  return mounts.flat().filter((mount): mount is Operation => "said" in mount);
}
