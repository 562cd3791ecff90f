import type { Deps } from "#src/deps.ts";
import type { Role } from "#src/domain/access/roles.ts";
import type { EmailText } from "#src/domain/workspace/notifications/email-text.ts";
import { noticeMail, transmitMail } from "#src/domain/workspace/notifications/system-mail.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";

interface InvitationMail {
  to: string;
  workspace: string;
  role: Role;
  url: string;
}

/** Hands the link to the system's relay behind the answer; false where the deployment has none. */
export function mailInvitation(deps: Deps, mail: InvitationMail): boolean {
  const { systemMail } = deps.settings;
  if (systemMail === null) return false;
  const identity = { id: deps.ids.uuid(), to: mail.to, date: deps.clock.now() };
  const message = noticeMail(systemMail, textOf(mail), identity);
  deps.background(
    (async () => {
      const transport = deps.openMail();
      try {
        const attempt = await transmitMail(transport, systemMail, message);
        deps.log.info("invitation_mail", { state: attempt.kind });
      } finally {
        await transport.close();
      }
    })(),
  );
  return true;
}

function textOf({ workspace, role, url }: InvitationMail): EmailText {
  // A name is a tenant's text: of one line, and no longer than a subject may be.
  const name = workspace.replace(/\s+/gu, " ").trim().slice(0, 100);
  const asked = `You were invited to work in the workspace "${name}", as ${role === "owner" || role === "admin" ? "an" : "a"} ${role}.`;
  const how =
    "Open this page within seven days and sign in with this address. The link is good once:";
  const otherwise = "If you do not know who that is, do nothing: then nothing happens.";
  return {
    subject: `Invitation to ${name}`,
    text: [asked, how, url, otherwise, ""].join("\n\n"),
    html: [
      '<!doctype html><html><head><meta charset="utf-8"></head><body style="font:15px/1.5 sans-serif;color:#222;max-width:40em">',
      `<p>${escapeHtml(asked)}</p>`,
      `<p>${escapeHtml(how)}<br><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
      `<p>${escapeHtml(otherwise)}</p>`,
      "</body></html>",
    ].join("\n"),
  };
}
