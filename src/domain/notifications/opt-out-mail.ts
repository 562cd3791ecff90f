import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { signOptOut } from "#src/domain/prospects/opt-out.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { describeError } from "#src/platform/log.ts";
import type { EmailText } from "./email-text.ts";
import { noticeMail, transmitMail } from "./system-mail.ts";

/** So many mails an hour for one address, whoever asks: the form is no way to fill somebody's mailbox. */
const MAILS_AN_HOUR = 3;

/**
 * Mails a link that takes the person out of the pool once it is confirmed. The answer is the same whether they are in
 * it or not, and whether the address has had its mails already: nobody learns anything from it.
 */
export async function askToOptOut(
  deps: Deps,
  { profile, email }: { profile: { url: string; key: string }; email: string },
): Promise<void> {
  const { systemMail, publicBaseUrl } = deps.settings;
  if (systemMail === null)
    throw new AppError(
      "unavailable",
      "NOT_CONFIGURED",
      "This deployment sends no mail of its own, so it cannot confirm an opt-out: write to its operator.",
    );
  if (!(await mayMail(deps, email))) return;
  const link = `${publicBaseUrl}/prospects/opt-out/${await signOptOut(deps, profile.key)}`;
  const identity = { id: deps.ids.uuid(), to: email, date: deps.clock.now() };
  const message = noticeMail(systemMail, optOutText(profile.url, link), identity);
  deps.background(
    (async () => {
      const transport = deps.openMail();
      try {
        const attempt = await transmitMail(transport, systemMail, message);
        deps.log.info("opt_out_mail", { state: attempt.kind });
      } finally {
        await transport.close();
      }
    })(),
  );
}

async function mayMail({ cache, log }: Deps, email: string): Promise<boolean> {
  try {
    const key = `opt-out-mail:${await sha256Hex(email)}`;
    const [count] = await cache.count([{ key, ttlSeconds: 3_600 }]);
    return count! <= MAILS_AN_HOUR;
  } catch (error) {
    log.error("opt_out_limit_unavailable", describeError(error));
    return true;
  }
}

function optOutText(profileUrl: string, link: string): EmailText {
  const asked = `Somebody, probably you, asked to take the profile ${profileUrl} out of our pool of prospects.`;
  const how = "Open this page and press the button, within seven days:";
  const otherwise = "If it was not you, do nothing: then nothing happens.";
  return {
    subject: "Take your profile out of our prospect pool",
    text: [asked, how, link, otherwise, ""].join("\n\n"),
    html: [
      '<!doctype html><html><head><meta charset="utf-8"></head><body style="font:15px/1.5 sans-serif;color:#222;max-width:40em">',
      `<p>${escapeHtml(asked)}</p>`,
      `<p>${escapeHtml(how)}<br><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
      `<p>${escapeHtml(otherwise)}</p>`,
      "</body></html>",
    ].join("\n"),
  };
}
