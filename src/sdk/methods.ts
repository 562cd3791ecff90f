// Written by `npm run openapi`; what the SDK's client has. Not edited by hand.
import type { Operations } from "../console/api/schema.ts";
import type { Answer, Body, CallOptions, Pages, ItemOf, Query } from "./types.ts";

export interface Resources {
  access: {
    /** Go on in another workspace of this login */
    chooseWorkspace(body: Body<"chooseWorkspace">, options?: CallOptions): Promise<Answer<"chooseWorkspace">>;
    /** Create an API key */
    createApiKey(body: Body<"createApiKey">, options?: CallOptions): Promise<Answer<"createApiKey">>;
    /** The current user; with an API key, the one who created it */
    getCurrentUser(query?: Query<"getCurrentUser">, options?: CallOptions): Promise<Answer<"getCurrentUser">>;
    /** Who is signed in, by what, and until when */
    getSession(query?: Query<"getSession">, options?: CallOptions): Promise<Answer<"getSession">>;
    /** List API keys, newest first; revoked ones stay listed */
    listApiKeys(query?: Query<"listApiKeys">, options?: CallOptions): Pages<ItemOf<"listApiKeys">>;
    /** The workspaces that this login is a member of */
    listJoinedWorkspaces(options?: CallOptions): Promise<Answer<"listJoinedWorkspaces">>;
    /** Revoke an API key, at once and for good */
    revokeApiKey(apiKeyId: string, options?: CallOptions): Promise<Answer<"revokeApiKey">>;
    /** Sign out everywhere */
    revokeSessions(options?: CallOptions): Promise<Answer<"revokeSessions">>;
    /** Check a login token */
    verifyLogin(options?: CallOptions): Promise<Answer<"verifyLogin">>;
  };
  agents: {
    /** Approve what an agent wants to send */
    approveConfirmation(confirmationId: string, options?: CallOptions): Promise<Answer<"approveConfirmation">>;
    /** Decline what an agent wants to send */
    declineConfirmation(confirmationId: string, options?: CallOptions): Promise<Answer<"declineConfirmation">>;
    /** List what agents want to send and a person has to confirm, the oldest first */
    listConfirmations(query?: Query<"listConfirmations">, options?: CallOptions): Pages<ItemOf<"listConfirmations">>;
  };
  campaignLeads: {
    /** Hold, release, stop or mark up to 500 leads of a campaign */
    actOn(campaignId: string, body: Body<"actOnCampaignLeads">, options?: CallOptions): Promise<Answer<"actOnCampaignLeads">>;
    /** Add leads of any dataset to a campaign; a completed one becomes active */
    add(campaignId: string, body: Body<"addCampaignLeads">, options?: CallOptions): Promise<Answer<"addCampaignLeads">>;
    /** Count the leads of a campaign by where they stand */
    count(campaignId: string, query?: Query<"countCampaignLeads">, options?: CallOptions): Promise<Answer<"countCampaignLeads">>;
    /** Export where each lead of a campaign stands, as CSV */
    export(campaignId: string, options?: CallOptions): Promise<Answer<"exportCampaignLeads">>;
    /** Get one lead of a campaign */
    get(campaignId: string, campaignLeadId: string, query?: Query<"getCampaignLead">, options?: CallOptions): Promise<Answer<"getCampaignLead">>;
    /** Send nothing to a lead for now */
    hold(campaignId: string, campaignLeadId: string, body: Body<"holdCampaignLead">, options?: CallOptions): Promise<Answer<"holdCampaignLead">>;
    /** List the leads of a campaign, as a rule in dataset order */
    list(campaignId: string, query?: Query<"listCampaignLeads">, options?: CallOptions): Pages<ItemOf<"listCampaignLeads">>;
    /** Mark a lead as replied, as not replied after all, or let an ended one go on */
    mark(campaignId: string, campaignLeadId: string, body: Body<"markCampaignLead">, options?: CallOptions): Promise<Answer<"markCampaignLead">>;
    /** End the hold of a lead */
    release(campaignId: string, campaignLeadId: string, options?: CallOptions): Promise<Answer<"releaseCampaignLead">>;
    /** End a lead in this campaign */
    stop(campaignId: string, campaignLeadId: string, options?: CallOptions): Promise<Answer<"stopCampaignLead">>;
  };
  campaigns: {
    /** Do what a plan said; nothing is sent unless `launch` says so */
    applyPlan(body: Body<"applyPlan">, options?: CallOptions): Promise<Answer<"applyPlan">>;
    /** Change what the campaign's status lets change */
    change(campaignId: string, body: Body<"changeCampaign">, options?: CallOptions): Promise<Answer<"changeCampaign">>;
    /** Create a campaign as a draft; nothing is sent before it is launched */
    create(body: Body<"createCampaign">, options?: CallOptions): Promise<Answer<"createCampaign">>;
    /** Delete a campaign that is draft, paused, completed or failed */
    delete(campaignId: string, options?: CallOptions): Promise<Answer<"deleteCampaign">>;
    /** Note that the playground need not be pointed out again */
    dismissPlaygroundDiscovery(campaignId: string, options?: CallOptions): Promise<Answer<"dismissPlaygroundDiscovery">>;
    /** Start no further leads; those that started get their remaining steps */
    drain(campaignId: string, options?: CallOptions): Promise<Answer<"drainCampaign">>;
    /** Make a draft with the same configuration */
    duplicate(campaignId: string, options?: CallOptions): Promise<Answer<"duplicateCampaign">>;
    /** Why a campaign, its senders or one lead do not send now, and when they will */
    explainSending(campaignId: string, query?: Query<"explainSending">, options?: CallOptions): Promise<Answer<"explainSending">>;
    /** What will be sent, when, from which alias, message by message */
    forecast(campaignId: string, query?: Query<"forecastCampaign">, options?: CallOptions): Promise<Answer<"forecastCampaign">>;
    /** What all running campaigns will send together, day by day */
    forecastWorkspace(query?: Query<"forecastWorkspace">, options?: CallOptions): Promise<Answer<"forecastWorkspace">>;
    /** Let the weights of a step's variants stay as they are */
    freezeExperiment(campaignId: string, step: number, options?: CallOptions): Promise<Answer<"freezeCampaignExperiment">>;
    /** Get a campaign */
    get(campaignId: string, query?: Query<"getCampaign">, options?: CallOptions): Promise<Answer<"getCampaign">>;
    /** See what a campaign's experiments show, and each change of their weights with its evidence */
    getExperiments(campaignId: string, query?: Query<"getCampaignExperiments">, options?: CallOptions): Promise<Answer<"getCampaignExperiments">>;
    /** Count a campaign's messages by step, variant, alias or day */
    getCampaignStats(campaignId: string, query?: Query<"getCampaignStats">, options?: CallOptions): Promise<Answer<"getCampaignStats">>;
    /** Opens and clicks of a campaign, by people */
    getClickStats(campaignId: string, query?: Query<"getClickStats">, options?: CallOptions): Promise<Answer<"getClickStats">>;
    /** Count the messages of all campaigns by day, hour, campaign, alias or domain */
    getStats(query?: Query<"getStats">, options?: CallOptions): Promise<Answer<"getStats">>;
    /** Launch a campaign, at once or at its start date */
    launch(campaignId: string, options?: CallOptions): Promise<Answer<"launchCampaign">>;
    /** List what a campaign sent, the earliest first, with what came of each */
    listMessages(campaignId: string, query?: Query<"listCampaignMessages">, options?: CallOptions): Pages<ItemOf<"listCampaignMessages">>;
    /** List campaigns, newest first */
    list(query?: Query<"listCampaigns">, options?: CallOptions): Pages<ItemOf<"listCampaigns">>;
    /** Pause a campaign: nothing begins to be sent any more */
    pause(campaignId: string, options?: CallOptions): Promise<Answer<"pauseCampaign">>;
    /** What applying a campaign's file would change, whom it affects, and what would be sent */
    plan(body: Body<"planCampaign">, options?: CallOptions): Promise<Answer<"planCampaign">>;
    /** What a launch would lack, and what it would warn of */
    preflight(campaignId: string, query?: Query<"preflightCampaign">, options?: CallOptions): Promise<Answer<"preflightCampaign">>;
    /** Show a step as one lead will get it, to the letter */
    renderStep(campaignId: string, step: number, body: Body<"renderCampaignStep">, options?: CallOptions): Promise<Answer<"renderCampaignStep">>;
    /** Make a campaign whose launch failed a draft again */
    reset(campaignId: string, options?: CallOptions): Promise<Answer<"resetCampaign">>;
    /** Begin a step's experiment anew, as if nothing had been sent */
    resetExperiment(campaignId: string, step: number, options?: CallOptions): Promise<Answer<"resetCampaignExperiment">>;
    /** Resume a paused or draining campaign once what paused it is cured */
    resume(campaignId: string, options?: CallOptions): Promise<Answer<"resumeCampaign">>;
    /** Send a step to yourself, at once; it counts nowhere */
    sendStepTest(campaignId: string, step: number, body: Body<"sendCampaignStepTest">, options?: CallOptions): Promise<Answer<"sendCampaignStepTest">>;
    /** Take a scheduled launch back; the campaign is a draft again */
    unschedule(campaignId: string, options?: CallOptions): Promise<Answer<"unscheduleCampaign">>;
  };
  connectedAccounts: {
    /** Answer a checkpoint by its code */
    answerCheckpoint(body: Body<"answerCheckpoint">, options?: CallOptions): Promise<Answer<"answerCheckpoint">>;
    /** Change an account's limits, or make it the default */
    change(accountId: string, body: Body<"changeConnectedAccount">, options?: CallOptions): Promise<Answer<"changeConnectedAccount">>;
    /** Connect an account of a professional network */
    connectAccount(body: Body<"connectAccount">, options?: CallOptions): Promise<Answer<"connectAccount">>;
    /** Delete an account that no campaign under way uses, and end its session */
    delete(accountId: string, options?: CallOptions): Promise<Answer<"deleteConnectedAccount">>;
    /** Get a connected account */
    get(accountId: string, query?: Query<"getConnectedAccount">, options?: CallOptions): Promise<Answer<"getConnectedAccount">>;
    /** List connected accounts */
    list(query?: Query<"listConnectedAccounts">, options?: CallOptions): Pages<ItemOf<"listConnectedAccounts">>;
    /** Connect an account again that is disconnected or in error */
    reconnectAccount(accountId: string, body: Body<"reconnectAccount">, options?: CallOptions): Promise<Answer<"reconnectAccount">>;
  };
  conversations: {
    /** Answer a conversation */
    answer(conversationId: string, body: Body<"answerConversation">, options?: CallOptions): Promise<Answer<"answerConversation">>;
    /** Say what a conversation is, and whether it is done or snoozed */
    change(conversationId: string, body: Body<"changeConversation">, options?: CallOptions): Promise<Answer<"changeConversation">>;
    /** Count conversations by state and by class */
    count(query?: Query<"countConversations">, options?: CallOptions): Promise<Answer<"countConversations">>;
    /** Get a conversation with all that was sent and received in it */
    get(conversationId: string, query?: Query<"getConversation">, options?: CallOptions): Promise<Answer<"getConversation">>;
    /** Get a message's HTML as a page for a sandboxed frame */
    getMessageHtml(conversationId: string, messageId: string, query?: Query<"getMessageHtml">, options?: CallOptions): Promise<Answer<"getMessageHtml">>;
    /** Get an incoming message as it was received */
    getRawMessage(conversationId: string, messageId: string, options?: CallOptions): Promise<Answer<"getRawMessage">>;
    /** List conversations, the latest first */
    list(query?: Query<"listConversations">, options?: CallOptions): Pages<ItemOf<"listConversations">>;
    /** Mark a conversation as read */
    read(conversationId: string, options?: CallOptions): Promise<Answer<"readConversation">>;
  };
  credits: {
    /** Get the credit balance */
    getBalance(query?: Query<"getCreditBalance">, options?: CallOptions): Promise<Answer<"getCreditBalance">>;
    /** List the entries of the credit ledger, newest first */
    listEntries(query?: Query<"listCreditEntries">, options?: CallOptions): Pages<ItemOf<"listCreditEntries">>;
    /** List the credit packs and what credits pay for */
    listPacks(query?: Query<"listCreditPacks">, options?: CallOptions): Pages<ItemOf<"listCreditPacks">>;
    /** Open a page on which a pack of credits is paid */
    purchase(body: Body<"purchaseCredits">, options?: CallOptions): Promise<Answer<"purchaseCredits">>;
  };
  datasets: {
    /** Rename a dataset, or set the column mapping of its next imports */
    change(datasetId: string, body: Body<"changeDataset">, options?: CallOptions): Promise<Answer<"changeDataset">>;
    /** Create an empty dataset */
    create(body: Body<"createDataset">, options?: CallOptions): Promise<Answer<"createDataset">>;
    /** Delete a dataset and its leads, unless a campaign under way uses it */
    delete(datasetId: string, options?: CallOptions): Promise<Answer<"deleteDataset">>;
    /** Export the leads as CSV */
    exportLeads(datasetId: string, options?: CallOptions): Promise<Answer<"exportLeads">>;
    /** Get a dataset */
    get(datasetId: string, query?: Query<"getDataset">, options?: CallOptions): Promise<Answer<"getDataset">>;
    /** Get the dataset's last import of a sheet, or the one under way */
    getSheetImport(datasetId: string, query?: Query<"getSheetImport">, options?: CallOptions): Promise<Answer<"getSheetImport">>;
    /** Import leads from a CSV file, a list, a Google sheet or the prospect pool */
    importLeads(datasetId: string, body: Body<"importLeads">, options?: CallOptions & { query?: Query<"importLeads"> }): Promise<Answer<"importLeads">>;
    /** List datasets, newest first */
    list(query?: Query<"listDatasets">, options?: CallOptions): Pages<ItemOf<"listDatasets">>;
    /** Check whether a Google sheet can be read, and what is in it */
    verifySheetAccess(body: Body<"verifySheetAccess">, options?: CallOptions): Promise<Answer<"verifySheetAccess">>;
  };
  emails: {
    /** Cancel an email that has not begun to leave */
    cancel(emailId: string, options?: CallOptions): Promise<Answer<"cancelEmail">>;
    /** Get an email with its opens and clicks */
    get(emailId: string, query?: Query<"getEmail">, options?: CallOptions): Promise<Answer<"getEmail">>;
    /** List emails sent through the API, newest first */
    list(query?: Query<"listEmails">, options?: CallOptions): Pages<ItemOf<"listEmails">>;
    /** Send one email, now or later */
    sendEmail(body: Body<"sendEmail">, options?: CallOptions): Promise<Answer<"sendEmail">>;
    /** Send up to 100 emails, now or later */
    sendEmails(body: Body<"sendEmails">, options?: CallOptions): Promise<Answer<"sendEmails">>;
  };
  events: {
    /** Read what happened, in order */
    list(query?: Query<"listEvents">, options?: CallOptions): Pages<ItemOf<"listEvents">>;
  };
  finding: {
    /** Find somebody's address at a domain */
    findEmail(body: Body<"findEmail">, options?: CallOptions): Promise<Answer<"findEmail">>;
    /** Find somebody's public profile */
    findProfile(body: Body<"findProfile">, options?: CallOptions): Promise<Answer<"findProfile">>;
  };
  health: {
    /** Liveness; touches no dependency */
    api(options?: CallOptions): Promise<Answer<"apiHealth">>;
    /** Readiness: configuration, database and migrations */
    ready(options?: CallOptions): Promise<Answer<"ready">>;
    /** Condition of each component; 503 when the service cannot work */
    status(options?: CallOptions): Promise<Answer<"status">>;
  };
  leads: {
    /** Change a lead; null clears a field */
    change(datasetId: string, leadId: string, body: Body<"changeLead">, options?: CallOptions): Promise<Answer<"changeLead">>;
    /** Add a lead behind the last row */
    create(datasetId: string, body: Body<"createLead">, options?: CallOptions): Promise<Answer<"createLead">>;
    /** Delete a lead and stop it in every campaign */
    delete(datasetId: string, leadId: string, options?: CallOptions): Promise<Answer<"deleteLead">>;
    /** Forget a person everywhere */
    erase(body: Body<"eraseLead">, options?: CallOptions): Promise<Answer<"eraseLead">>;
    /** All that is kept of a person, as one file */
    export(body: Body<"exportLead">, options?: CallOptions): Promise<Answer<"exportLead">>;
    /** Get a lead of any dataset */
    findLead(leadId: string, query?: Query<"findLead">, options?: CallOptions): Promise<Answer<"findLead">>;
    /** Find leads in all datasets */
    findLeads(query: Query<"findLeads">, options?: CallOptions): Pages<ItemOf<"findLeads">>;
    /** Get a lead */
    get(datasetId: string, leadId: string, query?: Query<"getLead">, options?: CallOptions): Promise<Answer<"getLead">>;
    /** What happened with a lead, and what will */
    getTimeline(leadId: string, query?: Query<"getLeadTimeline">, options?: CallOptions): Pages<ItemOf<"getLeadTimeline">>;
    /** List the leads of a dataset in row order */
    list(datasetId: string, query?: Query<"listLeads">, options?: CallOptions): Pages<ItemOf<"listLeads">>;
  };
  mailAliases: {
    /** Change a mail alias; new credentials make one in error active again */
    change(aliasId: string, body: Body<"changeMailAlias">, options?: CallOptions): Promise<Answer<"changeMailAlias">>;
    /** Begin to connect the mailbox of an alias by OAuth */
    connect(aliasId: string, body: Body<"connectMailAlias">, options?: CallOptions): Promise<Answer<"connectMailAlias">>;
    /** Create a mail alias; the first becomes the default */
    create(body: Body<"createMailAlias">, options?: CallOptions): Promise<Answer<"createMailAlias">>;
    /** Delete a mail alias that no campaign under way sends from */
    delete(aliasId: string, options?: CallOptions): Promise<Answer<"deleteMailAlias">>;
    /** Get a mail alias */
    get(aliasId: string, query?: Query<"getMailAlias">, options?: CallOptions): Promise<Answer<"getMailAlias">>;
    /** List mail aliases */
    list(query?: Query<"listMailAliases">, options?: CallOptions): Pages<ItemOf<"listMailAliases">>;
    /** Test the account, and whether replies come back */
    test(aliasId: string, options?: CallOptions): Promise<Answer<"testMailAlias">>;
  };
  mailDomains: {
    /** Begin to connect a domain with Google's Postmaster Tools */
    connectDomainPostmaster(domainId: string, body: Body<"connectDomainPostmaster">, options?: CallOptions): Promise<Answer<"connectDomainPostmaster">>;
    /** Add a domain to send from, with a DKIM key of its own */
    create(body: Body<"createMailDomain">, options?: CallOptions): Promise<Answer<"createMailDomain">>;
    /** Delete a domain that no mail alias uses */
    delete(domainId: string, options?: CallOptions): Promise<Answer<"deleteMailDomain">>;
    /** Forget the access to a domain's figures at Google */
    disconnectDomainPostmaster(domainId: string, options?: CallOptions): Promise<Answer<"disconnectDomainPostmaster">>;
    /** Whether a domain's mail keeps the rules of Google, Yahoo and Microsoft for bulk senders */
    getDomainHealth(domainId: string, query?: Query<"getDomainHealth">, options?: CallOptions): Promise<Answer<"getDomainHealth">>;
    /** How receiving operators take a domain's mail: accepted, put off, refused, placed */
    getDomainOperators(domainId: string, query?: Query<"getDomainOperators">, options?: CallOptions): Promise<Answer<"getDomainOperators">>;
    /** What Gmail says of a domain's mail: spam rate, authentication, delivery errors */
    getDomainPostmaster(domainId: string, query?: Query<"getDomainPostmaster">, options?: CallOptions): Promise<Answer<"getDomainPostmaster">>;
    /** What receivers report of a domain: who sends in its name, what passes, what to do next */
    getDomainReports(domainId: string, query?: Query<"getDomainReports">, options?: CallOptions): Promise<Answer<"getDomainReports">>;
    /** Get a mail domain and the records to publish for it */
    get(domainId: string, query?: Query<"getMailDomain">, options?: CallOptions): Promise<Answer<"getMailDomain">>;
    /** List mail domains */
    list(query?: Query<"listMailDomains">, options?: CallOptions): Pages<ItemOf<"listMailDomains">>;
    /** Limit how much all aliases of a domain send in a day */
    update(domainId: string, body: Body<"updateMailDomain">, options?: CallOptions): Promise<Answer<"updateMailDomain">>;
    /** Look for the domain's records in DNS */
    verify(domainId: string, options?: CallOptions): Promise<Answer<"verifyMailDomain">>;
  };
  members: {
    /** Accept an invitation, with the login that was invited */
    acceptInvitation(token: string, options?: CallOptions): Promise<Answer<"acceptInvitation">>;
    /** Change what a member may do */
    change(userId: string, body: Body<"changeMember">, options?: CallOptions): Promise<Answer<"changeMember">>;
    /** Invite somebody by email */
    invite(body: Body<"invite">, options?: CallOptions): Promise<Answer<"invite">>;
    /** Who was invited and has not come yet */
    listInvitations(query?: Query<"listInvitations">, options?: CallOptions): Pages<ItemOf<"listInvitations">>;
    /** Who works in the workspace, and as what */
    list(query?: Query<"listMembers">, options?: CallOptions): Pages<ItemOf<"listMembers">>;
    /** Take a member out, or leave */
    remove(userId: string, options?: CallOptions): Promise<Answer<"removeMember">>;
    /** Withdraw an invitation; its link ends */
    withdrawInvitation(invitationId: string, options?: CallOptions): Promise<Answer<"withdrawInvitation">>;
  };
  network: {
    /** List the chats of a connected account, the latest first */
    listChats(query?: Query<"listNetworkChats">, options?: CallOptions): Promise<Answer<"listNetworkChats">>;
    /** Say something to somebody on the network, at once */
    sendMessage(body: Body<"sendNetworkMessage">, options?: CallOptions): Promise<Answer<"sendNetworkMessage">>;
  };
  notifications: {
    /** Get what you are told, and where */
    getPreferences(query?: Query<"getNotificationPreferences">, options?: CallOptions): Promise<Answer<"getNotificationPreferences">>;
    /** Say what you want to be told, and where */
    replacePreferences(body: Body<"replaceNotificationPreferences">, options?: CallOptions): Promise<Answer<"replaceNotificationPreferences">>;
  };
  personalization: {
    /** Write a text for each lead of a dataset */
    beginPersonalizeRun(body: Body<"beginPersonalizeRun">, options?: CallOptions): Promise<Answer<"beginPersonalizeRun">>;
    /** How far a run is */
    getRun(runId: string, query?: Query<"getRun">, options?: CallOptions): Promise<Answer<"getRun">>;
    /** List what became of a run's leads so far */
    listRunLeads(runId: string, query?: Query<"listRunLeads">, options?: CallOptions): Promise<Answer<"listRunLeads">>;
    /** Write one email for one lead, while you wait */
    preview(body: Body<"previewPersonalization">, options?: CallOptions): Promise<Answer<"previewPersonalization">>;
  };
  placementTests: {
    /** Send a message to mailboxes of your own, to see where they file it */
    begin(body: Body<"beginPlacementTest">, options?: CallOptions): Promise<Answer<"beginPlacementTest">>;
    /** Delete a placement test; what has not left does not leave any more */
    delete(placementTestId: string, options?: CallOptions): Promise<Answer<"deletePlacementTest">>;
    /** Get a placement test with what was seen of each mail */
    get(placementTestId: string, query?: Query<"getPlacementTest">, options?: CallOptions): Promise<Answer<"getPlacementTest">>;
    /** List placement tests, newest first */
    list(query?: Query<"listPlacementTests">, options?: CallOptions): Pages<ItemOf<"listPlacementTests">>;
  };
  playground: {
    /** Approve the text of a lead's step, as it is or edited */
    approveDraft(campaignId: string, campaignLeadId: string, body: Body<"approveDraft">, options?: CallOptions): Promise<Answer<"approveDraft">>;
    /** Approve drafts of a batch as they are */
    approveBatch(campaignId: string, body: Body<"approvePlaygroundBatch">, options?: CallOptions): Promise<Answer<"approvePlaygroundBatch">>;
    /** Cancel what of a batch is not begun, and give its credits back */
    cancelBatch(campaignId: string, batchId: string, options?: CallOptions): Promise<Answer<"cancelPlaygroundBatch">>;
    /** Generate drafts of a step for the first leads that have none approved */
    generateDrafts(campaignId: string, body: Body<"generatePlaygroundDrafts">, options?: CallOptions): Promise<Answer<"generatePlaygroundDrafts">>;
    /** Get every draft of a batch, in full */
    getDrafts(campaignId: string, query: Query<"getPlaygroundDrafts">, options?: CallOptions): Promise<Answer<"getPlaygroundDrafts">>;
    /** Get how far a batch of drafts is */
    getStatus(campaignId: string, query: Query<"getPlaygroundStatus">, options?: CallOptions): Promise<Answer<"getPlaygroundStatus">>;
    /** List a campaign's batches of drafts, newest first */
    listBatches(campaignId: string, query?: Query<"listPlaygroundBatches">, options?: CallOptions): Pages<ItemOf<"listPlaygroundBatches">>;
    /** Take back a lead's approvals, of one step or of all that were not sent */
    resetDraftReview(campaignId: string, campaignLeadId: string, body: Body<"resetDraftReview">, options?: CallOptions): Promise<Answer<"resetDraftReview">>;
    /** Take the approval of a lead's step back */
    unapproveDraft(campaignId: string, campaignLeadId: string, body: Body<"unapproveDraft">, options?: CallOptions): Promise<Answer<"unapproveDraft">>;
  };
  prospects: {
    /** Search the shared prospect pool by tags */
    search(body: Body<"searchProspects">, options?: CallOptions): Promise<Answer<"searchProspects">>;
  };
  senderProfiles: {
    /** Change a sender profile */
    change(senderProfileId: string, body: Body<"changeSenderProfile">, options?: CallOptions): Promise<Answer<"changeSenderProfile">>;
    /** Create a sender profile; the first becomes the default */
    create(body: Body<"createSenderProfile">, options?: CallOptions): Promise<Answer<"createSenderProfile">>;
    /** Delete a sender profile that no campaign under way uses */
    delete(senderProfileId: string, options?: CallOptions): Promise<Answer<"deleteSenderProfile">>;
    /** Get a sender profile */
    get(senderProfileId: string, query?: Query<"getSenderProfile">, options?: CallOptions): Promise<Answer<"getSenderProfile">>;
    /** List sender profiles */
    list(query?: Query<"listSenderProfiles">, options?: CallOptions): Pages<ItemOf<"listSenderProfiles">>;
  };
  socialPosts: {
    /** Change text or time of a post that is still scheduled */
    change(postId: string, body: Body<"changeSocialPost">, options?: CallOptions): Promise<Answer<"changeSocialPost">>;
    /** Publish a post from a connected account, now or later */
    create(body: Body<"createSocialPost">, options?: CallOptions): Promise<Answer<"createSocialPost">>;
    /** Delete a post from our records */
    delete(postId: string, options?: CallOptions): Promise<Answer<"deleteSocialPost">>;
    /** Get a post with its counters */
    get(postId: string, query?: Query<"getSocialPost">, options?: CallOptions): Promise<Answer<"getSocialPost">>;
    /** List posts, newest first, and the accounts that can publish */
    list(query?: Query<"listSocialPosts">, options?: CallOptions): Pages<ItemOf<"listSocialPosts">>;
  };
  suppressions: {
    /** Suppress an address or a domain; repeating it renews it */
    create(body: Body<"createSuppression">, options?: CallOptions): Promise<Answer<"createSuppression">>;
    /** Allow mail again */
    delete(suppressionId: string, options?: CallOptions): Promise<Answer<"deleteSuppression">>;
    /** Export suppressed addresses and domains as CSV */
    export(options?: CallOptions): Promise<Answer<"exportSuppressions">>;
    /** Get a suppression */
    get(suppressionId: string, query?: Query<"getSuppression">, options?: CallOptions): Promise<Answer<"getSuppression">>;
    /** Suppress many addresses and domains, from a CSV file or a list */
    import(body: Body<"importSuppressions">, options?: CallOptions): Promise<Answer<"importSuppressions">>;
    /** List suppressed addresses and domains */
    list(query?: Query<"listSuppressions">, options?: CallOptions): Pages<ItemOf<"listSuppressions">>;
  };
  templates: {
    /** Change, archive or restore a template */
    change(templateId: string, body: Body<"changeTemplate">, options?: CallOptions): Promise<Answer<"changeTemplate">>;
    /** Create a template */
    create(body: Body<"createTemplate">, options?: CallOptions): Promise<Answer<"createTemplate">>;
    /** Delete a template that no campaign under way uses */
    delete(templateId: string, options?: CallOptions): Promise<Answer<"deleteTemplate">>;
    /** Get a template */
    get(templateId: string, query?: Query<"getTemplate">, options?: CallOptions): Promise<Answer<"getTemplate">>;
    /** List templates */
    list(query?: Query<"listTemplates">, options?: CallOptions): Pages<ItemOf<"listTemplates">>;
    /** Show a text that is being written as a lead would get it */
    render(body: Body<"renderTemplate">, options?: CallOptions): Promise<Answer<"renderTemplate">>;
  };
  verification: {
    /** Cancel the verification of a dataset, and give back what it holds */
    cancelDataset(datasetId: string, options?: CallOptions): Promise<Answer<"cancelDatasetVerification">>;
    /** Get a dataset's last verification, or the one under way */
    getDataset(datasetId: string, query?: Query<"getDatasetVerification">, options?: CallOptions): Promise<Answer<"getDatasetVerification">>;
    /** Get the verification of an email address */
    getEmail(jobId: string, query?: Query<"getEmailVerification">, options?: CallOptions): Promise<Answer<"getEmailVerification">>;
    /** Verify every address of a dataset */
    verifyDataset(datasetId: string, options?: CallOptions): Promise<Answer<"verifyDataset">>;
    /** Verify an email address */
    verifyEmail(body: Body<"verifyEmail">, options?: CallOptions): Promise<Answer<"verifyEmail">>;
  };
  webhooks: {
    /** Change a webhook, pause it, or let it go on */
    change(webhookId: string, body: Body<"changeWebhook">, options?: CallOptions): Promise<Answer<"changeWebhook">>;
    /** Create a webhook */
    create(body: Body<"createWebhook">, options?: CallOptions): Promise<Answer<"createWebhook">>;
    /** Delete a webhook */
    delete(webhookId: string, options?: CallOptions): Promise<Answer<"deleteWebhook">>;
    /** Let a webhook go on that was disabled or rests */
    enable(webhookId: string, options?: CallOptions): Promise<Answer<"enableWebhook">>;
    /** Get a webhook */
    get(webhookId: string, query?: Query<"getWebhook">, options?: CallOptions): Promise<Answer<"getWebhook">>;
    /** List what did not get through at once, or was sent again; the newest first */
    listDeliveries(webhookId: string, query?: Query<"listWebhookDeliveries">, options?: CallOptions): Pages<ItemOf<"listWebhookDeliveries">>;
    /** List webhooks */
    list(query?: Query<"listWebhooks">, options?: CallOptions): Pages<ItemOf<"listWebhooks">>;
    /** Send an event again */
    redeliver(webhookId: string, deliveryId: string, options?: CallOptions): Promise<Answer<"redeliverWebhook">>;
    /** Send a webhook again what it was sent before */
    replay(webhookId: string, body: Body<"replayWebhook">, options?: CallOptions): Promise<Answer<"replayWebhook">>;
    /** Give a webhook a new secret */
    rotateSecret(webhookId: string, options?: CallOptions): Promise<Answer<"rotateWebhookSecret">>;
    /** Send a webhook a test event, and see what it answers */
    test(webhookId: string, options?: CallOptions): Promise<Answer<"testWebhook">>;
  };
  workspace: {
    /** Change the workspace */
    change(body: Body<"changeWorkspace">, options?: CallOptions): Promise<Answer<"changeWorkspace">>;
    /** Delete the workspace */
    delete(options?: CallOptions): Promise<Answer<"deleteWorkspace">>;
    /** What needs you now, the worst first */
    getAttention(query?: Query<"getAttention">, options?: CallOptions): Promise<Answer<"getAttention">>;
    /** Get the workspace */
    get(query?: Query<"getWorkspace">, options?: CallOptions): Promise<Answer<"getWorkspace">>;
  };
}

/** Of an operation: method, marks and path. `!` takes an Idempotency-Key, `+` a body, `?` a query, `*` answers pages. */
export const METHODS: Record<string, Record<string, string>> = {
  access: {
    chooseWorkspace: "PATCH!+ auth/session",
    createApiKey: "POST!+ api-keys",
    getCurrentUser: "GET? auth/me",
    getSession: "GET? auth/session",
    listApiKeys: "GET?* api-keys",
    listJoinedWorkspaces: "GET auth/workspaces",
    revokeApiKey: "DELETE! api-keys/{}",
    revokeSessions: "POST! auth/sessions/revoke",
    verifyLogin: "GET auth/verify",
  },
  agents: {
    approveConfirmation: "POST! confirmations/{}/approve",
    declineConfirmation: "POST! confirmations/{}/decline",
    listConfirmations: "GET?* confirmations",
  },
  campaignLeads: {
    actOn: "POST!+ campaigns/{}/lead-actions",
    add: "POST!+ campaigns/{}/leads",
    count: "GET? campaigns/{}/lead-counts",
    export: "GET campaigns/{}/leads.csv",
    get: "GET? campaigns/{}/leads/{}",
    hold: "POST!+ campaigns/{}/leads/{}/hold",
    list: "GET?* campaigns/{}/leads",
    mark: "POST!+ campaigns/{}/leads/{}/mark",
    release: "POST! campaigns/{}/leads/{}/release",
    stop: "POST! campaigns/{}/leads/{}/stop",
  },
  campaigns: {
    applyPlan: "POST!+ campaigns/apply",
    change: "PATCH!+ campaigns/{}",
    create: "POST!+ campaigns/",
    delete: "DELETE! campaigns/{}",
    dismissPlaygroundDiscovery: "POST! campaigns/{}/playground/dismiss-discovery",
    drain: "POST! campaigns/{}/drain",
    duplicate: "POST! campaigns/{}/duplicate",
    explainSending: "GET? campaigns/{}/sending-status",
    forecast: "GET? campaigns/{}/forecast",
    forecastWorkspace: "GET? forecast",
    freezeExperiment: "POST! campaigns/{}/experiments/{}/freeze",
    get: "GET? campaigns/{}",
    getExperiments: "GET? campaigns/{}/experiments",
    getCampaignStats: "GET? campaigns/{}/stats",
    getClickStats: "GET? campaigns/{}/click-stats",
    getStats: "GET? stats",
    launch: "POST! campaigns/{}/launch",
    listMessages: "GET?* campaigns/{}/messages",
    list: "GET?* campaigns/",
    pause: "POST! campaigns/{}/pause",
    plan: "POST!+ campaigns/plan",
    preflight: "GET? campaigns/{}/preflight",
    renderStep: "POST!+ campaigns/{}/steps/{}/render",
    reset: "POST! campaigns/{}/reset",
    resetExperiment: "POST! campaigns/{}/experiments/{}/reset",
    resume: "POST! campaigns/{}/resume",
    sendStepTest: "POST!+ campaigns/{}/steps/{}/send-test",
    unschedule: "POST! campaigns/{}/unschedule",
  },
  connectedAccounts: {
    answerCheckpoint: "POST!+ connected-accounts/checkpoint",
    change: "PATCH!+ connected-accounts/{}",
    connectAccount: "POST!+ connected-accounts/connect",
    delete: "DELETE! connected-accounts/{}",
    get: "GET? connected-accounts/{}",
    list: "GET?* connected-accounts",
    reconnectAccount: "POST!+ connected-accounts/{}/reconnect",
  },
  conversations: {
    answer: "POST!+ conversations/{}/reply",
    change: "PATCH!+ conversations/{}",
    count: "GET? conversations/counts",
    get: "GET? conversations/{}",
    getMessageHtml: "GET? conversations/{}/messages/{}/html",
    getRawMessage: "GET conversations/{}/messages/{}/raw",
    list: "GET?* conversations",
    read: "POST! conversations/{}/read",
  },
  credits: {
    getBalance: "GET? payments/balance",
    listEntries: "GET?* payments/ledger",
    listPacks: "GET?* payments/packs",
    purchase: "POST!+ payments/purchase-credits",
  },
  datasets: {
    change: "PATCH!+ datasets/{}",
    create: "POST!+ datasets",
    delete: "DELETE! datasets/{}",
    exportLeads: "GET datasets/{}/leads.csv",
    get: "GET? datasets/{}",
    getSheetImport: "GET? datasets/{}/import",
    importLeads: "POST!+? datasets/{}/import",
    list: "GET?* datasets",
    verifySheetAccess: "POST!+ sheets/verify-access",
  },
  emails: {
    cancel: "DELETE! mailer/emails/{}",
    get: "GET? mailer/emails/{}",
    list: "GET?* mailer/emails",
    sendEmail: "POST!+ mailer/emails",
    sendEmails: "POST!+ mailer/emails/batch",
  },
  events: {
    list: "GET?* events",
  },
  finding: {
    findEmail: "POST!+ email-finder/find",
    findProfile: "POST!+ profile-finder/find",
  },
  health: {
    api: "GET health",
    ready: "GET ready",
    status: "GET status",
  },
  leads: {
    change: "PATCH!+ datasets/{}/leads/{}",
    create: "POST!+ datasets/{}/leads",
    delete: "DELETE! datasets/{}/leads/{}",
    erase: "POST!+ leads/erase",
    export: "POST!+ leads/export",
    findLead: "GET? leads/{}",
    findLeads: "GET?* leads",
    get: "GET? datasets/{}/leads/{}",
    getTimeline: "GET?* leads/{}/timeline",
    list: "GET?* datasets/{}/leads",
  },
  mailAliases: {
    change: "PATCH!+ mailer/aliases/{}",
    connect: "POST!+ mailer/aliases/{}/oauth",
    create: "POST!+ mailer/aliases",
    delete: "DELETE! mailer/aliases/{}",
    get: "GET? mailer/aliases/{}",
    list: "GET?* mailer/aliases",
    test: "POST! mailer/aliases/{}/test",
  },
  mailDomains: {
    connectDomainPostmaster: "POST!+ mailer/domains/{}/postmaster",
    create: "POST!+ mailer/domains",
    delete: "DELETE! mailer/domains/{}",
    disconnectDomainPostmaster: "DELETE! mailer/domains/{}/postmaster",
    getDomainHealth: "GET? mailer/domains/{}/health",
    getDomainOperators: "GET? mailer/domains/{}/operators",
    getDomainPostmaster: "GET? mailer/domains/{}/postmaster",
    getDomainReports: "GET? mailer/domains/{}/dmarc",
    get: "GET? mailer/domains/{}",
    list: "GET?* mailer/domains",
    update: "PATCH!+ mailer/domains/{}",
    verify: "POST! mailer/domains/{}/verify",
  },
  members: {
    acceptInvitation: "POST! invitations/{}/accept",
    change: "PATCH!+ workspace/members/{}",
    invite: "POST!+ workspace/invitations",
    listInvitations: "GET?* workspace/invitations",
    list: "GET?* workspace/members",
    remove: "DELETE! workspace/members/{}",
    withdrawInvitation: "DELETE! workspace/invitations/{}",
  },
  network: {
    listChats: "GET? socialnet/chats",
    sendMessage: "POST!+ socialnet/message",
  },
  notifications: {
    getPreferences: "GET? notifications/preferences",
    replacePreferences: "PUT!+ notifications/preferences",
  },
  personalization: {
    beginPersonalizeRun: "POST!+ personalize",
    getRun: "GET? personalize/generations/runs/{}",
    listRunLeads: "GET? personalize/generations/runs/{}/leads",
    preview: "POST!+ personalize/preview",
  },
  placementTests: {
    begin: "POST!+ mailer/placement-tests",
    delete: "DELETE! mailer/placement-tests/{}",
    get: "GET? mailer/placement-tests/{}",
    list: "GET?* mailer/placement-tests",
  },
  playground: {
    approveDraft: "POST!+ campaigns/{}/leads/{}/approve",
    approveBatch: "POST!+ campaigns/{}/playground/approve",
    cancelBatch: "POST! campaigns/{}/playground/batches/{}/cancel",
    generateDrafts: "POST!+ campaigns/{}/playground/generate",
    getDrafts: "GET? campaigns/{}/playground/drafts",
    getStatus: "GET? campaigns/{}/playground/status",
    listBatches: "GET?* campaigns/{}/playground/batches",
    resetDraftReview: "POST!+ campaigns/{}/leads/{}/reset",
    unapproveDraft: "POST!+ campaigns/{}/leads/{}/unapprove",
  },
  prospects: {
    search: "POST!+ prospects/search",
  },
  senderProfiles: {
    change: "PATCH!+ sender-profiles/{}",
    create: "POST!+ sender-profiles/",
    delete: "DELETE! sender-profiles/{}",
    get: "GET? sender-profiles/{}",
    list: "GET?* sender-profiles/",
  },
  socialPosts: {
    change: "PATCH!+ socialnet/posts/{}",
    create: "POST!+ socialnet/posts/",
    delete: "DELETE! socialnet/posts/{}",
    get: "GET? socialnet/posts/{}",
    list: "GET?* socialnet/posts/",
  },
  suppressions: {
    create: "POST!+ suppressions",
    delete: "DELETE! suppressions/{}",
    export: "GET suppressions.csv",
    get: "GET? suppressions/{}",
    import: "POST!+ suppression-imports",
    list: "GET?* suppressions",
  },
  templates: {
    change: "PATCH!+ templates/{}",
    create: "POST!+ templates",
    delete: "DELETE! templates/{}",
    get: "GET? templates/{}",
    list: "GET?* templates",
    render: "POST!+ templates/render",
  },
  verification: {
    cancelDataset: "DELETE! email-verification/dataset/{}",
    getDataset: "GET? email-verification/dataset/{}",
    getEmail: "GET? email-finder/verify/{}",
    verifyDataset: "POST! email-verification/dataset/{}",
    verifyEmail: "POST!+ email-finder/verify",
  },
  webhooks: {
    change: "PATCH!+ webhooks/{}",
    create: "POST!+ webhooks",
    delete: "DELETE! webhooks/{}",
    enable: "POST! webhooks/{}/enable",
    get: "GET? webhooks/{}",
    listDeliveries: "GET?* webhooks/{}/deliveries",
    list: "GET?* webhooks",
    redeliver: "POST! webhooks/{}/deliveries/{}/redeliver",
    replay: "POST!+ webhooks/{}/replay",
    rotateSecret: "POST! webhooks/{}/rotate-secret",
    test: "POST! webhooks/{}/test",
  },
  workspace: {
    change: "PATCH!+ workspace",
    delete: "DELETE! workspace",
    getAttention: "GET? attention",
    get: "GET? workspace",
  },
};

/** What any wallet can buy: the question and the answer of each call. */
export interface PaidCalls {
  /** Find somebody's address at a domain (0.010 USDC a call) */
  "email/find": { body: { domain: string; first_name: string; last_name: string } | { candidates: Array<{ confidence?: number; email: string; pattern?: string }>; domain: string }; answer: { backend?: string; confidence?: number; email?: string; found: boolean; pattern?: string | null } };
  /** Judge an email address (0.003 USDC a call) */
  "email/validate": { body: { email: string }; answer: { has_mx: boolean; is_disposable: boolean; is_role: boolean; risk_level: "safe" | "risky" | "invalid"; valid_format: boolean } };
  /** Verify an email address (0.005 USDC a call) */
  "email/verify": { body: { email: string }; answer: { backend: "smtp" | "prefilter" | "dns" | "cache"; result: "valid" | "invalid" } };
  /** Find somebody's public profile (0.008 USDC a call) */
  "linkedin/find-url": { body: { company?: string; location?: string; name: string }; answer: { linkedin_url: string | null; match_confidence: number | null; profile_url: string | null; profiles: Array<{ match_confidence: number; profile_url: string; snippet?: string | null; title?: string | null }>; status: "found" | "not_found" } };
  /** Find somebody's public profile (0.008 USDC a call) */
  "socialnet/find-url": { body: { company?: string; location?: string; name: string }; answer: { linkedin_url: string | null; match_confidence: number | null; profile_url: string | null; profiles: Array<{ match_confidence: number; profile_url: string; snippet?: string | null; title?: string | null }>; status: "found" | "not_found" } };
  /** Search the shared prospect pool by tags (0.012 USDC a call) */
  "prospects/search": { body: { limit?: number; tags: Array<string> }; answer: { count: number; results: Array<{ company: string | null; full_name: string; linkedin_url: string; location: string | null; matched_tags: Array<string>; profile_url: string; score: number; tags: Array<string>; title: string | null }> } };
}

export type OperationId = keyof Operations;
