import { plainSpelling } from "./letters.ts";
import type { PersonName } from "./read-name.ts";

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** In a-z. Fourteen of them are the names of nine of ten people. */
const FAMILY = setOf(
  "nguyen tran le pham huynh hoang phan vu vo dang bui do ho ngo duong ly dinh truong trinh doan luong mai dao ta cao chau thai",
);
/** Words that stand in front of a Vietnamese first name and are none of another language's. */
const IN_FRONT = setOf(
  "thi van thu duc quang thanh ngoc minh huu xuan quoc cong dinh tuan hoang phuong bich kim my hong tuyet hai anh gia bao khanh trong the viet",
);
/** Letters that no other language has. */
const LETTERS = /[ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/i;

const isFamily = (word: string | undefined): boolean =>
  word !== undefined && FAMILY.has(plainSpelling(word));

/**
 * Whether of several first names the last one is the person's own, as with Trần Thị Thu Hà: the words before it tell
 * sex and generation.
 */
export function isVietnamese({ given, particles, family }: PersonName): boolean {
  if (particles.length > 0 || family.length !== 1 || given.length < 2 || !isFamily(family[0]))
    return false;
  return (
    LETTERS.test([...given, ...family].join("").normalize("NFC")) ||
    given.slice(0, -1).every((word) => IN_FRONT.has(plainSpelling(word)))
  );
}

/** The family name, which stands first there, in the field of the first name: "Bùi" "Ngọc Lan". */
export function isTurnedAround({ given, family }: PersonName): boolean {
  return (
    given.length === 1 &&
    family.length > 1 &&
    isFamily(given[0]) &&
    !isFamily(family.at(-1)) &&
    isVietnamese({ given: family, calledBy: null, particles: [], family: given })
  );
}
