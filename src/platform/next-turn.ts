/**
 * Lets the runtime hear what has arrived and say what it was asked to: it does neither while promises resolve each
 * other. In workerd a wait of 0 lets only the first 8 kB of a request out.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
