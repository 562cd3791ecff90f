import { Client } from "pg";

/** So long after its last run at most the upkeep is left out: what is kept for some days is then forgotten on the right one. */
const LONGEST_HOURS = 24;

/**
 * What of the heartbeat's full check (src/domain/jobs/maintenance.ts) falls due by the clock alone, and when: domains are
 * looked at once a day, hourly while something is wrong with them; senders are replaced a week after they closed; inboxes
 * are read every few minutes, but the stack's own need not be where nothing has come since they were; a step that is
 * tried out is entered at the next look, and weighed once a date from then on.
 * Whatever else it mends follows from something that happens.
 */
const NEXT = `
  select least(
    $4::timestamptz + interval '${LONGEST_HOURS} hours',
    (select min(coalesce(checked_at, created_at)) from mail_domains) + interval '1 day',
    (select min(coalesce(checked_at, created_at)) from mail_domains
     where status = 'failing' or records @> '[{"status": "unknown"}]'
       or (status <> 'verified' and created_at > $1::timestamptz - interval '7 days')) + interval '1 hour',
    (select min(closed_since) from sender_lanes
     where not open and closed_since > $1::timestamptz - interval '7 days') + interval '7 days',
    (select min(expires_at) from credit_holds where returned_at is null),
    (select min(check_at) from payment_orders),
    (select min(next_sync_at) from connected_accounts),
    (select min(status_since) from connected_accounts
     where status <> 'connected' and status_since > $1::timestamptz - interval '15 minutes') + interval '15 minutes',
    (select min(due_at) from social_posts),
    (select min(due_at) from postmaster_logins where state <> 'consent_lost'),
    (select $4::timestamptz + interval '15 minutes' where exists (
       select from campaigns c where c.status in ('active', 'draining') and jsonb_path_exists(c.steps, '$[*].experiment')
         and not exists (select from experiments e where e.campaign_id = c.id))),
    (select min(next_read_at) from inboxes where port <> $2 or read_at is null or read_at <= $3)
  ) as at`;

/** When the full check next has something to do that only time brings, having last run at `ranAt`. */
export async function readNextUpkeep(
  databaseUrl: string,
  now: Date,
  { ranAt, imapPort, lastMailAt }: { ranAt: Date; imapPort: number; lastMailAt: Date },
): Promise<Date> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: Date }>(NEXT, [now, imapPort, lastMailAt, ranAt]);
    return rows[0]!.at;
  } finally {
    await client.end();
  }
}
