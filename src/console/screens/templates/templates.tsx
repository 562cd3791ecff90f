import { usePages } from "../../api/pages.ts";
import { useKeys } from "../../keys.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Time } from "../../parts/time.tsx";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";

const NEW = "/templates/new";

export function TemplatesScreen({ query }: ScreenProps) {
  const isArchive = query.get("archived") === "true";
  const templates = usePages("listTemplates", {
    query: { archived: isArchive ? "true" : "false", limit: 100 },
  });
  useKeys([{ key: "n", label: "New template", run: () => go(NEW) }]);
  return (
    <Page
      title="Templates"
      actions={
        <a class="btn main" href={href(NEW)}>
          New template <kbd>N</kbd>
        </a>
      }
      tabs={
        <Tabs
          label="Templates"
          tabs={[
            { label: "In use", href: href("/templates"), isCurrent: !isArchive },
            {
              label: "Archive",
              href: href("/templates", { archived: "true" }),
              isCurrent: isArchive,
            },
          ]}
        />
      }
    >
      <Part of={templates} lines={6}>
        {(rows) => (
          <Section flush>
            {rows.length === 0 ? (
              <Empty
                title={isArchive ? "Nothing is archived." : "There is no template yet."}
                {...(isArchive
                  ? {}
                  : {
                      action: (
                        <a class="btn main" href={href(NEW)}>
                          Write the first
                        </a>
                      ),
                    })}
              >
                {isArchive
                  ? "What is archived is out of the way; campaigns that have it go on."
                  : "A template is a text that several steps and campaigns share. You see beside it, as you write, what a person would get."}
              </Empty>
            ) : (
              <Table
                caption="Templates"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/templates/${id}`)}
                columns={[
                  { head: "Template", cell: ({ name }) => name, sortBy: ({ name }) => name },
                  {
                    head: "Subject",
                    cell: ({ subject, channel }) =>
                      subject ?? (
                        <span class="dim">
                          {channel === "email" ? "goes on in the thread" : "message on the network"}
                        </span>
                      ),
                  },
                  {
                    head: "Reads",
                    cell: ({ variables }) => <span class="dim">{variables.join(", ")}</span>,
                  },
                  { head: "Tags", cell: ({ tags }) => tags.join(", ") },
                  {
                    head: "Changed",
                    cell: ({ updated_at: at }) => <Time at={at} as="ago" />,
                    sortBy: ({ updated_at: at }) => at,
                  },
                ]}
              />
            )}
            <More of={templates} />
          </Section>
        )}
      </Part>
    </Page>
  );
}
