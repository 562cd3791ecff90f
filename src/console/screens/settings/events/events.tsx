import { useFeed } from "../../../api/feed.ts";
import { useQuery } from "../../../api/use.ts";
import type { Event } from "../../../api/schema.ts";
import { Part } from "../../../parts/load.tsx";
import { Empty, Section } from "../../../parts/page.tsx";
import { More, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { eventPlace, eventWords, type NameOf } from "../../../pure/event-words.ts";
import { href, isPage } from "../../../router.ts";
import type { ScreenProps } from "../../../routes.ts";
import { SettingsPage } from "../frame.tsx";

import { EventFilters } from "./filters.tsx";

const MOST = { query: { limit: 200 } };
const NAMES = ["types", "actor", "campaign_id"] as const;

export function EventsScreen({ query }: ScreenProps) {
  const filter = Object.fromEntries(
    NAMES.map((name) => [name, query.get(name)]).filter(([, value]) => value),
  ) as { types?: string; actor?: string; campaign_id?: string };
  const feed = useFeed(filter);
  const campaigns = useQuery("listCampaigns", MOST);
  const aliases = useQuery("listMailAliases", MOST);
  const names = new Map<string, string>([
    ...(campaigns.data?.items ?? []).map((each) => [each.campaign_id, each.name] as const),
    ...(aliases.data?.items ?? []).map((each) => [each.id, each.email] as const),
  ]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <SettingsPage path="/settings/events">
      <EventFilters
        filter={filter}
        campaigns={campaigns.data?.items ?? []}
        actors={actorsOf(feed.data ?? [])}
      />
      <Part of={feed} lines={8}>
        {(events) => (
          <div class="log">
            <Section
              flush
              title="What happened"
              note="kept for 30 days; new ones appear by themselves"
            >
              {events.length === 0 ? (
                <Empty
                  title={isFiltered ? "Nothing of that happened." : "Nothing has happened yet."}
                >
                  {isFiltered
                    ? "Choose another kind, or everybody."
                    : "What people, keys and the service itself do here is told in order, with who did it."}
                </Empty>
              ) : (
                <Table
                  caption="What happened, the newest first"
                  rows={events}
                  keyOf={({ id }) => id}
                  columns={[
                    { head: "When", cell: ({ timestamp: at }) => <Time at={at} as="exact" /> },
                    {
                      head: "What",
                      isHead: true,
                      cell: (event) => <What event={event} nameOf={(id) => names.get(id)} />,
                    },
                    { head: "Who", cell: ({ actor }) => <Who actor={actor} filter={filter} /> },
                  ]}
                />
              )}
              <More of={feed} label="Show older ones" />
            </Section>
          </div>
        )}
      </Part>
    </SettingsPage>
  );
}

function What({ event, nameOf }: { event: Event; nameOf: NameOf }) {
  const place = eventPlace(event);
  const text = eventWords(event, nameOf);
  return (
    <span title={event.type}>
      {place !== null && isPage(place) ? <a href={href(place)}>{text}</a> : text}
    </span>
  );
}

const OF_TYPE = { system: "the service itself", user: "a person", key: "a key" };

function Who(props: { actor: Event["actor"]; filter: Record<string, string> }) {
  const { type, id, name } = props.actor;
  if (id === null) return <span class="dim">{OF_TYPE[type]}</span>;
  return (
    <div>
      <a href={href("/settings/events", { ...props.filter, actor: id })}>{name ?? OF_TYPE[type]}</a>
      {type === "key" && <small>API key</small>}
    </div>
  );
}

/** The actors seen so far, to choose among. */
function actorsOf(events: readonly Event[]): [id: string, name: string][] {
  const seen = new Map<string, string>();
  for (const { actor } of events)
    if (actor.id !== null)
      seen.set(actor.id, `${actor.name ?? actor.id}${actor.type === "key" ? " (API key)" : ""}`);
  return [...seen].toSorted(([, a], [, b]) => a.localeCompare(b));
}
