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
    "usunąć|usunięcie|wypisać (mnie|nas)|wypisuję|rezygnacja|dość|wystarczy|przestańcie|przestań|nie piszcie( więcej)?|nie pisz( więcej)?|nie kontaktować( się)?|usuń moje dane|usunąć (mnie|dane)|wypisz z listy|koniec|unsubscribe|zrezygnuj|rezygnuję z newslettera|nie przysyłać|anuluj|sprzeciw|odmawiam kontaktu|kasuj|skasuj|wypisz( (mnie|nas))?|wypisuję się|wypisać|wypisanie|stop|usuń( (mnie|nas))?|anuluj subskrypcję|proszę (mnie )?(wypisać|usunąć)|żadnych (maili|wiadomości)",
  courtesies:
    "nie|nie dziękuję|nie jestem zainteresowan[ya]|pozdrawiam|z poważaniem|ok|już|z listy|państwo|szanowni państwo|hej|cześć|proszę|dziękuję|dzięki|natychmiast|dzień dobry|witam|mnie|bardzo proszę",
  together: [
    "(nie) & (chc…|życz…|zgadza…|zamierza…|godz…) & (być|figurować|widnieć|znajdować|pozostawać|istnieć) & (baz…|list…|rejestr…|system…|mailing…|ewidencj…)",
    "(wywal…|wyrzuć…|zniszcz…|zgub…|skasuj…|zapomnij…) & (mój|moje|nasz|nasze|moj…) & (adres…|mail…|dane|numer…|kontakt…|nazwisk…)",
    "(jeśli|jak|jeszcze|kolejn…|następn…) & (raz|mail…|wiadomoś…|napisz…|wyśle…) & (zgłosz…|zablok…|prawnik…|uodo|spam|polic…|skarg…)",
    "(usun…|usuń…|skasow…|skasuj…|wykreśl…|wymaż…|wypisz…|wypis…) & (go|ją|jego|jej|ich|mnie|nas|ten) & (prosz…|natychmiast|adres…|dane|z list…|bazy|już|stąd)",
    "(usunięci…|wykreśleni…|skreśleni…|wypisani…|skasowani…) & (list…|baz…|adres…|danych|rejestr…|mailing…|mnie|nas) & (prosz…|prosi…|wnosz…|żąda…|domaga…)",
    "(prosz…|prosi…|byłbym|byłabym|byłoby|wdzięczn…|chc…|życz…|żąda…|nalega…|kazał…|każe|dziękuj…|przekaz…|polece…) & (przesta…|zaprzesta…|nie|żadn…|nigdy|więcej|oszczędz…|daruj…|odpuśc…) & (pis…|wysył…|przysył…|przesył…|kontakt…|mail…|mejl…|wiadomoś…|ofert…|reklam…|otrzym…|dosta…|nęka…|korespondencj…) & (więcej|już|nigdy|nam|mi|do nas|do mnie|tych|takich|tego|dalszych|kolejnych|żadnych|na)",
    "(oszczędz…|daruj…|odpuść…) & (mi|nam|sobie|mu|jej) & (mail…|mejl…|wiadomoś…|ofert…|reklam…|te|tych|kolejnych|dalszych)",
    "(usuń…|usun…|wypis…|skreśl…|wykreśl…|skasuj…|wyrzuć…) & (szkoł…|przychodni…|gabinet|biuro|firmę|sklep|parafi…|przedszkole|aptek…|tatę|ojca|mamę|szefa|adres|nazwisko|naszą|naszego) & (z|ze) & (list…|baz…|wasz…|swoj…|systemu|mailingu|rejestru|państwa)",
    "(moje|nasze|mój|nasz|jego|jej) & (nazwisk…|adres…|dane|danych|mail…|numer…) & (znik…|usunięt…|skasowan…|wykreślon…|zniknąć) & (list…|baz…|system…|ma|mają|proszę|chcę|wasz…)",
    `(usuń…|usun…|wypis…|wypisz…|skreśl…|wykreśl…|skasuj…|wywal…|wyrzuć…|zabierz…|zdejm…) & ${MINE} & (z|ze|stąd|stamtąd) … (tego|tej|tych|listy|bazy|waszej|swojej|stąd|wszystk…|wysyłki|mailingu|systemu|rejestru)`,
    "(nie) & (życzy|życzą|życzymy|życzę|chce|chcą|życzyłby|życzyłaby) & (sobie|takich|podobnych|więcej|dalszych|kolejnych|żadnych) & (ofert|wiadomości|maili|mejli|kontaktu|propozycji|korespondencji|reklam|otrzymywać|dostawać|informacji|pisania)",
    "(usuń…|usun…|skasuj…|zniszcz…|wykasuj…) & (wszystk…|wszelkie|całość) & (o mnie|o nas|na mój temat|macie|państwo ma…|posiada…|przechowuj…|dane|danych)",
    "(skasuj…|skasowa…|usun…|usuń…|wykreśl…|wymaz…) & (ten|tego|tych|te) & (adres…|mail…|e-?mail…|kontakt…|dane|danych|numer…)",
    `(usuń…|usun…|wypis…|skreśl…|wykreśl…|usunąć|wyrzuć…|zdejm…|wymaż…|zablok…|wyłącz…|usunięci…) & ${MINE} & (z|ze|na|w|od) … ${LIST}`,
    "(usuń…|usun…|usunię…|usunąć|wymaż…|skasuj…|zniszcz…|wykreśl…|skasowa…|usuwan…) & (mój|mojego|moje|moich|nasz…|wszystk…|danych|swoich) & (dane|danych|adres…|e-?mail…|mail…|kontakt…|numer…|nazwisk…)",
    "(żąda…|wnosz…|domag…|wzyw…|proszę o|wnioskuj…|prosz…) & (usunięci…|zaprzestani…|wykreśleni…|zaniechani…|niekontaktowani…|nieprzesyłani…|niewysyłani…|wypisani…|zaprzestać)",
    "(dopis…|wpis…|dodaj…|umieś…) & (czarn… list…|listę robinsona|list… (zablokowanych|wykluczeń|sprzeciwu))",
    "(przesta…|zaprzesta…|skończ…|zakończ…|koniec|dość|stop|zaniech…|wstrzymaj…|wstrzymać|powstrzym…|rezygnuj…|rezygnacj…|odczep…|basta|daruj…) & (pis…|wysył…|przysył…|przesył…|mail…|e-?mail…|wiadomoś…|spam…|kontakt…|ofert…|reklam…|nęka…|zawraca…|newsletter…|otrzymywani…|korespondencj…|przypomnie…|informacj…)( (mi|mnie|nam|do|tych|z|na|od|już|więcej|ze|natychmiast|wiadomości|maili|handlow…|reklam…|ofert…|marketingow…|bo|$)|$)",
    "(nie|żadn…|nigdy) & (chc…|życz…|zgadza…|wyraża…|wyrazi…|zamierza…|potrzebuj…|prosi…|prosz…|zgody) & (mail…|e-?mail…|wiadomoś…|kontakt…|ofert…|reklam…|otrzymywa…|dostawa…|korespondencj…|informacj…|pisa…|wysyła…|niepokoj…|nękan…|marketing…|zgod…)( (od|więcej|już|do|w|na|ze|z|państwa|dalszych|takich|tych|mi|mnie|handlow…|$)|$)",
    "(nie|nigdy) & (więcej|już|nigdy|ponownie|przyszłości|kolejn…|dalszych) & (pis…|wysył…|przysył…|przesył…|kontakt…|mail…|niepoko…|nęka…|dzwon…|odzywa…)",
    "(zapomn…|zgub…) & (mój|moim|mojego|moje|mnie|o) & (adres…|mail…|e-?mail…|numer…|istnieni…|mnie|nas)",
    "(nie|brak|bez|cofa…|wycof…|nigdy) & (zgod…) & (mojej|wyrazi…|wyraża…|dawa…|dał…|moją|mam|na|udzieli…|naszej)",
  ],
  rights: [
    "(rodo|gdpr|uodo|ustaw…|art|artykuł…|uokik) & (sprzeciw…|cofa…|wycof…|żąda…|usunię…|usun…|zgod…|skarg…|wnosz…|zaprzesta…)",
    "(sprzeciw…) & (przetwarzani…|wobec|marketing…|wysyłani…|wnosz…|zgłasza…|profilowani…)",
  ],
  reasons: [
    "(zł…|niewłaściw…|nie ta) (osob…|adres…|numer…)|pomył…|(prywatn…|emeryt…)|(nigdy|nie) … (zapisywa…|zamawia…|prosił…|zgadza…|wyraża…|wyrazi…)",
    "(drugi|trzeci|czwarty|piąty|ostatni|kolejny|2|3|enty) raz|(już|kilka razy|dwa razy|trzy razy|wielokrotnie) … (prosił…|mówił…|pisał…)|ostatnie (ostrzeżenie|wezwanie)",
    "spam|rodo|uodo|prawnik…|nękani…|nielegaln…|niechcian…|skarg…|zgłosz…|zgłosił…|policj…|adwokat…",
  ],
  offers: [
    "(przestan…|nie będę … (pisa…|niepoko…|wysyła…|zawraca…)|więcej nie|zaprzestan…|usun…|dam spokój|już nie (napisz…|będ…)|nie napisz…|zamilkn…|nie będziemy)",
  ],
  yes: "(tak|ok|dobrze|zgadza|jasne|poproszę|owszem|dokładnie|oczywiście|proszę)( (proszę|poproszę|bardzo|dziękuję|tak|zrobić|niech|pan|pani|przestanie|się|wolę|wolałbym|wolałabym|właśnie|będzie|najlepiej|lepiej|dobrze|zgadza|o|to|chętnie|dzięki|i)){0,7}|(wolę|wolałbym|wolałabym)( tak| nie| proszę| to)*|tak będzie (lepiej|najlepiej)",
  asks: [
    "(dajcie|daj|dajże) (mi |nam |już |wreszcie |w końcu |sobie )*spokój",
    `^(proszę |bardzo proszę |i |to )*(żadnych|bez|koniec z|koniec|dość|stop|ani jednego|ani jednej) … ${MAIL}( (proszę|dziękuję|od|na|więcej|dla)( [^ ]+){0,4})?$`,
    "(nadal|wciąż|ciągle|dalej) … (dostaj…|otrzymuj…|przychodz…) … (mail…|wiadomoś…|to|je|od|wasz…|ofert…|spam…|te)",
    "^(proszę |no |to |i |już )*(przestańcie|przestań|dość|dość tego|wystarczy|odczepcie się|spadajcie|zostawcie (mnie|nas)|dajcie (mi|nam) … spokój|koniec|basta|zaprzestańcie|odwalcie się|spieprzajcie)( (już|proszę|wreszcie|natychmiast|w spokoju|w końcu|z tym))*$|zostaw(cie)? (mnie|nas) w spokoju",
    "(prosi|życzy|życzą|woli|żąda|proszą) (sobie )?… (nie|niekontaktowanie|zaprzestanie)( [^ ]+){0,4} (kontakt…|pisa…|wysyła…|niepokoi…|mail…)|nie życzy sobie",
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
    "papier…",
    "(nasi|naszych|naszym|wasi) klien…|narzędzi…|oprogramowan…|wasz… (system|produkt)|oferujemy",
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
    "(?<!nie )(proszę )?pisać do mnie|(odszedł|odeszła|na emeryturze|na macierzyńskim|nie pracuje)|przejąłem|przejęłam|teraz ja|następc…",
    "zamiast|lepiej|raczej|zadzwoń|zadzwonić|dzwonić|telefonicznie|przez whatsapp|inny adres",
  ],
  hints: [
    "rzadziej|mniej (maili|wiadomości|często)|(raz|1 raz) (w|na) (miesiąc…|miesiącu|kwartał|rok)|znowu (wy|pan|pani)|(męczące|denerwuj…|irytuj…)|(tylko|jedynie) (jeśli|gdy|kiedy|jak)",
    "wypisa…|wypisz…|subskrypcj…|rezygnuj…|rezygnacja",
    `nie (… ){0,2}${WRITE}`,
    "rodo|spam…|niezamówion…",
    "(usuńcie|usuń|usunąć) (mnie|nas)",
    "skąd (macie|mają|ma pan…) mój",
  ],
};
