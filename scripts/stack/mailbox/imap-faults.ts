/** The faults of the mailbox's IMAP server that can be ordered, each with what it does on its next occasion. */
export const imapFaults = {
  imap_bye: "the next IMAP connection is greeted with BYE and closed",
  imap_auth_refused:
    "the next IMAP login is answered NO [AUTHENTICATIONFAILED], right credentials or not",
  imap_unavailable: "the next IMAP login is answered NO [UNAVAILABLE]",
  imap_hang_after_login: "after the next IMAP login nothing is answered on that connection",
  imap_folder_gone: "the next SELECT or EXAMINE finds no such folder",
  imap_uidvalidity_changed:
    "before the next SELECT or EXAMINE the folder's UIDVALIDITY and all UIDs change for good",
  imap_cut_in_literal: "the next IMAP connection that fetches text is cut in the middle of it",
  imap_slow: "the next IMAP connection gets each answer 50 ms late as long as it lasts",
} as const;

export const SLOW_ANSWER_MS = 50;
