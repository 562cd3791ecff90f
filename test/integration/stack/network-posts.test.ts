import { beforeEach, describe, expect, test } from "vitest";
import { DAY, form, HOUR, networkSetting, refusal } from "./network-setting.ts";

const setting = networkSetting();
let account: string;
beforeEach(async () => {
  account = await setting.connect();
});

const PICTURES: [string, string, number, number][] = [
  [
    "image/png",
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAADUlEQVR42mNgQAf/AQABDAEAa7Jx4gAAAABJRU5ErkJggg==",
    3,
    2,
  ],
  ["image/gif", "R0lGODlhAgADAIAAAAAAAP///yH5BAAAAAAALAAAAAACAAMAAAIDRA5WADs=", 2, 3],
  ["image/webp", "UklGRhoAAABXRUJQVlA4TA0AAAAvAUAAAAcQERGIiP4HAA==", 2, 2],
  ["image/jpeg", "/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAAFAAcDASIAAhEBAxEB/9k=", 7, 5],
];

const file = (base64: string, type = "application/octet-stream", name = "x.bin") =>
  new File([Buffer.from(base64, "base64")], name, { type });
const publish = (text: string, attachment?: Blob) =>
  setting.call(
    "POST",
    "posts",
    form({ account_id: account, text, ...(attachment ? { attachments: attachment } : {}) }),
  );
const read = (id: string) => setting.call("GET", `posts/${id}?account_id=${account}`);

describe("a post", () => {
  test("has counters that only grow, the same for the same post at the same instant", async () => {
    const { post_id: id } = (await publish("Our news")).body;
    const counts = [];
    for (let hour = 0; hour < 48; hour += 6) {
      await setting.advance(6 * HOUR);
      const { impressions_counter: seen, reaction_counter: liked } = (await read(id)).body;
      counts.push([seen, liked]);
    }
    expect(counts).toEqual(counts.toSorted(([a = 0], [b = 0]) => a - b));
    expect(counts[0]?.[0]).toBeGreaterThan(0);
    expect(counts.at(-1)?.[0]).toBeGreaterThan(2 * (counts[0]?.[0] ?? 0));
    expect(counts.at(-1)?.[1]).toBeLessThan(counts.at(-1)?.[0] ?? 0);
  });

  test("has 3,000 characters at most, and one at least", async () => {
    expect((await publish("ü".repeat(3000))).status).toBe(201);
    expect(refusal(await publish("ü".repeat(3001)))).toBe("400 too_many_characters");
    expect(refusal(await publish(""))).toBe("400 missing_parameters");
  });

  test("of a foreign or no account is refused", async () => {
    const fields = { text: "x" };
    expect(refusal(await setting.call("POST", "posts", form(fields)))).toBe(
      "400 missing_parameters",
    );
    expect(
      refusal(await setting.call("POST", "posts", form({ ...fields, account_id: "none" }))),
    ).toBe("404 resource_not_found");
    expect(refusal(await read("7000000000000000000"))).toBe("404 resource_not_found");
  });

  test("that its owner removed is gone", async () => {
    const { post_id: id } = (await publish("Our news")).body;
    await setting.page("POST", `posts/${id}/remove`);
    expect(refusal(await read(id))).toBe("404 resource_not_found");
    expect((await setting.page("POST", `posts/${id}/remove`)).status).toBe(409);
  });

  test("is one of many, listed page by page", async () => {
    for (const text of ["one", "two", "three"]) {
      await publish(text);
      await setting.advance(DAY);
    }
    const me = (await setting.call("GET", `users/me?account_id=${account}`)).body.provider_id;
    const page = (more: string) =>
      setting.call("GET", `users/${me}/posts?account_id=${account}${more}`);
    const first = (await page("&limit=2")).body;
    const second = (await page(`&cursor=${first.cursor}`)).body;
    const texts = [...first.items, ...second.items].map(({ text }) => text);
    expect(texts).toEqual(["three", "two", "one"]);
  });
});

describe("an image", () => {
  test.each(PICTURES)(
    "is %s by its bytes, whatever it is called",
    async (type, content, width, height) => {
      const { post_id: id } = (await publish("Look", file(content, "text/html", "x.html"))).body;
      const { attachments } = (await read(id)).body as unknown as {
        attachments: { url: string }[];
      };
      expect(attachments).toMatchObject([
        { type: "img", mimetype: type, size: { width, height }, unavailable: false },
      ]);
      const response = await fetch(attachments[0]?.url ?? "");
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(content);
    },
  );

  test.each([
    ["a page", Buffer.from("<script>alert(1)</script>")],
    ["nothing", Buffer.alloc(0)],
    ["a drawing of text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a cut png", Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ])("that is %s is refused, and nothing is published", async (_, bytes) => {
    const refused = await publish("Look", new File([bytes], "a.png", { type: "image/png" }));
    expect(refusal(refused)).toBe("415 unsupported_media_type");
    expect(setting.part.posts()).toEqual([]);
    expect(setting.part.acts("post")).toEqual([]);
  });

  test.each(["/9j/", "/9j/4AAQ", "/9j//9j//9j//9j//9j//9j/", "UklGRhoAAABXRUJQ"])(
    "that breaks off (%s) has no size and harms nobody",
    async (content) => {
      const { post_id: id } = (await publish("Look", file(content))).body;
      expect((await read(id)).body).toMatchObject({
        attachments: [{ size: { width: 0, height: 0 } }],
      });
    },
  );
});
