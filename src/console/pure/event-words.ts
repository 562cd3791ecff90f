import type { EventType } from "../api/schema.ts";

/** What an event's ids are called, as far as it is known. */
export type NameOf = (id: string) => string | undefined;

interface Told {
  type: string;
  data: Readonly<Record<string, unknown>>;
}

/** Reads an event's facts as words; what is missing has a word as well. */
class Facts {
  readonly #data: Told["data"];
  readonly #nameOf: NameOf;
  constructor(data: Told["data"], nameOf: NameOf) {
    this.#data = data;
    this.#nameOf = nameOf;
  }
  text(name: string): string | undefined {
    const value = this.#data[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  }
  is(name: string): boolean {
    return this.#data[name] === true;
  }
  #named(field: string, what: string): string {
    const id = this.text(field);
    const name = id === undefined ? undefined : this.#nameOf(id);
    return name === undefined ? what : `"${name}"`;
  }
  get campaign(): string {
    return this.#named("campaign_id", "a campaign");
  }
  get dataset(): string {
    return this.#named("dataset_id", "a list");
  }
  get alias(): string {
    return this.#named("alias_id", "a sender");
  }
  get account(): string {
    return this.#named("account_id", "a network account");
  }
  get key(): string {
    return this.#named("key_id", "An API key");
  }
  get person(): string {
    return this.text("email") ?? "Somebody";
  }
  get toWhom(): string {
    return this.text("email") ?? "somebody";
  }
  get domain(): string {
    return this.text("domain") ?? "a domain";
  }
  /** The step in words, such as ", step 2". */
  get step(): string {
    const step = this.text("step");
    return step === undefined ? "" : `, step ${step}`;
  }
  /** " in "Nordic"" */
  get inCampaign(): string {
    return this.text("campaign_id") === undefined ? "" : ` in ${this.campaign}`;
  }
  /** ": bounce rate exceeded" */
  because(name = "reason"): string {
    const reason = this.text(name);
    return reason === undefined ? "" : `: ${reason.replaceAll("_", " ").replace(/\.$/, "")}`;
  }
  get byMachine(): string {
    return this.is("machine") ? ", by a machine" : "";
  }
  /** "12 people" */
  count(name: string, one: string, many: string): string {
    const value = Number(this.text(name) ?? 0);
    return `${value.toLocaleString("en-GB")} ${value === 1 ? one : many}`;
  }
}

const WORDS: Record<EventType, (of: Facts) => string> = {
  "campaign.created": (of) => `${of.campaign} was made`,
  "campaign.changed": (of) => `${of.campaign} was changed`,
  "campaign.scheduled": (of) => `The launch of ${of.campaign} was set for its date`,
  "campaign.unscheduled": (of) => `The launch of ${of.campaign} was taken back`,
  "campaign.launching": (of) => `The launch of ${of.campaign} began`,
  "campaign.launched": (of) =>
    `${of.campaign} is active${of.text("leads") ? `, with ${of.count("leads", "person", "people")}` : ""}`,
  "campaign.failed": (of) => `The launch of ${of.campaign} failed${of.because("error")}`,
  "campaign.launch_held": (of) => `The launch of ${of.campaign} waits for drafts to be reviewed`,
  "campaign.launch_cancelled": (of) =>
    `The launch of ${of.campaign} was given up: its drafts were not reviewed in time`,
  "campaign.paused": (of) => `${of.campaign} was paused${of.because()}`,
  "campaign.resumed": (of) => `${of.campaign} goes on`,
  "campaign.draining": (of) => `${of.campaign} ends what it began, and begins nobody new`,
  "campaign.completed": (of) => `${of.campaign} has written to everybody`,
  "campaign.reopened": (of) => `${of.campaign} goes on: people were added`,
  "campaign.reset": (of) => `${of.campaign} is a draft again`,
  "campaign.deleted": (of) => `${of.campaign} was deleted`,
  "experiment.changed": (of) => `The parts of the variants shift${of.inCampaign}`,
  "experiment.winner": (of) => `A variant is the winner${of.inCampaign}`,
  "campaign_lead.held": (of) => `${of.person} waits${of.inCampaign}${of.because()}`,
  "campaign_lead.released": (of) => `${of.person} waits no longer${of.inCampaign}`,
  "campaign_lead.reopened": (of) => `${of.person} goes on${of.inCampaign}`,
  "campaign_lead.completed": (of) => `${of.person} had every step${of.inCampaign}`,
  "campaign_lead.replied": (of) => `${of.person} replied, and gets no further step${of.inCampaign}`,
  "campaign_lead.bounced": (of) => `The address of ${of.toWhom} does not exist${of.inCampaign}`,
  "campaign_lead.unsubscribed": (of) => `${of.person} unsubscribed${of.inCampaign}`,
  "campaign_lead.complained": (of) => `${of.person} reported a message as spam${of.inCampaign}`,
  "campaign_lead.stopped": (of) => `${of.person} was stopped${of.inCampaign}${of.because()}`,
  "campaign_lead.skipped": (of) => `${of.person} was left out${of.inCampaign}${of.because()}`,
  "campaign_lead.failed": (of) =>
    `A step for ${of.toWhom} could not be done${of.inCampaign}${of.because()}`,
  "email.queued": (of) => `A mail to ${of.toWhom} waits for its turn`,
  "email.sent": (of) =>
    `A mail to ${of.toWhom} was sent${of.inCampaign}${of.step}${of.is("assumed") ? ", as far as is known" : ""}`,
  "email.deferred": (of) =>
    `A mail to ${of.toWhom} was put off, and is tried again${of.inCampaign}`,
  "email.rejected": (of) => `A mail to ${of.toWhom} was refused by their server${of.inCampaign}`,
  "email.bounced": (of) =>
    `A mail to ${of.toWhom} came back${of.is("hard") ? " for good" : " for now"}${of.inCampaign}`,
  "email.complained": (of) => `${of.person} reported a mail as spam${of.inCampaign}`,
  "email.opened": (of) => `A mail to ${of.toWhom} was opened${of.byMachine}${of.inCampaign}`,
  "email.clicked": (of) =>
    `A link in a mail to ${of.toWhom} was followed${of.byMachine}${of.inCampaign}`,
  "email.unsubscribed": (of) => `${of.person} unsubscribed from a mail${of.inCampaign}`,
  "email.suppressed": (of) =>
    `A mail to ${of.toWhom} was not sent: the address is suppressed${of.inCampaign}`,
  "email.cancelled": (of) => `A mail to ${of.toWhom} was cancelled${of.inCampaign}`,
  "email.unknown": (of) =>
    `Whether a mail to ${of.toWhom} left is not known; it is not tried again`,
  "email.failed": (of) => `A mail to ${of.toWhom} could not be sent${of.inCampaign}${of.because()}`,
  "network.invited": (of) => `${of.person} was asked to connect${of.inCampaign}${of.step}`,
  "network.messaged": (of) => `${of.person} was written to on a network${of.inCampaign}${of.step}`,
  "network.viewed": (of) => `The profile of ${of.toWhom} was looked at${of.inCampaign}`,
  "network.connected": (of) => `${of.person} accepted the connection${of.inCampaign}`,
  "reply.received": (of) => `${of.person} replied${of.inCampaign}${of.because("intent")}`,
  "reply.auto_received": (of) =>
    `A machine replied for ${of.toWhom}${of.inCampaign}${of.because("class")}`,
  "draft.generated": (of) => `A draft for ${of.toWhom} was written${of.inCampaign}${of.step}`,
  "draft.failed": (of) => `A draft for ${of.toWhom} could not be written${of.inCampaign}${of.step}`,
  "draft.approved": (of) => `A draft for ${of.toWhom} was approved${of.inCampaign}`,
  "draft.unapproved": (of) =>
    `The approval of a draft for ${of.toWhom} was taken back${of.inCampaign}`,
  "batch.done": (of) =>
    `${of.count("total", "draft", "drafts")} of a batch are done${of.inCampaign}`,
  "batch.cancelled": (of) => `A batch of drafts was cancelled${of.inCampaign}`,
  "placement_test.completed": (of) =>
    `A placement test has ended: ${of.count("inbox", "mail", "mails")} of ${of.text("mails") ?? "all"} in the inbox${of.inCampaign}`,
  "verification.done": (of) => `An address was verified${of.because("status")}`,
  "verification.failed": () => "An address could not be verified",
  "dataset.imported": (of) =>
    `${of.count("added", "person was", "people were")} added to ${of.dataset}`,
  "dataset.import_failed": (of) => `An import into ${of.dataset} failed${of.because("error")}`,
  "dataset.verified": (of) => `All addresses of ${of.dataset} were verified`,
  "dataset.verification_cancelled": (of) => `The verification of ${of.dataset} was cancelled`,
  "account.connected": (of) => `${of.account} is connected`,
  "account.checkpoint": (of) => `The network wants a code from the owner of ${of.account}`,
  "account.disconnected": (of) => `${of.account} has to be connected again${of.because("error")}`,
  "account.rate_limited": (of) => `The network wants less of ${of.account} for a while`,
  "account.error": (of) => `${of.account} does not work${of.because("error")}`,
  "post.scheduled": () => "A post was set for a date",
  "post.published": () => "A post was published",
  "post.failed": (of) => `A post could not be published${of.because("error")}`,
  "post.deleted": () => "A post was deleted",
  "domain.verified": (of) => `The records of ${of.domain} are right`,
  "domain.failing": (of) => `The records of ${of.domain} are not right any more`,
  "alias.error": (of) => `${of.alias} cannot send${of.because("error")}`,
  "alias.recovered": (of) => `${of.alias} can send again`,
  "alias.inbox_failing": (of) => `The inbox of ${of.alias} cannot be read${of.because("error")}`,
  "credits.purchased": (of) => `${of.count("credits", "credit was", "credits were")} bought`,
  "credits.refunded": (of) => `A purchase was refunded, and its credits taken back${of.because()}`,
  "credits.disputed": () => "A purchase is disputed, and its credits are taken back",
  "credits.low": (of) => `Only ${of.count("available", "credit is", "credits are")} left`,
  "credits.exhausted": () => "No credits are left",
  "purchase.failed": () => "A purchase failed",
  "purchase.expired": () => "A purchase was not paid in time",
  "webhook.disabled": (of) => `A webhook was disabled${of.because()}`,
  "key.created": (of) => `${of.key} was made`,
  "key.revoked": (of) => `${of.key} was revoked`,
};

export const EVENT_TYPES = Object.keys(WORDS) as EventType[];

/** What happened, in a sentence; a type that this console does not know yet has its name. */
export function eventWords({ type, data }: Told, nameOf: NameOf = () => undefined): string {
  const words = (WORDS as Partial<Record<string, (of: Facts) => string>>)[type];
  const text = words === undefined ? type : words(new Facts(data, nameOf));
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Where more is told, among the console's pages. */
export function eventPlace({ data }: Told): string | null {
  const id = (name: string) => {
    const value = data[name];
    return typeof value === "string" ? encodeURIComponent(value) : undefined;
  };
  const under = (path: string, name: string) =>
    id(name) === undefined ? undefined : `${path}/${id(name)}`;
  return (
    under("/inbox", "conversation_id") ??
    under("/emails", "email_id") ??
    under("/settings/webhooks", "webhook_id") ??
    under("/senders/placement", "placement_test_id") ??
    under("/campaigns", "campaign_id") ??
    under("/people", "dataset_id") ??
    under("/senders/domains", "domain_id") ??
    under("/senders/aliases", "alias_id") ??
    (id("key_id") === undefined ? undefined : "/settings/api-keys") ??
    (data["credits"] === undefined && data["available"] === undefined ? null : "/credits")
  );
}
