import { expect, test } from "vitest";
import { foldClient, foldMailbox } from "#src/domain/research/prospects/opt-out-marks.ts";

test.each([
  ["a@b.zz", "a@b.zz"],
  ["a+tag@b.zz", "a@b.zz"],
  ["a+t+u@b.zz", "a@b.zz"],
  ["a+@b.zz", "a@b.zz"],
  ["+tag@b.zz", "+tag@b.zz"],
  ["a.b-c@b.zz", "a.b-c@b.zz"],
  ["a.b+c@gmail.com", "ab@gmail.com"],
  ["a.b@googlemail.com", "ab@gmail.com"],
])("%s is the mailbox %s", (address, mailbox) => expect(foldMailbox(address)).toBe(mailbox));

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "20010db800010002/64"],
  ["2001:db8:1:2::", "20010db800010002/64"],
  ["2001:DB8:1:2::1", "20010db800010002/64"],
  ["unknown", "unknown"],
])("%s asks as %s", (address, client) => expect(foldClient(address)).toBe(client));
