import { useSignal } from "@preact/signals";
import { addressOf } from "../../api/call.ts";
import { usePages } from "../../api/pages.ts";
import type { Suppression, SuppressionKind, SuppressionReason } from "../../api/schema.ts";
import { useAction } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FilterSelect } from "../../parts/filter-select.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import type { ScreenProps } from "../../routes.ts";
import { AddSuppression } from "./add-suppression.tsx";
import { ImportSuppressions } from "./import-suppressions.tsx";

const REASONS: Record<SuppressionReason, string> = {
  hard_bounce: "the address does not exist",
  complaint: "complained",
  unsubscribe: "unsubscribed",
  manual: "put here by hand",
};
const KINDS: Record<SuppressionKind, string> = { email: "address", domain: "whole domain" };

export function SuppressionsScreen({ query }: ScreenProps) {
  const q = query.get("q") ?? "";
  const kind = query.get("kind") as SuppressionKind | null;
  const reason = query.get("reason") as SuppressionReason | null;
  const isFiltered = q !== "" || kind !== null || reason !== null;
  const list = usePages("listSuppressions", {
    query: {
      limit: 50,
      ...(q === "" ? {} : { q }),
      ...(kind === null ? {} : { kind }),
      ...(reason === null ? {} : { reason }),
    },
  });
  const remove = useAction("deleteSuppression");
  const open = useSignal<"add" | "import" | null>(null);
  const close = () => (open.value = null);
  const add = () => (open.value = "add");
  useKeys([{ key: "n", label: "Suppress an address", run: add }]);

  async function askToAllow({ id, value, reason: why, kind: of }: Suppression): Promise<void> {
    const name = value ?? "the erased address";
    const isSure = await confirm({
      title: `Allow mail to ${name} again?`,
      body: WARNINGS[why],
      facts: [
        ["Kept back", of === "domain" ? `everybody at ${name}` : name],
        ["Because", REASONS[why]],
      ],
      confirm: "Allow mail again",
      isDangerous: why !== "manual",
    });
    if (isSure && (await remove.run({ params: { suppression_id: id } })))
      toast(`Mail to ${name} is allowed again.`);
  }
  return (
    <Page
      title="Suppressions"
      actions={
        <>
          <SearchField label="Search suppressions" value={q} />
          <button type="button" class="btn main" onClick={add}>
            Suppress <kbd>N</kbd>
          </button>
          <button type="button" class="btn" onClick={() => (open.value = "import")}>
            Import
          </button>
          <a class="btn" download href={addressOf("exportSuppressions").url}>
            Export
          </a>
        </>
      }
    >
      {remove.problem !== undefined && <ProblemNote problem={remove.problem} />}
      <div class="row filters">
        <FilterSelect
          name="kind"
          label="Kind"
          value={kind}
          any="all"
          options={Object.entries(KINDS)}
        />
        <FilterSelect
          name="reason"
          label="Because"
          value={reason}
          any="all"
          options={Object.entries(REASONS)}
        />
      </div>
      <Part of={list} lines={8}>
        {(rows) => (
          <Section flush>
            {rows.length === 0 ? (
              isFiltered ? (
                <Empty title={list.hasMore ? "None among the first." : "None is like that."}>
                  {list.hasMore
                    ? "Only some were looked at yet: show more looks at the next."
                    : "Take a filter away, or search for less."}
                </Empty>
              ) : (
                <Empty
                  title="Everybody may be written to."
                  action={
                    <button type="button" class="btn main" onClick={() => (open.value = "import")}>
                      Import a list
                    </button>
                  }
                >
                  Who unsubscribes, complains or does not exist comes here by itself. Bring the list
                  of your former tool before you send.
                </Empty>
              )
            ) : (
              <Table
                caption="Suppressed addresses and domains"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: "Gets no mail",
                    cell: ({ value }) => value ?? <span class="dim">erased: a hash is kept</span>,
                  },
                  { head: "Kind", cell: ({ kind: of }) => KINDS[of] },
                  { head: "Because", cell: ({ reason: why }) => REASONS[why] },
                  { head: "Since", cell: ({ created_at: at }) => <Time at={at} as="date" /> },
                  {
                    head: "Until",
                    cell: ({ expires_at: at }) =>
                      at === null ? <span class="dim">for good</span> : <Time at={at} as="date" />,
                  },
                  {
                    head: "Actions",
                    isQuiet: true,
                    cell: (row) => (
                      <button type="button" class="btn" onClick={() => void askToAllow(row)}>
                        Allow<span class="sr"> {row.value ?? "the erased address"} again</span>
                      </button>
                    ),
                  },
                ]}
              />
            )}
            <More of={list} />
          </Section>
        )}
      </Part>
      {open.value === "add" && (
        <Dialog title="Suppress an address or a domain" onClose={close}>
          <AddSuppression onClose={close} />
        </Dialog>
      )}
      {open.value === "import" && (
        <Dialog title="Import suppressions" onClose={close}>
          <ImportSuppressions onClose={close} />
        </Dialog>
      )}
    </Page>
  );
}

const WARNINGS: Record<SuppressionReason, string> = {
  hard_bounce:
    "The server said that there is no such address. Mail to it bounces again, which costs your domain its good name.",
  complaint: "The person reported a message as spam. Writing again may be against the law.",
  unsubscribe:
    "The person asked for no more mail. Writing again without a new consent may be against the law.",
  manual: "Campaigns may write to it again from now on.",
};
