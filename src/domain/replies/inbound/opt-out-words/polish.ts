import type { OptOutWords } from "./language.ts";

const MAIL =
  "(mail|maila|maili|maile|mailami|e-?maili|e-?maile|wiadomości|wiadomościami|ofert|oferty|ofertami|newslettera|newsletterów|reklam|spamu|spam|informacji|korespondencji|kontaktu)";
const MINE =
  "(mnie|nas|mój (adres|e-?mail|mail|kontakt)|mojego (adresu|e-?maila|maila|kontaktu)|moje (dane|dane osobowe)|moich danych|nasz adres|nasze dane|naszego adresu|naszych danych)";
const LIST =
  "(list|listy|listę|bazy|baz|bazę|bazie|newslettera|subskrypcji|mailingu|rejestru|systemu|bazy danych)";
const WRITE =
  "(pisać|pisania|pisz|piszcie|wysyłać|wysyłania|wysyłaj|wysyłajcie|przysyłać|przysyłajcie|przesyłać|kontaktować|kontaktowania|kontaktuj|kontaktujcie|nękać|spamować|niepokoić|odzywać)";

export const polish: OptOutWords = {
  alone:
    "wypisz( (mnie|nas))?|wypisuję się|wypisać|wypisanie|stop|usuń( (mnie|nas))?|anuluj subskrypcję|proszę (mnie )?(wypisać|usunąć)|żadnych (maili|wiadomości)",
  courtesies: "proszę|dziękuję|dzięki|natychmiast|dzień dobry|witam|mnie|bardzo proszę",
  asks: [
    "nie (chcę|chcemy|życzę) (sobie )?(być |żeby |aby |żebyście |abyście |by )(… ){0,3}(kontaktowan…|nagabywan…|pisali|pisał…|wysyłali|kontaktowali|niepokojon…)",
    `(proszę|prosimy|żądam|wnoszę) o (… )?(usunięcie|wypisanie|skreślenie|wykreślenie|nieprzesyłanie|niewysyłanie|niekontaktowanie) … (${LIST}|${MAIL}|mnie|nas|się)`,
    `(przesta…|zaprzesta…) (mi |nam |mnie |do mnie )?(… )?(wysyłać|przysyłać|pisać|spamować)`,
    `(usuń…|usun…|wypisz…|wypisać|wypisani…|skreśl…|wykreśl…|usunąć) ${MINE}( (natychmiast|proszę|od razu))*( (z|ze) … ${LIST}|$)`,
    `${MINE} (natychmiast )?(usunąć|wypisać|skreślić|wykreślić)( (z|ze) … ${LIST}|$)`,
    `(usun…|usuń…|wypis…|skreśl…|wykreśl…) (… ){0,2}(mojego adresu|moich danych|mój adres|moje dane|naszego adresu|naszych danych|nasz adres)`,
    `o (usunięcie|wypisanie|wykreślenie|skreślenie) ${MINE}`,
    `nie (… )?${WRITE}( …){0,3} (więcej|nigdy|mi|mnie|do mnie|do nas|już)`,
    `(więcej|nigdy|już|mnie|mną|nami|nas) (… )?nie ${WRITE}`,
    `nie (kontaktować|kontaktuj…) się( ze mną| z nami| więcej)?`,
    `(do mnie|do nas|mi|nam) (… )?(więcej )?nie ${WRITE}`,
    `(proszę|prosimy) (… )?nie ${WRITE}( …){0,2}( ${MAIL}| do mnie| do nas| mi)?$`,
    `nie (chcę|chcemy|życzę|życzymy|zyczę)( sobie)? (… )?(otrzymywać|dostawać|takich|więcej|żadnych|kontaktu|${MAIL})( …){0,4}( ${MAIL})?`,
    `(przesta…|zaprzesta…|skończ…|koniec) (… ){0,3}(${WRITE}|wysyłani…|kontakt…|spamow…|przysyłani…|nękani…|pisani…)`,
    "(chcę|chciał…|pragnę|jak) (… )?(się )?(wypisać|zrezygnować|wyrejestrować)( się)?",
    "rezygnuj… z (subskrypcji|newslettera|otrzymywania|dalszej|mailingu)",
    "(wycofuj…|cofam|odwołuj…) (… )?(zgod…)|sprzeciwiam się|wnoszę sprzeciw",
    `^(proszę )?(żadnych|bez|koniec) (więcej |kolejnych |dalszych )?${MAIL}$`,
    "(dajcie|daj) (mi|nam) (… )?spokój",
  ],
  other: [
    "nie (usuw…|wypis…|skreśl…)|w każdej chwili|konto|konta",
    "(chcemy|chciel…|zamierzamy|planujemy) (przesta…|skończ…|zaprzesta…)|kampani…|planu|stron…|dzwonić, lepiej",
    "(kopii|cc|dw|spotkani…|wydarzeni…|gości|zaproszeni…|kalendarz…|umow…|logo|zdjęci…|strony|akapit…|załącznik…|punkt|webinar…|oczekujących|rezerwow…)",
    "(użytkownicy|klienci|odbiorcy|subskrybenci|ludzie|oni|kontakty)( …){0,4} (wypis…|rezygn…|prosz…|chc…|się)",
    "wypisują|(link|wskaźnik|przycisk|strona|formularz) (do )?(wypis…|rezygnacji)|wypisów",
    "nie (trzeba|musi…|potrzeba|należy) (… )?(wypis…|usuw…)|nie (wypisuj|usuwaj|przestawaj…)",
    "nie (wysyłamy|piszemy|dostał…|otrzymał…|otrzymuj…|dostaj…)|przestali(śmy)?|przestałem",
    "przesta… się (martwić|zastanawiać)|nie chcę (dłużej|już) czekać",
  ],
  narrower: [
    "do (stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|końca|poniedziałku)|na razie|przed|w tym (tygodniu|miesiącu|roku)",
    "tak (często|dużo|wiele)|pdf…|faktur…",
  ],
  elsewhere: [
    "zamiast|lepiej|raczej|zadzwoń|zadzwonić|dzwonić|telefonicznie|przez whatsapp|inny adres",
  ],
  hints: [
    "wypisa…|wypisz…|subskrypcj…|rezygnuj…|rezygnacja",
    `nie (… ){0,2}${WRITE}`,
    "rodo|spam…|niezamówion…",
    "(usuńcie|usuń|usunąć) (mnie|nas)",
    "skąd (macie|mają|ma pan…) mój",
  ],
};
