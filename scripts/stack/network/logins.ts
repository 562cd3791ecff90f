import { digest } from "./books.ts";
import { NetworkRefusal } from "./errors.ts";
import type { Challenge } from "./model.ts";

export interface Login {
  /** Public identifier of the member: the same for the same username. */
  owner: string;
  isPremium: boolean;
  challenges: Challenge[];
  /** The answer takes its time. */
  isSlow: boolean;
}

/** The code that is right wherever one is asked for. */
const CODE = "123456";
const CAPTCHA_SOLUTION = "solved";
const PHONE = /^\(\+\d{1,3}\)\d{4,14}$/;
/** The password that is wrong for everybody. */
const WRONG_PASSWORD = "wrong";

/** What happens to a login whose username begins so. */
const CHALLENGES: Record<string, Challenge[]> = {
  otp: ["OTP"],
  "2fa": ["2FA_APP"],
  twice: ["OTP", "2FA_APP"],
  inapp: ["IN_APP"],
  captcha: ["CAPTCHA"],
  phone: ["PHONE", "OTP"],
};

/** The first word of a username: `ok` of `ok@acme.com` and of `ok+anna@acme.com`. */
const wordOf = (username: string) => /^[a-z0-9]*/.exec(username)?.[0] ?? "";

export function logIn(given: { username: string; password: string }): Login {
  const username = given.username.trim().toLowerCase();
  const word = wordOf(username);
  if (word === "badpass" || given.password === WRONG_PASSWORD)
    throw new NetworkRefusal("invalid_credentials", "The provided credentials are invalid.");
  if (word === "restricted")
    throw new NetworkRefusal("account_restricted", "Access to this account has been restricted.");
  return {
    owner: memberOf(username),
    isPremium: word === "premium",
    challenges: CHALLENGES[word] ?? [],
    isSlow: word === "slow",
  };
}

const GIVEN = [
  "anna",
  "jonas",
  "leila",
  "marc",
  "nora",
  "pavel",
  "rosa",
  "simon",
  "tara",
  "viktor",
];
const FAMILY = ["keller", "lindqvist", "moreau", "novak", "okafor", "petit", "ricci", "sato"];

/** The member of a username; nothing of the username is in it. */
function memberOf(username: string): string {
  const hash = digest("member", username);
  const given = GIVEN[hash.readUInt8(0) % GIVEN.length];
  const family = FAMILY[hash.readUInt8(1) % FAMILY.length];
  return `${given}-${family}-${hash.readUInt32BE(2).toString().padStart(10, "0")}`;
}

/** How a challenge looks on the wire. */
export function checkpointOf(challenge: Challenge): object {
  return CHECKPOINTS[challenge];
}

const CHECKPOINTS: Record<Challenge, object> = {
  OTP: { type: "OTP" },
  "2FA_APP": { type: "2FA", source: "APP" },
  IN_APP: { type: "IN_APP_VALIDATION" },
  CAPTCHA: {
    type: "CAPTCHA",
    public_key: "3117BF26-4762-4F5A-8ED9-A85E69209A46",
    data: "bG9jYWwgc3RhY2s=",
  },
  PHONE: { type: "PHONE_REGISTER" },
};

export function isSolution(challenge: Challenge, code: string): boolean {
  if (challenge === "CAPTCHA") return code === CAPTCHA_SOLUTION;
  if (challenge === "PHONE") return PHONE.test(code);
  return code === CODE;
}
