import type { Address } from "./address.ts";

/*
 * What people type to get past a form. Refused for good, so nothing may stand here that could be
 * a real name or initials: no John Doe, no three letters, no runs of digits (QQ's addresses are numbers).
 */

const LOCAL_PARTS = new Set(
  (
    "test tests testing tester test1 test2 test123 testtest test.test testuser test.user asdf asdfg asdfgh asdfghjkl asdfasdf " +
    "qwer qwert qwerty qwertz qwertyuiop azerty zxcv zxcvb zxcvbn zxcvbnm yxcvbnm wasd hjkl foobar foo.bar " +
    "abcd abcde abcdef abc123 aaaa blah blabla blablabla dummy fake none null undefined void " +
    "n/a example sample ejemplo exemple beispiel esempio exemplo voorbeeld placeholder username user.name " +
    "yourname your.name your_name your-name youremail your.email your_email your-email youraddress myemail my.email myname my.name " +
    "first.last firstname.lastname first_last firstname_lastname firstname lastname first.name last.name fname lname " +
    "name.surname vorname.nachname prenom.nom nombre.apellido nome.cognome nome.sobrenome someone somebody anyone nobody " +
    "email.address emailaddress e-mail no.email noemail no-email nomail no.mail nospam spam invalid"
  ).split(" "),
);

/** Names that stand for a domain in forms and documents, whatever their ending. */
const DOMAIN_LABELS = new Set(
  "yourdomain your-domain yourcompany your-company yourwebsite yoursite mydomain mycompany somedomain domainname companyname".split(
    " ",
  ),
);
/** Real domains, but not meant after one of the local parts below. */
const STAND_IN_LABELS = new Set("domain company email mail website site foo bar test".split(" "));
const STAND_IN_LOCALS = new Set(
  "name email mail user you me your first last firstname lastname abc a foo bar".split(" "),
);

/** Whether the address was made up to fill a form. */
export function isPlaceholder({ local, domain }: Address): boolean {
  const name = local.toLowerCase();
  const label = domain.split(".").at(-2)!;
  return (
    LOCAL_PARTS.has(name) ||
    // One character again and again: `aaaa`, `......` cannot be.
    /^(\p{L})\1{3,}$/u.test(name) ||
    DOMAIN_LABELS.has(label) ||
    (STAND_IN_LABELS.has(label) && STAND_IN_LOCALS.has(name)) ||
    // a@a.com
    (name.length === 1 && name === label)
  );
}
