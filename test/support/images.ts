/** The smallest whole images of each kind that a browser writes, and one of a GIF by hand. */
const TEXTS = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAJCAYAAAAGuM1UAAAAy0lEQVR4AWxQWxHCMBDcyR8XBxhAAQZQgAEwAALAABioATCAARxgAAUYYJp+Hrs5wlCGj85e95VL0hPZH5j6HTO/Ye5XLPyCpZ+w8g5bP2Dnexx9g87XOHsqyOgxQYERDQP/NQeKz+SFoaeexkJToEiJMhlLMj+rJU1P0WQUQoywQsZm8YHNxxMkZgYk5mqSqMaBpwtLxfD9uYONQuWzrsomYMBGO/42FrYPDDWsAZkaWd6i8Pv1CoPy8Q5W9w8xc45dZVCJTJoDM14AAAD//zbkvToAAAAGSURBVAMA/nl3+rbtrRYAAAAASUVORK5CYII=",
  jpeg: "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAJAAwDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAwIF/8QAGBAAAwEBAAAAAAAAAAAAAAAAAAECITH/xAAVAQEBAAAAAAAAAAAAAAAAAAAEBf/EABkRAAIDAQAAAAAAAAAAAAAAAAADAQQRAv/aAAwDAQACEQMRAD8AyroJ1pdBPpTrK5wTYZOn/9k=",
  gif: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  webp: "UklGRj4AAABXRUJQVlA4IDIAAABwAQCdASoMAAkADUBoJbACdAFAAAD+74RnFbp9LMpE/x4gJ7ep/Mbv/BmYfUw7VFtwAA==",
  extendedWebp:
    "UklGRlAAAABXRUJQVlA4WAoAAAAAAAAACwAACAAAVlA4IDIAAABwAQCdASoMAAkADUBoJbACdAFAAAD+74RnFbp9LMpE/x4gJ7ep/Mbv/BmYfUw7VFtwAA==",
};

export type ImageName = keyof typeof TEXTS;

export const IMAGES = Object.fromEntries(
  Object.entries(TEXTS).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, "base64"))]),
) as Record<ImageName, Uint8Array<ArrayBuffer>>;

/** A whole PNG of about so many bytes: a chunk that nobody has to understand fills it. */
export function largePng(bytes: number): Uint8Array<ArrayBuffer> {
  const { png } = IMAGES;
  const filler = Buffer.alloc(Math.max(0, bytes - png.length - 12), "overture ");
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from("teXt"), filler, Buffer.alloc(4)]);
  chunk.writeUInt32BE(filler.length, 0);
  const header = 8 + 25;
  return new Uint8Array(Buffer.concat([png.subarray(0, header), chunk, png.subarray(header)]));
}
