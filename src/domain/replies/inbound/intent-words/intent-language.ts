/**
 * How replies in one language sound, as sources of regular expressions in the spelling of the opt-outs' tables;
 * ` & ` parts words of one sentence in any order, and `|` outside brackets parts what says the same.
 */
export interface IntentWords {
  /** A yes that is made of a no: "why not". */
  yesByNo: readonly string[];
  /** Puts it off: not now, next year, under contract until. */
  later: readonly string[];
  no: readonly string[];
  /** Names another person or place to ask, or says that it is not theirs. */
  refer: readonly string[];
  /** Likes it, or says yes. */
  praise: readonly string[];
  /** Is interested in so many words, or asks for a step. */
  want: readonly string[];
  /** Asks, with or without a question mark. */
  ask: readonly string[];
  spaceless?: true;
}
