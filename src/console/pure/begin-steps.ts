/** What a workspace needs before its first campaign, in the order in which it is best done. */
export interface BeginStep {
  name: "domain" | "alias" | "people" | "campaign";
  title: string;
  text: string;
  isDone: boolean;
  path: string;
  label: string;
}

export interface Begun {
  domains: readonly { domain: string; status: string }[];
  aliases: readonly { email: string; status: string }[];
  datasets: readonly { name: string; row_count: number }[];
  campaigns: readonly { name: string; launched_at: string | null }[];
}

export function beginSteps({ domains, aliases, datasets, campaigns }: Begun): BeginStep[] {
  const verified = domains.find(({ status }) => status === "verified");
  const waiting = domains[0];
  const sending = aliases.find(({ status }) => status === "active");
  const [alias] = aliases;
  const filled = datasets.find(({ row_count }) => row_count > 0);
  const launched = campaigns.find(({ launched_at }) => launched_at !== null);
  const [draft] = campaigns;
  return [
    {
      name: "domain",
      title: "Prove the domain that you send from",
      text: verified
        ? `${verified.domain} is verified.`
        : waiting
          ? `${waiting.domain} is ${waiting.status}: its records are not all as they should be yet.`
          : "You add a few records where the domain's DNS is kept; they are checked at once.",
      isDone: verified !== undefined,
      path: "/senders/domains",
      label: waiting ? "Check the records" : "Add a domain",
    },
    {
      name: "alias",
      title: "Connect the mailbox that sends",
      text: sending
        ? `${sending.email} can send.`
        : alias
          ? `${alias.email} is ${alias.status}: it cannot send yet.`
          : "An address of yours with its server, so that people see mail from you.",
      isDone: sending !== undefined,
      path: alias ? "/senders" : "/senders/aliases/new",
      label: alias ? "See what is wrong" : "Connect an alias",
    },
    {
      name: "people",
      title: "Bring the people",
      text: filled
        ? `${filled.name} has ${filled.row_count === 1 ? "1 person" : `${filled.row_count.toLocaleString("en-GB")} people`}.`
        : "A CSV with a column for addresses is enough; what does not fit is shown before anything is kept.",
      isDone: filled !== undefined,
      path: "/people",
      label: "Import people",
    },
    {
      name: "campaign",
      title: "Write a campaign and launch it",
      text: launched
        ? `${launched.name} was launched.`
        : draft
          ? `${draft.name} is written and waits to be launched.`
          : "What is said in which step, when, and from whom. Nothing leaves before you launch it.",
      isDone: launched !== undefined,
      path: draft ? "/campaigns" : "/campaigns/new",
      label: draft ? "Open the campaigns" : "Write a campaign",
    },
  ];
}
