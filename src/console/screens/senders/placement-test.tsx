import type { PlacementTestDetail } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Part } from "../../parts/load.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../pure/words.ts";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";

const LIST = "/senders/placement";

/** Where each mail of a test was seen. */
export function PlacementTestScreen({ params }: ScreenProps) {
  const asked = { params: { placement_test_id: params["id"]! } };
  const test = useQuery("getPlacementTest", asked, {
    every: (now) => (now?.status === "done" ? null : 5),
  });
  const remove = useAction("deletePlacementTest");
  const removeIt = async () => {
    const question = { title: "Delete this test?", confirm: "Delete it", isDangerous: true };
    const body =
      "What has not left does not leave any more. It goes on to count in the ten of its day.";
    if (!(await confirm({ ...question, body }))) return;
    if (await remove.run(asked)) go(LIST);
  };
  return (
    <Page
      title={test.data?.subject || "Placement test"}
      crumbs={[{ label: "Placement", href: href(LIST) }]}
      actions={
        <button type="button" class="btn" onClick={() => void removeIt()}>
          Delete
        </button>
      }
    >
      {remove.problem && <ProblemNote problem={remove.problem} />}
      <Part of={test} lines={6}>
        {(now) => (
          <Section flush>
            <Table
              caption={
                now.counts.open > 0
                  ? `Looked for, ${count(now.counts.open, "mail")} to go: 15 minutes at most`
                  : "Where the mails were seen"
              }
              rows={now.results}
              keyOf={(each) => `${each.alias_id} ${each.seed_alias_id}`}
              columns={COLUMNS}
            />
          </Section>
        )}
      </Part>
    </Page>
  );
}

type Result = PlacementTestDetail["results"][number];

const TONES: Record<string, Tone> = {
  inbox: "good",
  spam: "bad",
  missing: "bad",
  bounced: "bad",
  other: "warn",
};

function Where({ of }: { of: Result }) {
  const where = of.place ?? of.status;
  const tone =
    TONES[where] ?? (of.status === "waiting" || of.status === "looking" ? "busy" : "warn");
  const beside = of.note ?? of.category ?? (of.place === "inbox" ? null : of.folder);
  return (
    <>
      <Status tone={tone}>{words(where)}</Status>
      {beside !== null && <small>{beside}</small>}
    </>
  );
}

const judged = ({ authentication: auth }: Result): string =>
  auth === null
    ? "nothing written"
    : [`SPF ${auth.spf ?? "?"}`, `DKIM ${auth.dkim ?? "?"}`, `DMARC ${auth.dmarc ?? "?"}`].join(
        ", ",
      );

const COLUMNS: Column<Result>[] = [
  { head: "Mailbox", cell: ({ seed_email: email }) => email },
  { head: "From", cell: ({ from_email: email }) => email },
  { head: "Where", cell: (result) => <Where of={result} /> },
  { head: "After", cell: ({ seconds }) => (seconds === null ? "" : `${seconds} s`) },
  { head: "Receiver says", cell: (result) => (result.place === null ? "" : judged(result)) },
];
