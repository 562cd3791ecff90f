import type { Boxes, Folder } from "./boxes.ts";

/** Marks a message deleted, expunges it alone (RFC 4315) or moves it (RFC 6851); answers what the server says. */
export function changeMessage(
  boxes: Boxes,
  { address, folder }: { address: string; folder: Folder },
  command: string,
  { uid, marked }: { uid: number; marked: Set<number> },
  rest: string,
): string {
  const message = folder.messages.find((each) => each.uid === uid);
  if (command === "STORE") {
    if (rest !== "+FLAGS.SILENT (\\Deleted)") return "BAD no such flags here";
    if (message !== undefined) marked.add(uid);
    return "OK stored";
  }
  if (command === "EXPUNGE") {
    if (marked.delete(uid)) boxes.remove(address, folder, uid);
    return "OK expunged";
  }
  const [, to] = /^"([^"]+)"$/.exec(rest) ?? [];
  if (to === undefined || boxes.folder(address, to) === undefined)
    return "NO [TRYCREATE] no such folder";
  if (message === undefined) return "OK nothing to move";
  boxes.put(address, Buffer.from(message.raw, "latin1"), { folder: to });
  boxes.remove(address, folder, uid);
  return "OK moved";
}
