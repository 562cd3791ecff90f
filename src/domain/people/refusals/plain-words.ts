import type { Words } from "./bounce-patterns.ts";

const RECIPIENT = String.raw`(users?|recipients?|mail ?box(es)?|inbox|account|addressee|mail ?user)`;
const KIND = String.raw`((\w+ )?(valid|known|registered|local|virtual|gateway|active|existing|mail|e-?mail)( \w+)? )?`;
const PLACE = String.raw`( (of|on|at|in|here|with|by that name)\b|$|[.:;,])`;
const GONE_STATE = String.raw`(unknown|not (be )?(found|known)|(does|do|did)( ?n.t| not) exist|non-?existent|no longer exists?)`;
const DISABLED_STATE = String.raw`(disabled|suspended|deactivated|inactive)`;

/**
 * Words that can be about a recipient alone, so that they count against an enhanced code that says something else:
 * gateways put 5.7.1 before whatever they refuse, and sendmail 5.3.0 (RFC 3463: other or undefined).
 */
export const PLAIN_WORDS: Words = [
  [
    "disabled",
    [
      new RegExp(String.raw`\b${DISABLED_STATE} ${KIND}${RECIPIENT}\b`),
      new RegExp(
        String.raw`\b${RECIPIENT}( address)?( \S+@\S+)? (has been |is |was |account )?${DISABLED_STATE}\b`,
      ),
    ],
  ],
  [
    "no_such_user",
    [
      new RegExp(
        String.raw`\b${RECIPIENT}( address| name)?( \S+@\S+| (that |whom )?you \S+( \S+){0,4})? (is |was )?${GONE_STATE}\b`,
      ),
      new RegExp(
        String.raw`(?<!from )\b(unknown|no such|non-?existent|no) ${KIND}${RECIPIENT}\b( here|${PLACE})`,
      ),
      new RegExp(String.raw`\bnot (an? |our |the )?${KIND}${RECIPIENT}\b${PLACE}`),
    ],
  ],
];
