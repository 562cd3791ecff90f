import { serverNow } from "../../api/clock.ts";
import { useFeed } from "../../api/feed.ts";
import type { Event } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Status } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { href } from "../../router.ts";
import { count } from "../../pure/words.ts";

/** The feed keeps 30 days; what is older stands at its campaign's days and in its lead's story. */
const RANGES = [1, 7, 30] as const;
const DAY_MS = 86_400_000;

/** What came back undelivered or was called spam, the latest first. Bounces begin no conversation: the feed of events has them. */
export function Bounces({ query }: { query: URLSearchParams }) {
  const campaignId = query.get("campaign");
  const days = RANGES.find((each) => String(each) === query.get("days")) ?? 30;
  const feed = useFeed({
    types: "email.bounced,email.complained",
    ...(campaignId === null ? {} : { campaign_id: campaignId }),
  });
  const campaigns = useQuery("listCampaigns", { query: { limit: 100 } });
  const nameOf = (id: unknown) =>
    campaigns.data?.items.find((each) => each.campaign_id === id)?.name ?? "A campaign";
  const since = serverNow() - days * DAY_MS;
  const isWithin = ({ timestamp }: Event) => Date.parse(timestamp) >= since;
  return (
    <>
      <nav class="chips" aria-label="How far back">
        {RANGES.map((each) => (
          <a
            key={each}
            href={href("/inbox", {
              ...Object.fromEntries(query),
              days: each === 30 ? undefined : String(each),
            })}
            aria-current={each === days ? "true" : undefined}
          >
            {each === 1 ? "24 hours" : `${each} days`}
          </a>
        ))}
      </nav>
      <Part of={feed} lines={6}>
        {(all) => {
          const events = all.filter(isWithin);
          // What was read reaches further back than what is asked for.
          const hasMore = feed.hasMore && events.length === all.length;
          return (
            <Section
              title={`${count(events.length, "message")}${hasMore ? " so far" : ""}`}
              note="30 days are kept; older ones stand at their campaign's days"
              flush
            >
              {events.length === 0 && !hasMore ? (
                <Empty title={`Nothing came back in ${days === 1 ? "24 hours" : `${days} days`}.`}>
                  Messages that could not be delivered, and those called spam, are listed here with
                  what follows from them.
                </Empty>
              ) : (
                <BounceTable events={events} nameOf={nameOf} />
              )}
              <More of={{ ...feed, hasMore }} label="Show older ones" />
            </Section>
          );
        }}
      </Part>
    </>
  );
}

function BounceTable({ events, nameOf }: { events: Event[]; nameOf(id: unknown): string }) {
  return (
    <Table
      caption="Bounces and complaints, the latest first"
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        { head: "To", cell: ({ data }) => text(data["email"]) || "An erased person" },
        {
          head: "What came back",
          cell: (event) => <Status tone={toneOf(event)}>{kindOf(event)}</Status>,
        },
        {
          head: "What follows",
          cell: (event) => <span class="dim">{effectOf(event)}</span>,
        },
        {
          head: "Message",
          cell: ({ data }) =>
            data["campaign_id"] === undefined ? (
              "A single email"
            ) : (
              <a href={href(`/campaigns/${text(data["campaign_id"])}`)}>
                {nameOf(data["campaign_id"])}, step {text(data["step"])}
              </a>
            ),
        },
        { head: "When", cell: ({ timestamp }) => <Time at={timestamp} /> },
      ]}
    />
  );
}

const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const isHard = ({ data }: Event): boolean => data["hard"] === true;
const isSpam = ({ type }: Event): boolean => type === "email.complained";

const kindOf = (event: Event): string =>
  isSpam(event) ? "called spam" : isHard(event) ? "hard bounce" : "soft bounce";
const toneOf = (event: Event) => (isSpam(event) || isHard(event) ? "bad" : "warn");
const effectOf = (event: Event): string =>
  isSpam(event)
    ? "Every campaign ends for them, and the address is suppressed."
    : isHard(event)
      ? "The address takes no mail: every campaign ends for it, and it is suppressed."
      : "Noted. The next step goes out; after three in a row the lead ends.";
