import { serverNow } from "../../../api/clock.ts";
import { usePages } from "../../../api/pages.ts";
import type { Invitation } from "../../../api/schema.ts";
import { useAction } from "../../../api/use.ts";
import { confirm } from "../../../parts/confirm.tsx";
import { Part } from "../../../parts/load.tsx";
import { Section } from "../../../parts/page.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import { More, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { toast } from "../../../parts/toast.tsx";

/** Who was invited and has not come yet. */
export function Invitations({ mayWithdraw }: { mayWithdraw: boolean }) {
  const invitations = usePages("listInvitations");
  const withdraw = useAction("withdrawInvitation");
  async function ask({ id, email }: Invitation): Promise<void> {
    const isSure = await confirm({
      title: "Withdraw the invitation?",
      body: `The link that ${email} got leads nowhere any more.`,
      confirm: "Withdraw it",
      isDangerous: true,
    });
    if (isSure && (await withdraw.run({ params: { invitation_id: id } })))
      toast(`The invitation of ${email} is withdrawn.`);
  }
  return (
    <Section title="Invitations" note="open ones" flush>
      {withdraw.problem !== undefined && <ProblemNote problem={withdraw.problem} />}
      <Part of={invitations} lines={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="more dim">Nobody is invited at the moment.</p>
          ) : (
            <>
              <Table
                caption="Open invitations"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { head: "Who", cell: ({ email }) => email },
                  { head: "As", cell: ({ role }) => role },
                  { head: "Invited", cell: ({ created_at: at }) => <Time at={at} as="ago" /> },
                  {
                    head: "Good until",
                    cell: ({ expires_at: at }) =>
                      Date.parse(at) <= serverNow() ? (
                        <span class="dim">it is over</span>
                      ) : (
                        <Time at={at} />
                      ),
                  },
                  {
                    head: "Actions",
                    isQuiet: true,
                    cell: (invitation) =>
                      mayWithdraw && (
                        <button
                          type="button"
                          class="btn"
                          disabled={withdraw.isRunning}
                          onClick={() => void ask(invitation)}
                        >
                          Withdraw<span class="sr"> that of {invitation.email}</span>
                        </button>
                      ),
                  },
                ]}
              />
              <More of={invitations} />
            </>
          )
        }
      </Part>
    </Section>
  );
}
