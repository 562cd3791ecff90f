/** As many at once as `most`, part by part, until one is not done (undefined): what was answered, and what is left to do. */
export async function inParts<Item, Answer>(
  all: Item[],
  most: number,
  work: (some: Item[]) => Promise<Answer | undefined>,
): Promise<{ answers: Answer[]; left: Item[] }> {
  const answers: Answer[] = [];
  let left = all;
  while (left.length > 0) {
    const answer = await work(left.slice(0, most));
    if (answer === undefined) break;
    answers.push(answer);
    left = left.slice(most);
  }
  return { answers, left };
}
