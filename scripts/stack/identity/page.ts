import { escapeHtml } from "../../../src/mime/escape-html.ts";
import { KNOWN } from "./people.ts";

/** The person to sign in as; the query stays in the address, which the form answers to. */
export const choicePage = (clientId: string): string =>
  layout(
    "Who are you?",
    `<p><b>${escapeHtml(clientId)}</b> asks you to sign in.</p>
<form method="post">${KNOWN.map(
      ({ subject, name, email }) =>
        `<p><button name="person" value="${subject}">${escapeHtml(name)}</button> ${escapeHtml(email)}</p>`,
    ).join("")}</form>
<form method="post">
<p><label for="new">Somebody else: an address, or a name</label><br><input id="new" name="new" required maxlength="200" autocomplete="off"></p>
<p><label><input type="checkbox" name="unverified" value="yes"> this issuer has not verified the address</label></p>
<p><button name="person" value="new">Sign in as this person</button> <button name="person" value="nobody" formnovalidate>Do not sign in</button></p></form>
<p>This is a page of the local stack: whoever you name, you are. Nobody of that name yet is a new person with a workspace of their own.</p>`,
  );

export const faultPage = (words: string): string =>
  layout("That is no sign-in", `<p>${escapeHtml(words)}</p>`);

const layout = (title: string, content: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:10vh auto;padding:0 1rem}input,button{font:inherit;padding:.4rem .8rem}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`;
