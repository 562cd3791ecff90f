/** What a class of conversations is, for who counts them: people first, then what machines say. */
export const CLASS_WORDS: Readonly<Record<string, string>> = {
  reply: "from people",
  possible_opt_out: "may want no more mail",
  out_of_office: "out of office",
  auto_reply: "automatic answers",
  challenge: "ask who you are",
  left_company: "have left their company",
  automated: "other mail of machines",
};
