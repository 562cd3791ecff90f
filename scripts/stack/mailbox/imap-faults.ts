/** The faults of the mailbox's IMAP server that can be ordered, each with what it does on its next occasion. */
export const imapFaults = {
  imap_auth_refused:
    "the next IMAP login is answered NO [AUTHENTICATIONFAILED], right credentials or not",
  imap_unavailable: "the next IMAP login is answered NO [UNAVAILABLE]",
  imap_folder_gone: "the next EXAMINE finds no such folder",
  imap_uidvalidity_changed:
    "before the next EXAMINE the folder's UIDVALIDITY and all UIDs change for good",
  imap_cut_in_literal: "the next IMAP connection that fetches text is cut in the middle of it",
} as const;
