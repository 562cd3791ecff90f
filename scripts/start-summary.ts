import type { StackDescription } from "./stack/running.ts";

/** What a person wants to know once it runs. */
export function summary(description: StackDescription): string {
  const { base_url: api, docs_url: docs, mailbox_url: mailbox } = description;
  const { payments_url: payments, messaging_url: messaging, network_url: network } = description;
  const { control_url: control, dns_url: dns, oauth_url: oauth } = description;
  const { receiver_url: receiver, identity_url: identity } = description;
  const cells =
    description.big_database_url === null
      ? ""
      : "  Cells     main and big, behind the API's address: npm run admin -- move WORKSPACE big\n";
  return `
  Console   ${description.console_url}
            opens signed in, once: ${description.sign_in_url}

  API       ${api}
  Docs      ${docs}
  Mailbox   ${mailbox}
  Payments  ${payments}
  WhatsApp  ${messaging}
  Network   ${network}
  Logins    ${identity}
  Consents  ${oauth}
  Events    ${receiver}
  Control   ${control}
  DNS       ${dns}/zones
${cells}  API key   ${description.api_key}   (demo workspace; this and more in .local/stack.json)

  curl -H "Authorization: Bearer ${description.api_key}" ${api}/api/v1/auth/me
`;
}
