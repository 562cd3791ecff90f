/**
 * What the contract's second look promises beside the shapes that `table.ts` has: sentence by sentence, in the contract's
 * order, with the test that goes red when it is broken. A line is `sentence | test file | test`, the file within `test/`,
 * the test as it is written in the source: its name, or its case where one name stands for many.
 */
export interface Sentence {
  sentence: string;
  /** Within `test/`. */
  file: string;
  test: string;
}

const read = (lines: string): Sentence[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [sentence, file, test, ...more] = line.split(" | ");
      if (test === undefined || more.length > 0) throw new Error(`Not three parts: ${line}`);
      return { sentence: sentence!.trim(), file: `${file}.test.ts`, test };
    });

/** By the section of the contract. */
export const sentences: Record<string, Sentence[]> = {
  "0. General": read(`
    a deleted workspace's login and keys are 401 on every operation | conformance/deleted-workspace | %s of a deleted workspace: 401, WORKSPACE_DELETED for its login and KEY_REVOKED for its keys
    its keys stay revoked when it is restored | integration/workspace/deletion/delete-workspace | within 30 days it can be restored: campaigns go on by a resume, keys stay revoked
    its keys are KEY_REVOKED for good | integration/workspace/deletion/erase-workspaces | after 30 days nothing is left but the ledger and two stubs, and the same login is somebody new
    after 30 days the same login is a new workspace | integration/workspace/deletion/erase-workspaces | after 30 days nothing is left but the ledger and two stubs, and the same login is somebody new
    running campaigns are paused, scheduled ones drafts, launching ones failed | integration/workspace/deletion/work-under-way | a running campaign is paused as by hand, a scheduled one is a draft, a launching one has failed
    waiting emails and verifications end, and held credits go back | integration/workspace/deletion/delete-workspace | single emails that wait are cancelled, one that is put in behind it is not sent, and credits come back
    waiting posts end | integration/workspace/deletion/sessions | sessions of a deleted workspace are ended, and its posts are not published
    imports, datasets' verifications and runs end, and held credits go back | integration/workspace/deletion/work-under-way | an import, a dataset's verification and a run end, and what was held for them goes back
    open checkout pages are expired | integration/billing/payments/deleted-workspace | a deleted workspace's page is expired: nobody can pay it any more
    what is paid nonetheless is refunded by itself | integration/billing/payments/deleted-workspace | what is paid between deletion and expiry goes back whole, once, however often the webhook comes
    links in sent mail work on, an unsubscription is kept, and replies are kept nowhere | integration/workspace/deletion/delete-workspace | links in mail that was sent work, and what comes back is taken and kept nowhere
    bounces and complaints are taken and kept nowhere | integration/workspace/deletion/delete-workspace | a bounce and a complaint are taken as well, and kept nowhere
    the operator may restore it | integration/access/operator/admin | a page of a workspace has plan, credits and campaigns by status; a deleted one can be restored
    balance, ledger and orders outlive it, without names | integration/workspace/deletion/erase-workspaces | after 30 days nothing is left but the ledger and two stubs, and the same login is somebody new
    a 400 of a coded operation is BAD_REQUEST | unit/http/errors | a 400 of a coded operation is BAD_REQUEST, beside its words
    what others changed meanwhile is 409 CONFLICT | integration/http/conflict | of %s is 409 CONFLICT, and stays as it is
    LEAD_EXISTS is 409 | integration/people/leads/leads | an identity is given once in a dataset
    ALIAS_EXISTS is 409 | integration/senders/aliases | is there once for each address, also when asked twice at once; the first is the default
    DOMAIN_EXISTS is 409 | integration/senders/mail-domains | a workspace has a domain once, also when asked twice at once; another workspace may have it too
    no room beside other large bodies is 503 BUSY with Retry-After | integration/replies/inbound/large | of two of the largest mails at once the second is put off, and a small one is not
    503 PAYMENTS_NOT_CONFIGURED | integration/http/not-configured | without Stripe a purchase and its webhook are 503 PAYMENTS_NOT_CONFIGURED; what was bought is read
    503 MODEL_NOT_CONFIGURED | integration/research/personalization/preview | a deployment without a model says so before it does anything
    503 NETWORK_NOT_CONFIGURED | integration/network/not-configured | without a network every operation that needs it is 503 in its own envelope
    503 MAIL_OAUTH_NOT_CONFIGURED | integration/senders/oauth-consent | of a provider that nobody set up: 503 with what to do
    503 POSTMASTER_NOT_CONFIGURED | integration/http/not-configured | without an app at Google its figures are 503 POSTMASTER_NOT_CONFIGURED, and those that were read are shown
    503 INBOUND_NOT_CONFIGURED | integration/http/not-configured | without a secret for routed mail it is 503 INBOUND_NOT_CONFIGURED, however it is signed
    503 WHATSAPP_WEBHOOK_NOT_CONFIGURED | integration/workspace/notifications/whatsapp-webhook | both operations say so
    else 503 NOT_CONFIGURED | integration/research/prospects/opt-out | a deployment without mail of its own says so: 503
    a payment event without our signature is 400 SIGNATURE_INVALID | integration/billing/payments/webhook | an event without our signature, with another's, or too old is 400 and changes nothing
    a callback of the queue without its signature is 401 | integration/http/callbacks | a signature that is another's, old, for another body or another address is 401, and nothing is done
    routed mail without its signature is 401 | integration/replies/inbound/inbound | %s is refused and nothing is kept
    a network's event without its secret is 401 | integration/network/webhook | proves it by the secret; without it, or with another, nothing is read
    a WhatsApp event without its signature is 401 | integration/workspace/notifications/whatsapp-webhook | %s is 401
    public pages stand outside OpenAPI | integration/http/foundation | %s is a public page, and no operation of the description
  `),
  "1. Campaign": read(`
    stop_reason is a code in lower case, its words are last_error | integration/campaigns/stop-reasons | a relay's last word ends a lead with a code, and stays as its last error
    stored stop_reasons are rewritten | integration/campaigns/stop-reasons | a lead that an older release left %s for %o is of the code %o
    launch says what preflight warns of, the sending status while it holds, and GET preflight without a change | integration/campaigns/launch | what it warns of is said at the launch, by itself, and while the campaign runs
    GET preflight says at any time whether a launch would go | integration/campaigns/launch | a campaign that cannot launch says so without a launch
    leads that are not added say why: no such lead, there already, address there already, no address, suppressed | integration/campaigns/leads | takes leads of any dataset, each address once, and says why others stay out
    the same without a page on the network: NO_PROFILE_URL | integration/campaigns/leads | to a campaign on the network leaves out who has no page there
    a rendered step is what the lead then gets | integration/messages/preview | shows what the lead then gets, to the letter, of each step
    a rendered step of a network names account and page | integration/network/around-steps | a step is shown as the person will get it
    a rendered text says whether it is the step's, approved, for the send or the newest draft | integration/messages/drafts/send-time-text | shows what would be sent, else the newest draft, and says which
    rendering for an unknown lead is 404 CAMPAIGN_LEAD_NOT_FOUND | integration/messages/preview | for a lead that is not in the campaign is 404, by its name
    a test send answers what the server said | integration/messages/preview | arrives at once, written for the lead, and counts nowhere
    a network step cannot be sent as a test: 422 STEP_NOT_AN_EMAIL | integration/network/around-steps | what cannot be written says why, and nothing on the network can be tried out
    a test to a suppressed address is 409 SUPPRESSED | integration/messages/preview | goes to no suppressed address, and from no alias that is paused
    sending is false when no sender can take what is due | integration/engine/sending-status | between two messages every sender waits for its gap
    reasons group all leads that wait, each group with its count | integration/engine/sending-status | all leads that wait are said, by what they wait for and how many, whether or not others are due
    a sender's status is the one its alias shows | integration/engine/sending-status | a sender's status is the one that its own alias shows
    a sender's status is the one its account shows | integration/network/notes | a day that the network closed is said as such, whoever else of the campaign is free
    a campaign's messages are those that its stats count | integration/campaigns/campaign-messages | are those that its stats count, day by day, in their order, on pages of any size
    a forecast is what the engine then does | integration/engine/forecast | a forecast is what the engine then does, send by send, also where campaigns share senders
    a forecast assumes what the sending status knows | integration/engine/forecast | what has nothing to send or nobody to send it says so: without senders, without leads, with none but ended ones
    a forecast knows which notes wait | integration/network/notes | nothing is asked again before that date, and the forecast promises nothing before it
    a network step asks for a connection by default | unit/campaigns/steps | a step of a network campaign asks for a connection
    with a text of more than 300 characters message must be said | unit/campaigns/steps | a text too long for a note
  `),
  "2. Playground, approvals, personalization": read(`
    what was approved is sent byte for byte | unit/messages/compose | an approved text goes out as it was approved: no Liquid, no spintax, bytes kept
    each lead gets exactly what was approved | integration/messages/drafts/policies | hold: nothing launches unseen; reviewed and resumed, each lead gets exactly what was approved
    a text alternative derived from HTML folds runs of blanks | unit/mime/html | plain text says what the page says
    a text alternative of a plain text is that text | unit/messages/compose | the text of a plain message is that text, runs of blanks and all, with the footer behind it
    a stale draft is 409 DRAFT_CHANGED | integration/messages/drafts/reviews | of a draft whose lead or step has changed is refused, and shown as stale
    of two approvals at once one is 409 APPROVED_MEANWHILE | integration/messages/drafts/reviews | of two people who approve at once one is refused, and replaces what is there when told so
    what bulk approval skips has a code | integration/messages/drafts/reviews | is approved at once, and what cannot be is named
    batches come as pages | integration/messages/drafts/playground | is made anew and charged anew by each call
    a run counts its texts by state; a text has its place in the run and its row | integration/messages/drafts/runs | writes a text for each lead of a dataset, and each costs a credit when it is there
    a sentence taken over from a stranger's text as an order is held or fails, whatever its verb | unit/research/personalization/orders | none of the obedient ones would be sent
    the same whatever its encoding | unit/research/personalization/orders | hidden: %s
    such a text is not sent without a person | integration/messages/drafts/orders | %s: what obeys it is not sent, and its lead says why
    such a text is approved by itself alone | integration/messages/drafts/held | is there to be read, is approved by itself alone, and is paid for once
  `),
  "3. Credits": read(`
    the ledger is newest first | integration/billing/payments/purchase | credits are bought on the hosted page, seen in the balance, and gone after a refund
    a balance is the sum of its entries | integration/billing/credits/interleavings | any sequence of purchases, work, refunds, disputes, expiries and crashes leaves what the model says
    a refund takes floor(credits x money back / price) | unit/billing/payments/plan-change | of 1,900 cents %i back take floor(credits x money back / price): %i of 1,000 credits
    what is spent already is owed | integration/billing/payments/webhook | a refund of spent credits is owed, and a refund that failed gives back what it took
    what is owed is paid first | integration/billing/credits/ledger | what is owed is paid first, by releases and by grants
    a workspace is free again when nothing of any purchase's money is left | integration/billing/payments/webhook | one of two purchases refunded: the plan stays; both at once: it goes
    credits are granted once per session | integration/billing/payments/webhook | a payment is granted once, however many of its events come at once
    for the sum, currency and pack of the order alone | integration/billing/payments/webhook | another %s than was ordered grants nothing, and the order says so
    a purchase that others change is 409 PAYMENT_CHANGED | integration/http/conflict | of a purchase is 409 PAYMENT_CHANGED, and the next click opens its page
    a provider that does not answer is 504 UPSTREAM_TIMEOUT | integration/billing/payments/purchase | a Stripe that does not answer in time is 504, and the page comes with the next click
    a provider in error is 502 | integration/billing/payments/purchase | after %s the answer is 502, nothing is owed, and the next click works
    a lost event is found by asking, within an hour | integration/billing/payments/reconcile | a payment eight hours after its order, of which nobody tells, counts within the hour
    credits held for a call that never ended return after 15 minutes | integration/billing/credits/expiry | credits held for a call whose worker died come back after 15 minutes, by the scheduled check
    a batch's after 24 hours | integration/billing/credits/expiry | a batch is held for a day, or for as long as its caller says
    credits_consumed of one address's open work is what is held for it | integration/research/verification/email-job | holds a credit, and is a job until its result is there
    of a dataset's too | integration/research/verification/dataset | every address gets its verdict, and each that is delivered costs one credit
  `),
  "4. Verification": read(`
    the answer's address is lower-cased, its domain in A-labels | integration/research/verification/email-job | the answer's address is in lower case, its domain in A-labels
    key holders' catch-all says the best guess | integration/research/finding/find-email | a host that takes everything: 422 with the best guess, not charged
    who is found has a confidence | integration/research/finding/find-email | she is found by her name, in one session that ends at the first acceptance, for one credit
    who is found has a confidence for wallets too, and nothing found is charged there | integration/billing/wallet/finding-calls | an address that is found is charged, and so is the certainty that there is none
    an address found by a first name alone is not told | integration/research/finding/find-email | an address by a first name alone is not told, and teaches what the company does
    below 0.9 nobody is found by a name that a colleague may have | unit/research/finding/decide-finding | an address that a colleague may have too is not told, and what it teaches is kept
    found: false carries nothing else | integration/research/finding/find-email | who is not there is not found, when each address was refused, and costs nothing
    GET before any POST is 404 VERIFICATION_NOT_FOUND | integration/research/verification/dataset | a dataset without addresses is verified at once
    DELETE of a cancelled verification is 200 | integration/research/verification/dataset | a cancellation gives back what was not asked about, and lets the next begin
    results hold rows with an address only | integration/research/verification/dataset | results hold the rows that have an address, and no others
  `),
  "5. Other bodies": read(`
    a message's class: sent, reply | integration/replies/inbound/inbound | ends the lead and stands in its conversation, after what was sent
    connection_request | integration/network/replies | stands in the lead's one thread, beside the mail and what the account sent there
    possible_opt_out ends the lead and suppresses nobody | integration/replies/inbound/inbound | that perhaps asks for no more mail is shown to a person as such, and suppresses nobody
    out_of_office | unit/replies/inbound/auto-reply | an out-of-office reply says when its writer is back: on the weekday after the last day away
    auto_reply | unit/replies/inbound/auto-reply | a mail with %s is no person's reply
    left_company | integration/replies/inbound/inbound | from somebody who left ends the lead, and suppresses nobody
    challenge | unit/replies/inbound/auto-reply | a challenge is told from an answer
    automated | unit/replies/inbound/auto-reply | what a machine writes unasked is automated: %j
    a text that is no longer kept is expired, after 365 days | integration/replies/inbound/conversations | a text that was kept for its days is gone, and the conversation says so; the thread goes on
    /raw is what came in, byte for byte | integration/replies/inbound/raw | a reply is given out byte for byte, as a file that nothing can take for a page
    /raw is kept up to 1 MiB | integration/replies/inbound/raw | up to 1 MiB is kept, and nothing of a larger one
    /raw is kept for 90 days, else 404 RAW_NOT_KEPT | integration/replies/inbound/raw | it is forgotten after 90 days, and the conversation still has what it says
    /html is the page, sanitised, under a policy that runs and asks nothing | integration/replies/inbound/page | a message's page is given out sanitised, under a policy by which it runs nothing and asks nobody
    conversations are asked for by unread | integration/replies/inbound/conversations | a campaign lead's conversation shows what the campaign sent, as it was sent
    the same mail by any two ways counts once | integration/replies/inbound/shared-address | the same mail by routing and out of the inbox counts once, and stops the other all the same
    a mailbox's own mail is matched within its workspace | integration/replies/inbound/shared-address | a mailbox's own mail is its workspace's, whoever has an alias or a domain of that name
    other mail first by the workspace whose domain is verified | integration/replies/inbound/shared-address | an answer goes to the workspace whose domain is verified, and stops the other's lead as well
    erasure answers success whether or not the address is known | integration/workspace/erasure/erase | is in no table any more, neither by address nor by name
    an erased value's suppression has value null | integration/workspace/erasure/erase | is sent nothing, and the message is kept without them
    and no end | integration/workspace/erasure/erase | who complained before stays one who complained, and for good
    and stands in no CSV | integration/people/suppressions/suppression-files | an export neutralises formulas and leaves erased values out
    in_reply_to that is no Message-ID of printable ASCII is 422 | integration/messages/emails | a Message-ID beyond ASCII is 422
    one with a control character too | integration/messages/emails | a Message-ID with another control character is 422
  `),
  "6. Accounts and posts": read(`
    where the network refuses notes only notes close; the lead says notes_used_up and until when | integration/network/notes | nine leads with a note: five go out, four wait for notes, and it is said why and until when
    nothing but notes closes | integration/network/notes | requests without a note and messages of the same account go on that day
    a step goes out without its note where note_optional says so | integration/network/notes | a step that may do without its note does, and one can say so later
    warm-up: a fifth on the first date, all on date warmup_days | unit/senders/network-caps | a new account begins with a fifth of its limits and has all of them when its warm-up is over
    warm-up grows evenly | unit/senders/network-caps | caps never shrink while a warm-up goes on, never pass the limit, and a limit above 0 leaves at least 1
    an invitation is withdrawn after 14 days | integration/network/steps | that nobody answers is withdrawn after 14 days, and the next email follows
    each account is looked at within 8 hours, so that it is withdrawn then | integration/network/sync | is due one to eight hours after the last, spread over the accounts
    the same person can be asked again three weeks later | integration/network/invitations | can be made again three weeks after it was withdrawn, and not before
    reconnect has its own quota, 10 an hour per account | integration/network/connect | the eleventh reconnect of an account within an hour is 429, and another's is not
    a code is read without blanks and dashes | integration/network/checkpoint | is met by its code as people type it: %j
    a post of an account that is not connected is 409, a scheduled one too | integration/network/posts/create | none: 409; another's or nobody's: 404; one that is not connected: 409; and nothing is kept
    DELETE removes our record, not the network's copy | integration/network/posts/publish | that is deleted afterwards is gone from our records, and stays at the network
    scheduled_at is at most a year ahead | integration/network/posts/create | more than a year ahead: 422
    PATCH of a scheduled post changes text and time | integration/network/posts/create | changes its text and its time, and is published then
  `),
  "7. Records": read(`
    a sheet of at most 5,000 rows is 200 with the report, more is 202 | integration/people/sheets/import | has at most 5,000 rows; of one more the answer is 202
    GET import shows it | integration/people/sheets/import | is imported by the queue, in pages, with its progress on the dataset
    a second import is 409 IMPORT_IN_PROGRESS | integration/people/sheets/import | a second import waits until the first is done
    a sheet that cannot be read is 422 by its code | integration/people/sheets/import | it %s
    SHEET_TOO_LARGE among them | unit/people/leads/sheet-faults | a sheet that is %s is 422 %s
    SHEET_KEEPS_CHANGING, SHEET_IMPORT_TIMED_OUT | integration/people/sheets/import | an import that is given up says which way: SHEET_KEEPS_CHANGING, SHEET_IMPORT_TIMED_OUT
    a rejected row has its place in the file from 0, and a code | integration/people/leads/import | names each row it cannot use, and imports the others
    codes of what a row holds | unit/people/leads/lead | %s for %j
    DUPLICATE_COLUMN | unit/people/leads/row-keys | that are mapped to one place are the row's fault, and nobody else's
    SUPPRESSED | integration/workspace/erasure/erase | is refused by every import, and not written down by it
    codes of whole files | integration/people/leads/import | that cannot be read is refused as %s, and changes nothing
    NUL_CHARACTER | integration/people/leads/import | a NUL character refuses its row, of a file and of rows, and a header of them the file
    TOO_MANY_ROWS | unit/people/leads/import-tally | one row more than an import takes refuses all of it: TOO_MANY_ROWS
    mailto:a@b, Anna <a@b> and a@b. are read as the address they hold | unit/people/leads/lead | of a lead, %j holds %j
    suppressions come as a file, with a report | integration/people/suppressions/suppression-files | of another program is taken over, with its reasons
    rejected suppressions are named | integration/people/suppressions/suppression-files | of rows that cannot be read: each is named, and the others are taken
    suppressions go as a file | integration/people/suppressions/suppression-files | of 5,000 addresses is taken over, and comes out again as it went in
    the weightier reason stays | integration/people/suppressions/suppressions | the weightier reason stays, and is given no end
    an alias shows its login by OAuth without secrets | integration/senders/oauth-consent | is the alias's own where it has one
    an alias shows its inbox without its password | integration/replies/inboxes/alias-inbox | comes with it, is shown without its password, sealed, and goes with it
    token_url is https and public, else 422 at once | integration/senders/oauth-tokens | the token_url %s is refused at once, also where this machine may be asked
    the test of an alias says the stage | integration/senders/aliases | of a server %s says so, and stops the sender only where its owner has to act
    the test of an alias opens its inbox | integration/replies/inboxes/alias-inbox | opens the inbox too, and a good one is read at once
    the test of an alias has the inbox read at once | integration/replies/inboxes/reading | a test that goes well, and a change, have the inbox read at once, before others that are due
    the test of an alias mails a token | integration/senders/replies-return | mails a token from the alias to itself, in plain words, and answers at once
    a consent is good for 10 minutes | integration/senders/oauth-consent | after ten minutes is too late
    and once | integration/senders/oauth-consent | twice counts once
    return_url is told connected, other_mailbox | integration/senders/oauth-consent | is where the person ends, with what happened
    denied, no_refresh_token, failed, unavailable, expired | integration/senders/oauth-consent | is told of a consent that is %s
    changed | integration/senders/oauth-consent | is told that the alias was changed while its provider was asked
    a domain shows when it was checked and since when it fails | integration/senders/domains | a domain that was verified fails when a required record goes, and since when is kept
    a template whose spintax never closes is 422 | integration/senders/templates/templates | spintax that never closes is 422, and braces that are none are taken
    a template whose braces never close is 422 | integration/senders/templates/templates | a Liquid error names field and line
  `),
  "8. Notifications": read(`
    an inbox that stopped working until its owner acts always notifies | unit/workspace/notifications/audience | email off silences what concerns leads alone; WhatsApp on hears what email does not
    such an inbox owes its notice once per trouble | integration/replies/inboxes/alias-inbox | with a refused login is an error in plain words, told once per trouble; sending goes on
    notices in doubt are not repeated | integration/workspace/notifications/deliveries | with %s leaves it unknown: it is never repeated, and counted
  `),
  "9. Quotas": read(`
    leads/erase takes 30 a minute | integration/http/quotas | thirty people are erased in a minute, and the next one is 429
    windows are fixed: around a turn twice the limit may pass | integration/http/quotas | windows are fixed: around the turn of the minute twice the limit passes, and no more
    where the limiter is late or down the isolate counts by itself | integration/http/limiter-outage | with a store of counters that shows %s a free workspace is answered 60 times a minute
    key creation is 503 then | integration/http/limiter-outage | without counters (%s) no key is made
    connect is 503 then | integration/network/connect | without their counters %s is shut: 503
    unpaid 429s carry the RateLimit headers too | integration/billing/wallet/settlement | 60 requests a minute without payment from one address, then 429
    opt-outs: three mails a day and mailbox, plus-tags folded | integration/research/prospects/opt-out-abuse | a mailbox gets three mails a day, whatever tags and dots its address is written with
    opt-outs: 50 a day and client address | integration/research/prospects/opt-out-abuse | a client address asks fifty times a day, a network of IPv6 as one; then it is 429 until the day ends
    each opt-out is listed for the operator, who can undo it | integration/research/prospects/opt-out-abuse | the operator sees each opt-out with who made it, and takes back those of one mailbox
  `),
  "10. Errors": read(`
    on legacy operations BAD_REQUEST, UNAUTHENTICATED, KEY_REVOKED and 404s are text | unit/http/errors | %s of a legacy operation is text
    DRAFT_NOT_FOUND, CAMPAIGN_LEAD_NOT_FOUND and every other code are coded there too | unit/http/errors | %s is coded there too
  `),
  "11. Wallet-paid schemas": read(`
    a handler's budget stands in OpenAPI | conformance/table | %s has %i seconds
    and in the discovery extension's info | unit/http/discovery | it says for how long the handler may work
    what find-url did not find is null | integration/billing/wallet/finding-calls | $path: found, not found, and no engine that answers
    a settlement that surely did not move money is 402 with its reason | integration/billing/wallet/settlement | a refused settlement withholds the answer: 402, and nothing moves
    which reasons are sure | unit/billing/wallet/read-settled | %s without a transaction is said before anything is sent
    any doubt is 503 SETTLEMENT_PENDING until the chain was asked | integration/billing/wallet/doubt | %s, and no chain that answers: 503, and the answer when it does
    an answer that contradicts the chain is believed by the chain | integration/billing/wallet/doubt | %s: the chain is asked, and the buyer has the answer that was paid for
    an error without a transaction is a doubt | unit/billing/wallet/read-settled | %j without a transaction leaves open whether the money moves
  `),
};
