import { usePages } from "../../api/pages.ts";
import { useKeys } from "../../keys.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Status } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { go, href } from "../../router.ts";
import { SendersPage } from "./frame.tsx";

const NEW = "/senders/profiles/new";

export function ProfilesScreen() {
  const profiles = usePages("listSenderProfiles", { query: { limit: 100 } });
  useKeys([{ key: "n", label: "New sender profile", run: () => go(NEW) }]);
  return (
    <SendersPage
      path="/senders/profiles"
      actions={
        <a class="btn main" href={href(NEW)}>
          New profile <kbd>N</kbd>
        </a>
      }
    >
      <Part of={profiles} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              <Empty
                title="Nobody speaks yet."
                action={
                  <a class="btn main" href={href(NEW)}>
                    Write the first
                  </a>
                }
              >
                A profile says who writes: name, company, what you offer. Texts read it as{" "}
                <code>{"{{ sender.full_name }}"}</code>, and a model writes in its tone.
              </Empty>
            </Section>
          ) : (
            <Section flush>
              <Table
                caption="Sender profiles"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/senders/profiles/${id}`)}
                columns={[
                  { head: "Profile", cell: ({ name }) => name, sortBy: ({ name }) => name },
                  {
                    head: "Speaks",
                    cell: ({ full_name: name, job_title: title, company }) => (
                      <>
                        {name}
                        <small>{[title, company].filter(Boolean).join(", ")}</small>
                      </>
                    ),
                  },
                  { head: "Language", cell: ({ language }) => language },
                  {
                    head: "Default",
                    cell: ({ is_default: is }) => is && <Status tone="quiet">default</Status>,
                  },
                  {
                    head: "Changed",
                    cell: ({ updated_at: at }) => <Time at={at} as="date" />,
                  },
                ]}
              />
              <More of={profiles} />
            </Section>
          )
        }
      </Part>
    </SendersPage>
  );
}
