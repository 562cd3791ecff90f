/** What a role may, from the least to the most. */
export const ROLE_WORDS = {
  viewer: "reads everything, changes nothing",
  member: "works with campaigns, people, drafts and the inbox; no keys, money or members",
  admin: "may do everything but delete the workspace and touch owners",
  owner: "may do everything",
} as const;

export type Role = keyof typeof ROLE_WORDS;
export const ROLES = Object.keys(ROLE_WORDS) as Role[];

/** Roles that a member may give: none above their own, and owners are made by owners. */
export const rolesToGive = (own: Role): Role[] =>
  own === "owner" ? ROLES : own === "admin" ? ROLES.filter((role) => role !== "owner") : [];

/** Whether a member may change or take out another. */
export const mayTouch = (own: Role, other: Role): boolean =>
  own === "owner" || (own === "admin" && other !== "owner");
