import { countOptOutAsk } from "#db/research/opt-outs.ts";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { signOptOut } from "#src/domain/research/prospects/opt-out.ts";
import { markOptOut, type OptOutMarks } from "#src/domain/research/prospects/opt-out-marks.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import type { EmailText } from "./email-text.ts";
import { noticeMail, transmitMail } from "./system-mail.ts";

/** On a date (UTC), for a mailbox in any spelling: so that the form cannot be used to flood one. */
export const MAILS_A_DAY = 3;
/** On a date, from a client address. */
export const ASKS_A_DAY = 50;

/**
 * Mails a link that takes the person out of the pool once it is confirmed. The answer is the same whether they are in
 * it or not, and whether the mailbox has had its mails already: the caller learns nothing from it. 429 for a client
 * address that has asked too often.
 */
export async function askToOptOut(
  deps: Deps,
  {
    profile,
    email,
    clientAddress,
  }: { profile: { url: string; key: string }; email: string; clientAddress: string },
): Promise<void> {
  const { systemMail, publicBaseUrl } = deps.settings;
  if (systemMail === null)
    throw new AppError(
      "unavailable",
      "NOT_CONFIGURED",
      "This deployment sends no mail of its own, so it cannot confirm an opt-out: write to its operator.",
    );
  const marks = await markOptOut(deps, { email, clientAddress });
  if (!(await mayMail(deps, marks))) return;
  const token = await signOptOut(deps, { profileKey: profile.key, marks });
  const link = `${publicBaseUrl}/prospects/opt-out/${token}`;
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

/** Counted in Postgres: a cache may forget its counts, and mails must stay limited. */
async function mayMail({ db, clock }: Deps, { mailbox, client }: OptOutMarks): Promise<boolean> {
  const now = clock.now();
  const counted = await countOptOutAsk(db, {
    day: now.toISOString().slice(0, 10),
    client: { subject: client, limit: ASKS_A_DAY },
    mailbox: { subject: mailbox, limit: MAILS_A_DAY },
  });
  if (counted.client) return counted.mailbox;
  const retryAfter = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
  throw new AppError(
    "rate_limited",
    "RATE_LIMITED",
    `More than ${ASKS_A_DAY} opt-outs from this address today; retry in ${retryAfter} s.`,
    { retryAfter },
  );
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
