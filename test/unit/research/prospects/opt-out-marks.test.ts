import { expect, test } from "vitest";
import { foldMailbox } from "#src/domain/research/prospects/opt-out-marks.ts";

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
