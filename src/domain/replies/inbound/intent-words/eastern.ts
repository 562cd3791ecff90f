import type { IntentWords } from "./intent-language.ts";

export const polish: IntentWords = {
  yesByNo: [
    "(nie ma|żaden|bez|żadnych) (problemu|problem|sprawy|przeciwwskazań|zastrzeżeń)|(czemu|dlaczego) nie|nie (mówię|powiem|powiedział…) … nie|nie (mam|widzę) (nic )?(przeciwko|przeciw|przeszkód|problemu)|nic … (przeciwko|do stracenia)|nie mogę się doczekać|nieźle|nie (jest |brzmi )?(źle|najgorzej)",
  ],
  later: [
    "(teraz|obecnie|na razie|w tej chwili|aktualnie|w tym roku|w tym kwartale|w tym miesiącu|chwilowo|póki co|dziś) … (nie|brak|niestety|ciężko|trudno)|(nie|brak) … (teraz|obecnie|na razie|w tej chwili|aktualnie|w tym roku|w tym kwartale|jeszcze|chwilowo|póki co)|jeszcze nie|za wcześnie|później|(może|być może) … (później|kiedyś|przyszł…|za|w|po)|kiedyś|innym razem",
    "(wróc…|wraca…|zadzwoń…|odezw…|odezwa…|pisz…|napisz…|kontakt…|skontakt…|porozmawia…|pogada…|przypomn…|spróbuj…|zapyta…|zapytaj…|proszę|dzwon…|rozmow…|spotka…) & (w|po|za|od|na|przed|jak|gdy|kiedy|dopiero|pod|około|początk…|ponownie) & (stycz…|lut…|marc…|kwietni…|maj…|czerwc…|lipc…|sierpni…|wrześni…|październik…|listopad…|grudni…|kwarta…|rok…|wiosn…|lat…|lec…|jesie…|zim…|wakacj…|święt…|nowym|miesi…|tygodni…|urlop…|przyszł…|sezon…|później|jak|gdy|inwentaryzacj…|targ…|półrocz…|wielkanoc…)",
    "(budżet…|środk…|pieniędz…|pieniąd…) & (nie|brak|wyczerpan…|zamknięt…|zamrożon…|przyszł…|dopiero|wydan…|skończ…)|(umow…|kontrakt…|abonament|związan…|licencj…) & (do|kończy|wygasa|jeszcze|obowiązuje|trwa)|(za dużo|mnóstwo|masa) (pracy|roboty)|(zawalen…|zarobien…|zajęci|zajęty|zajęta|urwanie głowy)|(nie mam|nie mamy|brak) czasu|(zły|nie … dobry|niedobry|nie … najlepszy) (moment|czas)|nie jest … priorytet…|dopiero (po|w|od|za)|(po|od) (nowym roku|świętach|wakacjach|urlopie|sezonie|wielkanocy|feriach|inwentaryzacji|przeprowadzce)|(przyszł…|następn…) (rok…|kwarta…|miesi…|sezon…|półrocz…)|za (miesiąc|dwa|trzy|kilka|pół|rok|parę|cztery|sześć)( [^ ]+)?",
  ],
  no: [
    "(nie|żadn…|brak) … (zainteresowan…|interesuj…|potrzeb…|dziękuj…|dla nas|skorzysta…|planuj…|szukam…|chce…|zamierza…|dotyczy|pasuje|zmienia…|kupuj…|używa…|przekon…|jest nam|trzeba|zdecydow…)|nie( (dzięki|dziękuję|dziękujemy|ma|niestety|tym|jednak|bardzo))*|(ale|jednak|niestety|nadal|wciąż|odpowiedź|pozostaje|to|mimo) … nie|odmawia…|rezygnuj…|podziękuj…|zbędn…",
    "(mamy|mam|korzysta…|współpracuj…|używa…|jesteśmy|obsługuje) … (już|własn…|swoj…|stał…|zadowol…|dostawc…|rozwiązan…|zabezpiecz…|inn…|system|kogoś|partner…)|już (mamy|mam|korzyst…|wybra…|współprac…|posiada…)|(robimy|radzimy|zajmujemy|załatwiamy) … (sami|sobie|wewnętrzn…|własn…)|zostaj… … przy|wybral… inn…|zdecydowal… … (nie|inn…)",
  ],
  refer: [
    "(pisać|pisz…|kontakt…|zapyta…|zapytaj…|pyta…|dzwon…|zadzwoń…|rozmawia…|porozmawia…|przekaz…|przekaż…|przesył…|przesła…|skontaktow…|kieruj…|kierowa…|zwróc…|odsył…|przesyłam|proszę) & (do|z|ze|na|koleżan…|koleg…|mojego|mojej|mojemu|panem|panią|pana|pani) & (koleg…|koleżan…|szef…|kierownik…|dyrektor…|dział…|prezes…|właściciel…|menedżer…|manager…|centrala|centrali|central…|pan…|biur…|sekretariat…|it|zakup…|marketing…|księgow…|żon…|męż…|wspólnik…|zastępc…|następc…|magazyn…|administrac…|handlow…)",
    "(nie) … (moj… (działka|dział|obszar|sprawa|kompetencj…|zakres)|ja (się|o tym|decyduj…)|zajmuję się|do mnie|właściwa osoba|decyduję|odpowiadam|jestem osobą)|(zły|niewłaściw…|nie ten) (dział|adres|osoba)|(zajmuje|decyduje|odpowiada|prowadzi|zarządza|kupuje) … (się |o |za |tym |tą |to )*[^ ]+|(w|do) (kopii|dw|wiadomości)|przekaz(ał|uj|ał)…",
  ],
  praise: [
    "(brzmi|wygląda|wydaje|byłoby|jest|bardzo) … (dobrze|ciekawie|interesując…|świetnie|obiecując…|super|nieźle|fajnie|zachęcając…)|^(tak|jasne|oczywiście|chętnie|pewnie|dobrze|zgoda|poproszę|zapraszam|super|świetnie|umówmy|z chęcią|z przyjemnością|niech|proszę (zadzwonić|przesłać|wysłać|pokazać|o (ofertę|demo|prezentację|wycenę|kontakt|spotkanie|telefon)))",
  ],
  want: [
    "(zainteresowan…|interesuj…|ciekaw…|zaintrygow…|chętn…|super|świetn…|doskonal…|idealn…|rewelacj…)",
    "(proszę|prosimy|można|może|mogą|niech|poproszę|moglibyśmy|możemy|chcę|chcemy|chciał…|chętnie|zapraszam|umówmy) … (zadzwoń…|zadzwonić|przesłać|wysłać|pokaz…|pokaż…|pokazać|ofert…|demo|spotkan…|spotkać|prezentac…|porozmawiać|zobaczyć|wypróbować|przetestować|wycen…|szczegół…|informacj…|umówić|wiedzieć|dowiedzieć|przyjechać|podesłać|jutro|poniedział…|wtor…|środ…|czwart…|piąt…)|(podeślij|prześlij|wyślij|zadzwoń|pokaż|pokażcie|podeślijcie|dzwoń|dzwońcie|przesyłaj…|zadzwońcie|opowiedz|wysyłaj…)( [^ ]+)*|(w )?(poniedziałek|wtorek|środę|czwartek|piątek|jutro|przyszłym tygodniu) … (pasuje|o|rano|może|dobrze|odpowiada|przed|po|można|możemy|porozmawia…|\\d)|(porozmawia…|spotka…|zadzwoni…) … (w )?(poniedziałek|wtorek|środę|czwartek|piątek|jutro)|więcej (informacji|szczegółów)",
  ],
  ask: [
    "^(a |i |ale |dzień dobry |witam |cześć )*(kto|co|gdzie|skąd|kiedy|dlaczego|jak|ile|jaki|jaka|jakie|czy|czym|na czym|z kim|za ile|ilu|po ile|kim|jaką)( [^ ]+){0,60}$|(cena|ceny|cennik|koszt|koszty|kosztuje|referencj…|skąd)",
  ],
};

export const russian: IntentWords = {
  yesByNo: [
    "(нет|без|никаких|не вопрос) (проблем…|возражени…|вопрос…|препятствий)|(почему бы|отчего) (и )?нет|не (скажу|говорю) … нет|не (вижу|имею|будет|имеем) … (препятстви…|возражени…|проблем…|причин)|ничего … против|не против|не откаж…|нечего терять|жду не дождусь|неплох…|не помешает",
  ],
  later: [
    "(сейчас|пока|в данный момент|на данный момент|в этом году|в этом квартале|в этом месяце|сегодня|в настоящее время) … (не|нет|неактуальн…|неинтересно|сложно|неудобно|рано)|(не|нет|неактуальн…|неудобно) … (сейчас|пока|в данный момент|на данный момент|в этом году|в этом квартале|еще)|пока (не|нет)|еще не|рано|позже|попозже|потом|(может|возможно) … (позже|потом|когда-нибудь|следующ…|в|через|весной|осенью|летом)|когда-нибудь|в другой раз",
    "(верн…|возвращ…|напиш…|пиши…|позвон…|звони…|свяж…|обрат…|обращ…|поговор…|напомн…|попроб…|спрос…|обсуд…|созвон…|давайте|приход…|вернемся) & (в|после|через|с|к|на|до|когда|если|ближе|начале|конце|следующ…|весной|осенью|летом|зимой) & (январ…|феврал…|март…|апрел…|ма[йяею]|июн…|июл…|август…|сентябр…|октябр…|ноябр…|декабр…|квартал…|год…|весн…|лет…|осен…|зим…|праздник…|отпуск…|месяц…|недел…|следующ…|сезон…|когда|если|нового|позже|инвентаризац…|выставк…|полугод…)",
    "(бюджет…|денег|деньги|средств) & (нет|исчерпан…|закрыт…|заморожен…|следующ…|потрачен…|только|уже|сверстан|не)|(договор…|контракт…|связаны|лицензи…|подписк…) & (до|заканчив…|истека…|действу…|еще)|(очень|слишком) (занят…|загружен…)|(завал…|аврал|запарк…|загружен…|не до этого|не до того)|(нет|не хватает) времени|(не … (лучш…|подходящ…|врем…|момент))|не … приоритет…|(только|лишь) (после|в|с|через|весной|осенью|летом)|после (нового года|праздников|отпуск…|лета|сезона|каникул|инвентаризации|пасхи|ремонта|переезда)|(следующ…|будущ…) (год…|квартал…|месяц…|сезон…)|через (месяц|два|три|пару|полгода|год|несколько|квартал|неделю|недели)( [^ ]+)?|(весной|осенью|летом|зимой)",
  ],
  no: [
    "(не|ничего|никак…|нет) … (интерес…|нужн…|надо|нуждаемся|требуется|подходит|актуальн…|для нас|планиру…|хотим|хочу|рассматрива…|ищем|покупа…|меня…|заинтересован…|потребност…|необходим…|готовы|будем|собира…|наш)|нет( (спасибо|не|благодарю|увы|к сожалению))*|(но|все равно|однако|ответ|к сожалению|увы|все же|пока что) … нет|неинтересно|неактуально|отказыва…|откаж…|воздержимся|обойдемся|незачем",
    "(уже|есть|работаем|пользуемся|имеется|используем|у нас|довольны) … (свой|своя|свои|подрядчик…|поставщик…|решени…|система|партнер…|довольны|другой|другие|есть|работаем|пользуемся|постоянн…|выбрали|закрыт…)|(делаем|справляемся|обходимся|занимаемся) … (сами|своими|самостоятельно|силами)|(решили|выбрали|остаемся|остановились) … (не|другой|других|с|отказ…|на)",
  ],
  refer: [
    "(обрат…|обращ…|напиш…|пиш…|спрос…|свяж…|позвон…|поговор…|перешл…|пересл…|переда…|перенаправ…|направ…|адрес…|узнай…|уточн…|общай…) & (к|с|со|у|в|на|по|коллег…|моему|моей|нашему|нашей) & (коллег…|директор…|начальник…|руководител…|отдел…|менеджер…|бухгалтер…|владел…|шеф…|босс…|офис…|снабжен…|закуп…|маркетинг…|айти|it|логист…|жен…|муж…|партнер…|заместител…|секретар…|помощник…|администрац…|[^ ]+ из [^ ]+)",
    "(не) … (ко мне|мой вопрос|моя (сфера|компетенция|зона)|мой отдел|я (решаю|занимаюсь)|занимаюсь|решаю|по адресу|тот отдел|в моей|ко мне|уполномочен…|отвечаю)|(не тот|не та|не по адресу) …?|(занимается|решает|отвечает|ведет|курирует|заведует) … (этим |за |это |такими )*[^ ]+|(это|вам) (к|надо к|лучше к|нужно к|в) [^ ]+|(в|поставил…|ставлю) копи…|(передал…|переслал…|перенаправ…|передам|перешлю) [^ ]+",
  ],
  praise: [
    "(звучит|выглядит|было бы|кажется|весьма|очень) … (интересно|хорошо|неплохо|заманчиво|отлично|перспективно|полезно|кстати|здорово)|^(да|конечно|хорошо|давайте|согласен|согласна|можно|с удовольствием|присылайте|высылайте|звоните|договорились|ладно|буду рад|рады|идет|готов|готовы|хочу|хотим|попробуем|ага)",
  ],
  want: [
    "(интересн…|заинтересова…|любопытн…|интересует|отличн…|здорово|супер|прекрасно|замечательно)",
    "(пришл…|присылай…|вышл…|высылай…|позвон…|звони…|покаж…|расскаж…|давай…|отправ…|назнач…|организу…|приезж…|скинь…|подготов…|подклю…|созвон…|встрет…|попробу…|предлож…) … (мне|нам|презентац…|предложени…|кп|демо|встреч…|созвон…|прайс…|подробн…|информац…|завтра|сегодня|пример…|материал…|понедельник|вторник|среду|четверг|пятницу|попробуем|обсудим|расчет…|смету|утром|днем|время)|^(пришлите|высылайте|присылайте|вышлите|звоните|покажите|расскажите|скиньте)( [^ ]+)*|(хочу|хотим|хотел…|хотелось|готов…|можем|можно|могли) … (узнать|посмотреть|попробовать|обсудить|встретиться|протестировать|демо|созвониться|увидеть|получить|поговорить|подробнее|предложение|купить|заказать|приехать)|(в |во )?(понедельник|вторник|среду|четверг|пятницу|завтра|на следующей неделе) … (удобно|можно|могу|в|после|утром|днем|подойдет|готов|свободен|свободна|\\d)|подробнее|больше информации|(нужна|нужно|нужен) (демо|встреча|презентация|кп|предложение)",
  ],
  ask: [
    "^(а |и |но |добрый день |здравствуйте |привет )*(кто|что|где|откуда|когда|почему|как|сколько|какой|какая|какие|каков…|чем|есть ли|можно ли|зачем|работает|есть|а вы|вы|поддержив…|интегрир…|какую|чей|для чего|с кем|входит)( [^ ]+){0,60}$|(цена|цены|стоимость|стоит|тариф…|расценк…|отзывы|откуда|прайс)",
  ],
};

export const turkish: IntentWords = {
  yesByNo: [
    "neden olmasın|niye olmasın|niçin olmasın|sorun (değil|yok|olmaz)|problem (değil|yok)|(hiç )?sakınca(sı)? (yok|olmaz)|hayır (demem|demeyiz|diyemem)|itirazım(ız)? yok|kaybedecek … yok|(hiç )?fena (değil|olmaz)|sabırsız…|mahsuru yok|ne demek",
  ],
  later: [
    "(şimdilik|şu an|şu anlık|şu anda|şuan|şu sıra…|bu aralar|bu yıl|bu sene|bu ay|bu dönem|bugünlerde|henüz|şimdi|bu çeyrek) … (değil|yok|gerek|olmaz|müsait|düşünm…|istem…|ihtiya…|yoğun…|zor|uygun|planlam…|gündem…)|(değil|yok) … (şimdilik|şu an|henüz)|^(şimdilik|henüz|belki|sonra|daha sonra|ileride|ilerde|bir ara|başka zaman|bir gün)( [^ ]+){0,2}$|daha (sonra|erken)|erken|(ileride|ilerde|ileriki|başka zaman|bir ara|belki (sonra|ileride|seneye|bir gün))",
    "(yaz…|ara…|görüş…|konuş…|ulaş…|dön…|iletişim…|tekrar|hatırlat…|bak…|sor…|değerlendir…|gel…|uğra…) & (ocak…|şubat…|mart…|nisan…|mayıs…|haziran…|temmuz…|ağustos…|eylül…|ekim…|kasım…|aralık…|bayram…|yılbaşı…|yıl…|sene…|ay|aya|aylar…|ayda|hafta…|yaz|yazın|yazdan|kış…|bahar…|çeyrek…|sezon…|tatil…|sonra…|seneye|önümüzdeki|gelecek|kapanış…|sayım…|fuar…|bitince|ramazan…) & (sonra…|tekrar|gelecek|önümüzdeki|ocak…|şubat…|mart…|nisan…|mayıs…|haziran…|temmuz…|ağustos…|eylül…|ekim…|kasım…|aralık…|seneye|bitince|bahar…|yılbaşı…|çeyrek…|ileride|görüşelim|kadar)",
    "(bütçe…|ödenek…|para…) & (yok|bitti|kapandı|doldu|seneye|gelecek|dondur…|tükendi|kalmadı|onay…)|(sözleşme…|kontrat…|anlaşma…|taahhüt…|lisans…) & (bit…|kadar|dol…|sona|devam|var)|(çok|aşırı|fazla) (yoğun…|meşgul…)|yoğunuz|yoğunum|(vaktim…|zamanım…|vakit) … yok|(doğru|uygun|iyi|müsait) (zaman|değil|bir zaman|dönem)|öncelik… … değil|(seneye|gelecek (yıl|sene|ay|çeyrek|dönem|sezon)|önümüzdeki (yıl|sene|ay|çeyrek|dönem|sezon))|(bayram|yılbaşı|yaz|tatil|sezon|fuar|ramazan)…? sonra…|(bayramdan|yılbaşından|yazdan|tatilden|ocaktan|hasattan) sonra|(bir|iki|üç|dört|beş|altı|birkaç|\\d+) (ay|hafta|yıl|sene) sonra",
  ],
  no: [
    "(ilgilenmi…|ilgilenmez…|ilgimizi çekm…|ilgimi çekm…|istemi…|istemem|istemez|gerek (yok|duymuyor…|görmüyor…)|ihtiyac…(yok| yok| bulunm…| duymuyor…| olmad…)|almayacağ…|almıyor…|düşünmüyor…|lazım değil|uygun değil|bize göre değil|kullanmıyor…|kullanmayacağ…|değiştirmey…|değiştirmiyor…|talebimiz yok|planlamıyor…|reddedi…|vazgeç…|geçiyor…|almayalım|kalsın|hayır|yok|yok sağol…|istemiyoruz|ilgilenmiyoruz|tercih etmiyor…)|(gerek|ihtiyaç|ihtiyacımız|ihtiyacım|lüzum) … (yok|değil|kalmadı|duymuyor…)",
    "(zaten|halihazırda|mevcut|hali hazırda) … (var|çalışıyor…|kullanıyor…|memnun…|anlaşm…|firma…|tedarikçi…|sistem…|yapıyor…)|(memnunuz|memnunum|kendimiz (yapıyor…|hallediyor…|çözüyor…)|başka (bir )?firma…|kendi (ekib…|sistem…|çözüm…|yazılım…))|karar verdik … (almamaya|değil)|almamaya karar",
  ],
  refer: [
    "(sor…|yaz…|görüş…|konuş…|ara…|ulaş…|iletişim…|başvur…|yönlendir…|ilet…|iletti…|danış…|bağlan…) & ([^ ]+'(a|e|ya|ye|na|ne|la|le|yla|yle|i|ı|u|ü|yi|yı)|arkadaş…|müdür…|bey…|hanım…|departman…|birim…|bölüm…|patron…|merkez…|satın ?alma…|muhasebe…|ik|bilgi işlem…|ortağım…|eşim…|yönetici…|sekreter…|sorumlu…|ofis…|genel müdürlü…|yetkili…)",
    "(ben|bana|bizim|benim) … (bakmıyor…|ilgilenmiyor…|değil|karar vermiyor…|işim değil|yetkim yok|sorumlu değil…|alanım değil|bölümüm değil)|yanlış (kişi|departman|birim|bölüm|adres)…?|(karar|bakıyor|ilgileniyor|sorumlu|yetkili|yürütüyor|takip) … (veriyor|o|kendisi|bakıyor|ediyor|kişi|olan|bey|hanım)|([^ ]+ (bey|hanım)…?) … (bakıyor|ilgileniyor|karar|sorumlu|yetkili)|(bilgiye|cc'ye) (ekl…|al…)|yönlendiriyor…",
  ],
  praise: [
    "^(evet|tabii|tabi|olur|tamam gönder…|elbette|buyurun|memnuniyetle|kesinlikle|hay hay|peki|anlaştık|gelin|gönderin|arayın|bekliyor…|uygun|uyar|müsaitim|müsaitiz|başlayalım|deneyelim)",
  ],
  want: [
    "(ilgim… çek…|ilgileniyor…|ilgiliyi…|ilgiliyim|ilginç…|merak ett…|hoşum… gitti|güzel|harika|süper|mükemmel|tam bize göre|olabilir|olur|isteriz|isterim|istiyor…|memnun olur…|sevinir…)",
    "(gönder…|yolla…|ayarla…|ara…|gel…|göster…|anlat…|planla…|ilet…|paylaş…|bekli…|konuşalım|görüşelim|deneyelim|bakalım|al…) … (teklif…|sunum…|demo…|toplantı…|fiyat…|bilgi…|randevu…|katalog…|lütfen|bekliyor…|bize|bana|yarın|pazartesi|salı|çarşamba|perşembe|cuma|detay…|örnek…)|(teklif|sunum|demo|toplantı|fiyat|bilgi|randevu|katalog|numune|deneme) … (gönder…|ayarla…|al…|iste…|rica|yap…|verir…|alabilir…|yolla…|bekli…|paylaş…|planla…|olur)|(yarın|pazartesi|salı|çarşamba|perşembe|cuma|haftaya|gelecek hafta) … (uygun…|müsait…|saat|olur|görüşelim|konuşalım|gelin|arayın|bekli…|\\d)|(görüşelim|konuşalım|tanışalım|buluşalım|deneyelim|arayın|gönderin|anlatın)$|daha fazla (bilgi|detay)",
  ],
  ask: [
    "(…mı|…mi|…mu|…mü|mı|mi|mu|mü|mısınız|misiniz|musunuz|müsünüz|mıdır|midir|mudur|müdür|mıyız|miyiz)$|^(ve |peki |merhaba |selam |iyi günler )*(kim|kimsiniz|ne|neden|niçin|nasıl|nerede|nereden|hangi|kaç|ne kadar|siz kim…|siz hangi|kimden)( [^ ]+){0,60}$|(kimsiniz|ne kadar|fiyat…|ücret…|kaç para|kaça|referans…|nereden buldu…|kimden ald…|hangi firma…)",
  ],
};

export const japanese: IntentWords = {
  spaceless: true,
  yesByNo: [
    "(問題|差し支え|異存|異論|支障)(は)?(ありません|ございません|ない|なし)|大丈夫です(、|ので)?.{0,3}(進め|お願い|ぜひ|送)|断る理由(は|が)|悪くない|構いません|かまいません",
  ],
  later: [
    "(今|現在|現時点|当面|いま|今のところ|今期|今年|今年度|今月|目下).{0,10}(ない|ません|難しい|厳しい|余裕|いっぱい|予定(は|が)(ない|ござい|あり)|早い|手一杯)|まだ早|時期尚早|時期(では|が)|タイミング|また(の機会|今度|後日|改めて)|いずれ|いつか|後日|そのうち|しばらく",
    "(年明け|来年|来期|来年度|来月|来春|来夏|来秋|再来月|春|夏|秋|冬|[0-9０-９一二三四五六七八九十]+月|[0-9]+(か|ヶ|カ|ケ)月後|半年|四半期|年度|新年度|期末|決算|繁忙期|お盆|連休|ゴールデンウィーク|休み明け|落ち着い).{0,12}(以降|後|改めて|また|再度|もう一度|ご連絡|連絡|頃|ごろ|検討|お願い|たら|に入って|明け)",
    "(予算).{0,10}(ない|ありません|終|使い切|凍結|来期|来年|確保でき|取れ|締)|(契約|リース|更新).{0,12}(まで|満了|残って|切れ|更新)|(忙し|多忙|立て込|手が回|ばたばた|バタバタ|余裕が(ない|あり))|繁忙期|(来年|来期|来年度|年明け|春|秋)(に|は|まで|以降)",
  ],
  no: [
    "(興味|関心|必要|ニーズ|予定|需要|検討|導入|つもり)(は|も|が|の予定は)?(特に|全く|まったく|一切)?.{0,3}(ありません|ない|ございません|なし|ございませ|しておりません|していません|しません)|(必要|不要|結構|いりません|要りません|間に合って|足りて)(です|ございません|おります|ます|いま)?|見送|お断り|遠慮|辞退|(すでに|既に|もう).{0,14}(契約|導入|利用|使って|他社|ございます|あります|済|間に合)|他社.{0,8}(契約|利用|導入|お願い|決め)|自社で|社内で.{0,6}(対応|行|まかな)|今回は.{0,8}(見送|遠慮|結構|なし|やめ)|(合い|合って|向き|該当し)(ません|ない)|いいえ|(変更|切り替え|乗り換え).{0,8}(ありません|ございません|ない|しません)|ご期待に(添え|沿え)",
  ],
  refer: [
    "(担当|窓口|責任者|決裁者|部|課|室|係|部長|課長|社長|総務|人事|経理|購買|本社|本部|支店|者|さん|様|氏|まで|宛).{0,10}(へ|に|まで|宛に|から|と).{0,4}(お問い合わせ|ご連絡|連絡|問い合わせ|聞いて|お尋ね|ご相談|相談|転送|伝え|お話|送って|お送り|回し|取り次|確認)|(担当|管轄|専門|私の(範囲|仕事|部署)|決定権)(では|外|者では|違い|が違|は私では|がありません)|(私|当方|こちら)(では|は)(なく|担当|わかり|分かり|判断)|担当(は|者は|しているのは|が)|(転送|引き継)(し|ぎ|いた|て)|ccに|部署が(違|異)|の方が(担当|詳し)|が担当|担当です|そちら(へ|に)|(が|で)(決め|判断し|担当し|対応し)て",
  ],
  praise: [
    "(面白|おもしろ|良さ|よさ|いい|魅力的|気になり|ぜひ|是非|ちょうど|助かり)(そう|です|ね|ます)?|^(はい|ええ|了解|いいですね|ぜひ|是非|お願い|もちろん|喜んで|承りました)|大丈夫です",
  ],
  want: [
    "(興味|関心)(が)?(あり|ある|ござい|を持)|(デモ|資料|見積|見積もり|お見積|打ち合わせ|打合せ|ミーティング|詳細|詳しく|説明|話|提案|サンプル|トライアル|体験|面談|案内|オンライン).{0,12}(お願い|ください|下さい|ほしい|欲しい|希望|聞かせ|送って|伺い|見たい|聞きたい|知りたい|したい|試したい|いただけ|頂け|拝見|設定|教えて)|(お電話|電話)(を)?.{0,4}(ください|下さい|お願い|待)|(月曜|火曜|水曜|木曜|金曜|明日|来週|今週|午前|午後|[0-9]+時).{0,10}(空い|大丈夫|可能|都合|いかが|お願い|でしたら|なら)|進めて|試して|(会い|話し|やり|使っ)(ましょう|てみたい|たい)|詳しく|(送って|教えて|見せて)(ください|下さい|もらえ|いただけ)",
  ],
  ask: [
    "(です|ます|でしょう|ません|ました)か|(いくら|料金|費用|価格|値段|どの|どこ|どう|何|なぜ|誰|どちら|いつ|どなた|いかほど|実績|事例)|(か|の)$",
  ],
};

export const chinese: IntentWords = {
  spaceless: true,
  yesByNo: [
    "没(有)?(什么)?(问题|意见|理由不)|(为什么|为何|何|有什么)不(可以|呢|行|试)|不(会|能)(说不|拒绝)|不妨|不反对|不错|求之不得|等不及|何乐而不为|沒問題|无妨|未尝不可|没理由拒绝",
  ],
  later: [
    "(现在|目前|暂时|暫時|眼下|最近|这阵|近期|今年|本季度|这个月|本月|眼前|当下|現在).{0,8}(不|没|沒|忙|无|太|还不|顾不|紧|冻)|(不|没|沒).{0,4}(现在|目前|暂时|今年|合适的时(机|候)|是时候|到时候)|还(不|没到|太)(是|到|早)?|太早|(以后|以後|过(一)?(阵|段|些)|晚点|晚些|改天|改日|回头|下次|有机会|将来|等.{1,10}(再|之后|以后|后))|再说|再(联系|聯繫|聊|谈|談|看|议|考虑)",
    "(明年|下(个)?(季度|月|半年|学期|财年)|年后|年底|年初|春节|开春|春天|夏天|秋天|冬天|国庆|节后|假期|过完年|[0-9一二三四五六七八九十]+月(份|底|初|中)?(后|以后|之后|再)?|几个月|半年|季度末|旺季|淡季).{0,14}(再|后|联系|聊|谈|找|考虑|看|说|问|才|重新|以后|之后|吧)|(预算|經費|经费|资金).{0,8}(没|不|用完|冻结|明年|花完|批|已|紧|下)|(合同|协议|合约).{0,8}(到期|期|还有|才|未到|没到|签到|到)|(太忙|很忙|忙不过来|没时间|沒時間|没空|没有精力|抽不开)|不是时候|时机(不|未|还)",
  ],
  no: [
    "(不|没|沒|无|無|毫无|没有)(太|怎么|再|是很|打算|准备|有)?(感)?(兴趣|興趣|需要|需求|考虑|打算|合适我们|适合|用得上|用不上|换|更换|采购|购买|想要|相关|计划|必要)|(不用|不必|不要|不需要|免了|算了|不了|没必要|不买|不考虑|谢绝|婉拒|拒绝|放弃|不换|用不着|不做|不行)|(已经|早就|已|我们有|都有|自己有).{0,8}(有|用|合作|签|供应商|方案|系统|买|做|了固定|选)|(自己|内部|自行)(做|解决|开发|处理|搞)|对.{0,6}满意|不会(换|用|买|考虑|改)",
  ],
  refer: [
    "(请|可以|建议|麻烦|你|您|直接|最好|应该)?.{0,4}(联系|聯繫|聯絡|找|问|問|咨询|致电|发给|发到|转给|转发给|跟|和|与|向).{0,8}(经理|主管|同事|部门|部|总监|总|老板|先生|女士|小姐|主任|负责人|采购|科|处|行政|财务|秘书|人事|领导|助理|老师|总部|总公司|哥|姐|技术|那边|老公|老婆|合伙人|接任|他|她)|(不(是|归|由|属于)).{0,3}(我|我们)(负责|管|的事|决定|部门|分管|这边)|(归|由|是).{1,10}(管|负责|决定|处理|分管|主管|拍板|说了算)|(找错|发错|问错)(人|部门|了)|(已|帮你|帮您|我)?(转给|转发|转交|抄送|推给)|不在我(的)?(职责|范围)|(在|来)(管|负责)|加(他|她)",
  ],
  praise: [
    "(很|挺|蛮|听起来|看起来|看着)(好|不错|有意思|吸引|合适|棒|有用|心动)|^(好|好的|好啊|可以|行|行啊|没问题|当然|欢迎|是的|嗯|对|来吧|成|同意|愿意|要|需要|有兴趣)",
  ],
  want: [
    "(感|有|很有|挺有|蛮有)(点)?兴趣|感興趣|有意(向|思)|(发|發|寄|传|给|约|安排|打|来|带|做|加|试|出|报).{0,6}(资料|資料|报价|方案|介绍|看看|电话|我|会议|时间|演示|样品|案例|个|一下|一份|价|过来|微信|合同|试用|试试|聊聊|详细)|(想|希望|愿意|可以|能|能不能|可否)(先)?.{0,4}(了解|看看|试|聊|谈|听|详细|见|约|演示|试用|知道|体验|合作)|(周|星期|礼拜)[一二三四五].{0,8}(可以|有空|方便|见|上午|下午|行|吧|点|聊|都)|(明天|后天|下周|今天|下午|上午).{0,8}(可以|有空|方便|打|联系|见|聊|来|点|行)|(聊聊|谈谈|看看|试试|了解一下|详谈|见面|面谈)|约个?时间|(电话|打)(联系|给我|我)",
  ],
  ask: [
    "(吗|嗎|呢|么|麼|吧)$|(多少|怎么|怎麼|什么|什麼|哪|谁|誰|为何|几|如何|是否|能否|可否|有没有|能不能|是不是|支持|价格|价钱|费用|收费|报价多少)",
  ],
};
