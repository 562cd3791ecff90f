import type { Job } from "#src/domain/job.ts";
import { writeDraft, writeRun } from "#src/domain/messages/drafts/jobs.ts";
import { verifyEmail } from "#src/domain/research/verification/run-job.ts";
import { verifyDataset } from "#src/domain/research/verification/dataset-worker.ts";
import { importQueued } from "#src/domain/people/leads/sheet-import.ts";
import { drainCampaign } from "#src/domain/campaigns/drain.ts";
import { launchCampaign, launchCheck, launchFailed } from "#src/domain/campaigns/launch/jobs.ts";
import { publishingPost } from "#src/domain/network/posts/publish.ts";
import { countingPosts } from "#src/domain/network/posts/count.ts";
import { lookingForPlacement } from "#src/domain/messages/placement/run.ts";
import { deliveringEmail } from "#src/domain/messages/emails/deliver.ts";
import { readingInboxes } from "#src/domain/replies/inbound/inbox/read-due.ts";
import { syncingAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import { deliveringWebhooks } from "#src/domain/workspace/webhooks/jobs.ts";
import { deliveringOutbox } from "#src/domain/workspace/notifications/deliver-outbox.ts";

/** Every job, by the name under which the full check asks for what the queue lost of it, in this order. */
export const JOBS: Record<string, Job> = {
  launches: launchCampaign,
  launch_checks: launchCheck,
  failed_launches: launchFailed,
  drains: drainCampaign,
  sheet_imports: importQueued,
  verification_jobs: verifyEmail,
  dataset_verifications: verifyDataset,
  generations: writeDraft,
  runs: writeRun,
  emails: deliveringEmail,
  posts: publishingPost,
  post_counts: countingPosts,
  account_syncs: syncingAccount,
  placement: lookingForPlacement,
  inboxes: readingInboxes,
  outbox: deliveringOutbox,
  webhooks: deliveringWebhooks,
};
