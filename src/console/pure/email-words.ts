interface Mail {
  status: "queued" | "scheduled" | "sent" | "suppressed" | "failed" | "cancelled";
  error: string | null;
  suppression_reason: string | null;
}

const SUPPRESSED: Readonly<Record<string, string>> = {
  hard_bounce: "an earlier mail to it came back for good",
  complaint: "its owner reported a mail of yours as spam",
  unsubscribe: "its owner wants no more mail of yours",
  manual: "you suppressed it",
};

/** How a single email is, in a sentence. */
export function emailSentence({ status, error, suppression_reason: reason }: Mail): string {
  const why = error === null ? "" : `: ${error.replace(/\.$/, "")}`;
  switch (status) {
    case "queued":
      return error === null
        ? "It leaves as soon as its sender has a turn."
        : `It was put off, and is tried again${why}.`;
    case "scheduled":
      return "It leaves at its time. Until then it can be cancelled.";
    case "sent":
      return "The sender's server took it.";
    case "suppressed":
      return `It was not sent: the address is suppressed, since ${
        SUPPRESSED[reason ?? ""] ?? "it is on the list"
      }.`;
    case "failed":
      return `It could not be sent${why}. It is not tried again.`;
    case "cancelled":
      return "It was cancelled before it left.";
  }
}

/** What happened with a mail after it was sent. */
export function emailEventWords(event: {
  type: string;
  url: string | null;
  reasons: string[];
}): string {
  const { type, url, reasons } = event;
  // Every reason speaks against a person, but for a mail provider's proxy: it asks as they open the mail.
  const by = reasons.every((each) => each === "image_proxy") ? "" : " by a machine";
  if (type === "open") return `Opened${by}`;
  if (type === "click") return `A link was followed${by}${url === null ? "" : `: ${url}`}`;
  if (type === "unsubscribe") return "Unsubscribed";
  return type.replaceAll("_", " ");
}
