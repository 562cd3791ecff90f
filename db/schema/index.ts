export * from "./campaigns.ts";
export * from "./content.ts";
export * from "./credits.ts";
export * from "./emails.ts";
export * from "./engine.ts";
export * from "./leads.ts";
export * from "./mail.ts";
export * from "./workspaces.ts";
