/** The provider's ids stand in keys and addresses: one that is none of its own making is not taken in. */
export const isEventId = (id: string | null): boolean =>
  id === null || /^[\x21-\x7e]{1,250}$/.test(id);
