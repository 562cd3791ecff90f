import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../../api/call.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { Event } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Status } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { href } from "../../router.ts";
import { count } from "../../pure/words.ts";

interface Read {
  data?: Event[];
  problem?: Problem;
  isLoading: boolean;
  at?: number;
}

/** Pages of 500; what is older than these is under the campaigns' leads. */
const MOST_PAGES = 10;

/** What came back undelivered or was called spam. Bounces begin no conversation: the feed of events has them for 30 days. */
export function Bounces({ campaignId }: { campaignId: string | undefined }) {
  const state = useSignal<Read>({ isLoading: true });
  const campaigns = useQuery("listCampaigns", { query: { limit: 100 } });
  async function load(): Promise<void> {
    state.value = { ...state.peek(), isLoading: true };
    try {
      const events: Event[] = [];
      let after: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await call("listEvents", {
          query: {
            types: "email.bounced,email.complained",
            limit: 500,
            ...(after === undefined ? {} : { after }),
            ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
          },
        });
        events.push(...answer.items);
        after = answer.next_cursor;
        if (!answer.has_more) break;
      }
      state.value = { data: events.toReversed(), isLoading: false, at: Date.now() };
    } catch (error) {
      state.value = { ...state.peek(), problem: asProblem(error), isLoading: false };
    }
  }
  useEffect(() => void load(), [campaignId]);
  const nameOf = (id: unknown) =>
    campaigns.data?.items.find((each) => each.campaign_id === id)?.name ?? "A campaign";
  return (
    <Part of={{ ...state.value, reload: () => void load() }} lines={6}>
      {(events) =>
        events.length === 0 ? (
          <Section>
            <Empty title="Nothing came back in 30 days.">
              Messages that could not be delivered, and those called spam, are listed here with what
              follows from them.
            </Empty>
          </Section>
        ) : (
          <Section title={`${count(events.length, "message")} in 30 days`} flush>
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
          </Section>
        )
      }
    </Part>
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
