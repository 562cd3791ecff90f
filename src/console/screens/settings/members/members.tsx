import { useSignal } from "@preact/signals";
import { usePages } from "../../../api/pages.ts";
import type { InvitationCreated, Member } from "../../../api/schema.ts";
import { useAction, useQuery } from "../../../api/use.ts";
import { useKeys } from "../../../keys.ts";
import { confirm } from "../../../parts/confirm.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Part } from "../../../parts/load.tsx";
import { Section } from "../../../parts/page.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import { More, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { toast } from "../../../parts/toast.tsx";
import { mayTouch, ROLE_WORDS, rolesToGive, type Role } from "../../../pure/role-words.ts";
import { SettingsPage } from "../frame.tsx";
import { leaveWorkspace } from "./enter.ts";
import { Invitations } from "./invitations.tsx";
import { Invite, InvitationLink } from "./invite.tsx";
import { Yours } from "./yours.tsx";

export function MembersScreen() {
  const session = useQuery("getSession");
  const members = usePages("listMembers");
  const change = useAction("changeMember");
  const remove = useAction("removeMember");
  const isInviting = useSignal(false);
  const invited = useSignal<InvitationCreated | null>(null);
  const role: Role = session.data?.role ?? "viewer";
  const userId = session.data?.user_id;
  const isInviter = rolesToGive(role).length > 0;
  const begin = () => {
    if (isInviter) isInviting.value = true;
  };
  useKeys([{ key: "n", label: "Invite somebody", run: begin }]);

  async function setRole(member: Member, to: Role): Promise<void> {
    const isSure = await confirm({
      title: `Make ${nameOf(member)} ${to === "member" || to === "viewer" ? "a" : "an"} ${to}?`,
      body: `From the next request on: ${ROLE_WORDS[to]}. Keys that they made may do no more than that.`,
      confirm: `Make them ${to}`,
    });
    if (!isSure) return members.reload();
    if (await change.run({ params: { user_id: member.user_id }, body: { role: to } }))
      toast(`${nameOf(member)} is ${to}.`);
    else members.reload();
  }
  async function takeOut(member: Member): Promise<void> {
    const isMe = member.user_id === userId;
    const isSure = await confirm({
      title: isMe ? "Leave this workspace?" : `Take ${nameOf(member)} out?`,
      body: isMe
        ? "You see nothing of it any more, and the API keys that you made are revoked. What you made stays."
        : "Their sessions end, and the API keys that they made are revoked. What they made stays.",
      confirm: isMe ? "Leave" : "Take them out",
      isDangerous: true,
    });
    if (!isSure || !(await remove.run({ params: { user_id: member.user_id } }))) return;
    if (isMe) leaveWorkspace();
    else toast(`${nameOf(member)} is no member any more.`);
  }
  const problem = change.problem ?? remove.problem;
  return (
    <SettingsPage
      path="/settings/members"
      actions={
        isInviter && (
          <button type="button" class="btn main" onClick={begin}>
            Invite somebody <kbd>N</kbd>
          </button>
        )
      }
    >
      <div class="stack">
        {problem !== undefined && <ProblemNote problem={problem} />}
        <Section
          title="Members"
          note={
            session.data !== undefined && !isInviter
              ? `you are ${role}: owners and admins invite, and change roles`
              : undefined
          }
          flush
        >
          <Part of={members} lines={4}>
            {(rows) => (
              <>
                <Table
                  caption="Members of the workspace"
                  rows={rows}
                  keyOf={(member) => member.user_id}
                  columns={[
                    {
                      head: "Who",
                      cell: (member) => (
                        <>
                          {nameOf(member)}
                          {member.user_id === userId && " (you)"}
                          {member.name !== null && <small>{member.email}</small>}
                        </>
                      ),
                    },
                    {
                      head: "Role",
                      cell: (member) => (
                        <RoleOf
                          member={member}
                          own={role}
                          isRunning={change.isRunning}
                          onChange={(to) => void setRole(member, to)}
                        />
                      ),
                    },
                    {
                      head: "Last seen",
                      cell: ({ last_seen_at: at }) =>
                        at === null ? <span class="dim">never</span> : <Time at={at} as="ago" />,
                    },
                    { head: "Since", cell: ({ joined_at: at }) => <Time at={at} as="date" /> },
                    {
                      head: "Actions",
                      isQuiet: true,
                      cell: (member) =>
                        (member.user_id === userId || mayTouch(role, member.role)) && (
                          <button
                            type="button"
                            class="btn"
                            disabled={remove.isRunning}
                            onClick={() => void takeOut(member)}
                          >
                            {member.user_id === userId ? "Leave" : "Take out"}
                            <span class="sr"> {nameOf(member)}</span>
                          </button>
                        ),
                    },
                  ]}
                />
                <More of={members} />
              </>
            )}
          </Part>
        </Section>
        <Invitations mayWithdraw={isInviter} />
        <Yours via={session.data?.via} />
      </div>
      {isInviting.value && (
        <Dialog title="Invite somebody" onClose={() => (isInviting.value = false)}>
          <Invite
            roles={rolesToGive(role)}
            onCancel={() => (isInviting.value = false)}
            onMade={(made) => {
              isInviting.value = false;
              invited.value = made;
            }}
          />
        </Dialog>
      )}
      {invited.value !== null && (
        <InvitationLink of={invited.value} onClose={() => (invited.value = null)} />
      )}
    </SettingsPage>
  );
}

const nameOf = ({ name, email }: Member): string => name ?? email ?? "Somebody without a name";

function RoleOf(props: {
  member: Member;
  own: Role;
  isRunning: boolean;
  onChange(to: Role): void;
}) {
  const { member, own, isRunning, onChange } = props;
  const roles = rolesToGive(own);
  if (!mayTouch(own, member.role) || !roles.includes(member.role))
    return (
      <div>
        {member.role}
        <small>{ROLE_WORDS[member.role]}</small>
      </div>
    );
  return (
    <div>
      <select
        aria-label={`Role of ${nameOf(member)}`}
        value={member.role}
        disabled={isRunning}
        onChange={(event) => {
          const to = event.currentTarget.value as Role;
          // It is what the API says: the answer puts the new one there.
          event.currentTarget.value = member.role;
          onChange(to);
        }}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <small>{ROLE_WORDS[member.role]}</small>
    </div>
  );
}
