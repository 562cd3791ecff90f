/** Lets the runtime hear what has arrived: it hears nothing while promises resolve each other. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
