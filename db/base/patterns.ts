/** The pattern of `like` for texts that contain `part`, whatever signs it has. */
export const containing = (part: string): string => `%${part.replace(/[\\%_]/g, "\\$&")}%`;
