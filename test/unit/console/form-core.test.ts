import { expect, test } from "vitest";
import { Problem } from "../../../src/console/api/problem.ts";
import { createForm, type Kept } from "../../../src/console/pure/form-core.ts";

interface Values {
  name: string;
  zone: string;
  password: string;
}

const asRead: Values = { name: "Nordwind", zone: "Europe/Berlin", password: "" };

function begin(initial = asRead, etag: string | null = "1", stored: string | null = null) {
  const storage = { text: stored };
  const kept: Kept = { read: () => storage.text, write: (text) => (storage.text = text) };
  const form = createForm(initial, { etag, secrets: ["password"], kept });
  return { form, storage };
}

test("while nothing is typed a form is what the record is", () => {
  const { form } = begin();
  form.offer({ ...asRead, name: "Nordwind AG" }, "2");
  expect([form.values.value.name, form.etag, form.isChanged()]).toEqual([
    "Nordwind AG",
    "2",
    false,
  ]);
});

test("what is typed stays, with the tag it began with, until it is given up", () => {
  const { form, storage } = begin();
  form.set("name", "Nord");
  form.offer({ ...asRead, zone: "UTC" }, "2");
  expect([form.values.value, form.etag]).toEqual([{ ...asRead, name: "Nord" }, "1"]);
  expect(form.changes()).toEqual({ name: "Nord" });
  form.discard();
  expect([form.values.value.zone, form.etag, form.isChanged()]).toEqual(["UTC", "2", false]);
  expect(storage.text).toBeNull();
});

test("it is kept over a reload with its tag, but for secrets, and not when it is as it was", () => {
  const { form, storage } = begin();
  form.set("password", "hunter2");
  form.set("name", "Nord");
  expect(storage.text).not.toContain("hunter2");
  const again = begin({ ...asRead, zone: "UTC" }, "2", storage.text).form;
  expect([again.values.value.name, again.values.value.password, again.etag]).toEqual([
    "Nord",
    "",
    "1",
  ]);
  form.set("password", "");
  form.set("name", asRead.name);
  expect(storage.text).toBeNull();
});

test.each(["", "{", "7", "null", '{"values":7}'])(
  "what was kept otherwise is nothing: %s",
  (text) => {
    expect(begin(asRead, "1", text).form.values.value).toEqual(asRead);
  },
);

test("what was sent is no longer kept; what failed is, and says where", async () => {
  const { form, storage } = begin();
  form.set("zone", "Mars");
  const refused = new Problem(422, "VALIDATION_ERROR", "It does not fit.", {
    faults: [
      { at: "zone", message: "is no zone" },
      { at: "zone/offset", message: "is odd" },
      { at: "zones", message: "is another" },
    ],
  });
  expect(await form.send(() => Promise.reject(refused))).toBe(false);
  expect(form.faultsOf("zone").map(({ message }) => message)).toEqual(["is no zone", "is odd"]);
  expect(storage.text).toContain("Mars");
  expect(await form.send(async () => {})).toBe(true);
  expect([storage.text, form.isChanged(), form.problem.value]).toEqual([null, false, undefined]);
  form.offer({ ...asRead, zone: "Europe/Paris" }, "3");
  expect(form.values.value.zone).toBe("Europe/Paris");
});

test("what is typed while it is on its way is still to be sent, and nothing is sent twice", async () => {
  const { form } = begin();
  form.set("name", "A");
  let release = () => {};
  const sending = form.send(() => new Promise<void>((resolve) => (release = resolve)));
  expect(await form.send(async () => {})).toBe(false);
  form.set("name", "AB");
  release();
  expect(await sending).toBe(true);
  expect([form.isChanged(), form.values.value.name]).toEqual([true, "AB"]);
  // Given up it is as it was saved.
  form.set("name", "A");
  expect(form.isChanged()).toBe(false);
});

test("what another changed is told beside what was typed, and nothing is overwritten before a choice", () => {
  const { form, storage } = begin();
  form.set("name", "Nord");
  form.offer({ name: "Nordwind AG", zone: "UTC", password: "" }, "2");
  const told = [
    { name: "name", before: "Nordwind", now: "Nordwind AG", typed: "Nord" },
    { name: "zone", before: "Europe/Berlin", now: "UTC" },
  ];
  expect(form.differences()).toEqual(told);
  // The same after a reload, whose record is the newer one.
  const again = begin({ name: "Nordwind AG", zone: "UTC", password: "" }, "2", storage.text).form;
  expect([again.differences(), again.changes(), again.etag]).toEqual([told, { name: "Nord" }, "1"]);
  again.rebase("name");
  expect([again.values.value.name, again.isChanged(), again.etag]).toEqual([
    "Nordwind AG",
    false,
    "2",
  ]);
  form.rebase();
  expect([form.values.value, form.changes(), form.etag]).toEqual([
    { name: "Nord", zone: "UTC", password: "" },
    { name: "Nord" },
    "2",
  ]);
});

test("a secret that was sent is emptied, and what was saved is saved: two saves go one after the other", async () => {
  const { form, storage } = begin();
  const tags: (string | null)[] = [];
  const save = () => form.send(async () => void tags.push(form.etag));
  form.set("name", "Nord");
  form.set("password", "hunter2");
  await save();
  expect([form.values.value, form.isChanged(), storage.text]).toEqual([
    { ...asRead, name: "Nord" },
    false,
    null,
  ]);
  form.offer({ ...asRead, name: "Nord" }, "2");
  form.set("zone", "UTC");
  expect(form.changes()).toEqual({ zone: "UTC" });
  await save();
  expect(tags).toEqual(["1", "2"]);
});

test("a secret that is typed while another is on its way is still to be sent", async () => {
  const { form } = begin();
  form.set("password", "hunter2");
  await form.send(async () => form.set("password", "hunter3"));
  expect([form.values.value.password, form.changes()]).toEqual([
    "hunter3",
    { password: "hunter3" },
  ]);
});

test("what its sending gives up is as it was read, each time", async () => {
  const { form, storage } = begin();
  for (const name of ["A", "B"]) {
    form.set("name", name);
    await form.send(async () => form.discard());
    expect([form.values.value, form.isChanged(), storage.text]).toEqual([asRead, false, null]);
  }
});
