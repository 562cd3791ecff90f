/** What the operator got wrong, or what cannot be done: said in one sentence. */
export class Refusal extends Error {}
