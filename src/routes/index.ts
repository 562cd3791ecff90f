import type { Mount } from "#src/http/operation.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { authRoutes } from "./auth.ts";
import { campaignForecastRoutes } from "./campaign-forecast.ts";
import { campaignLeadActionRoutes } from "./campaign-lead-actions.ts";
import { campaignLeadRoutes } from "./campaign-leads.ts";
import { campaignPlaygroundRoutes } from "./campaign-playground.ts";
import { campaignPreviewRoutes } from "./campaign-preview.ts";
import { campaignReviewRoutes } from "./campaign-reviews.ts";
import { campaignSendingRoutes } from "./campaign-sending.ts";
import { campaignStatsRoutes } from "./campaign-stats.ts";
import { campaignVerbRoutes } from "./campaign-verbs.ts";
import { campaignRoutes } from "./campaigns.ts";
import { clickStatsRoutes } from "./click-stats.ts";
import { connectedAccountRoutes } from "./connected-accounts.ts";
import { conversationRoutes } from "./conversations.ts";
import { datasetImportRoutes } from "./dataset-import.ts";
import { datasetVerificationRoutes } from "./dataset-verification.ts";
import { datasetRoutes } from "./datasets.ts";
import { emailFinderRoutes } from "./email-finder.ts";
import { emailRoutes } from "./emails.ts";
import { erasureRoutes } from "./erasure.ts";
import { findingRoutes } from "./finding.ts";
import { healthRoutes } from "./health.ts";
import { inboundRoutes } from "./inbound.ts";
import { leadRoutes } from "./leads.ts";
import { mailAliasOauthRoutes } from "./mail-alias-oauth.ts";
import { mailAliasRoutes } from "./mail-aliases.ts";
import { mailDomainRoutes } from "./mail-domains.ts";
import { networkMessageRoutes } from "./network-messages.ts";
import { networkWebhookRoutes } from "./network-webhook.ts";
import { notificationRoutes } from "./notifications.ts";
import { paidVerificationRoutes } from "./paid-verification.ts";
import { paidFindingRoutes } from "./paid-finding.ts";
import { paymentRoutes } from "./payments.ts";
import { personalizePreviewRoutes } from "./personalize-preview.ts";
import { purchaseRoutes } from "./purchases.ts";
import { personalizeRunRoutes } from "./personalize-runs.ts";
import { prospectRoutes } from "./prospects.ts";
import { senderProfileRoutes } from "./sender-profiles.ts";
import { sheetRoutes } from "./sheets.ts";
import { socialPostRoutes } from "./social-posts.ts";
import { suppressionFileRoutes } from "./suppression-files.ts";
import { suppressionRoutes } from "./suppressions.ts";
import { templateRoutes } from "./templates.ts";
import { whatsappWebhookRoutes } from "./whatsapp-webhook.ts";
import { workspaceRoutes } from "./workspace.ts";

/** Every operation of the API. */
export const routes: Mount[] = [
  ...healthRoutes,
  ...authRoutes,
  ...apiKeyRoutes,
  ...workspaceRoutes,
  ...paymentRoutes,
  ...purchaseRoutes,
  ...notificationRoutes,
  ...findingRoutes,
  ...personalizePreviewRoutes,
  ...senderProfileRoutes,
  ...templateRoutes,
  ...datasetRoutes,
  ...datasetImportRoutes,
  ...sheetRoutes,
  ...leadRoutes,
  ...erasureRoutes,
  ...mailDomainRoutes,
  ...mailAliasRoutes,
  ...mailAliasOauthRoutes,
  ...connectedAccountRoutes,
  ...suppressionFileRoutes,
  ...suppressionRoutes,
  ...emailRoutes,
  ...conversationRoutes,
  ...inboundRoutes,
  ...networkMessageRoutes,
  ...networkWebhookRoutes,
  ...campaignRoutes,
  ...campaignVerbRoutes,
  ...campaignSendingRoutes,
  ...campaignPreviewRoutes,
  ...campaignForecastRoutes,
  ...campaignStatsRoutes,
  ...campaignLeadRoutes,
  ...campaignLeadActionRoutes,
  ...campaignPlaygroundRoutes,
  ...campaignReviewRoutes,
  ...personalizeRunRoutes,
  ...clickStatsRoutes,
  ...socialPostRoutes,
  ...whatsappWebhookRoutes,
  ...prospectRoutes,
  ...emailFinderRoutes,
  ...datasetVerificationRoutes,
  ...paidVerificationRoutes,
  ...paidFindingRoutes,
];
