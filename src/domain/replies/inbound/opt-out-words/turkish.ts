import type { OptOutWords } from "./language.ts";

const MAIL =
  "(mail…|e-?mail…|e-?posta…|eposta…|mesaj…|ileti…|reklam…|bülten…|spam…|tanıtım…|teklif…|bildirim…|duyuru…|kampanya…|posta…|yazı…|hatırlatma…|pazarlama…)";
const MINE =
  "(beni|bizi|adresimi…|adresimizi…|e-?postamı|e-?postamızı|mailimi…|e-?mailimi|ismimi|adımı|bilgilerimi…|verilerimi…|iletişim bilgilerimi…|numaramı…|kaydımı…|kayıtlarımı…|firmamızı…|şirketimizi|alan adımızı|hesabımı|bu adresi|kişisel veri…)";
const LIST =
  "(liste…|sistem…|veri ?taban…|kayıt…|rehber…|veritaban…|crm…|database…|gönderim…|abone…|dağıtım…|portföy…|havuz…)";
const REMOVE = "(çıkar…|sil…|kaldır…|iptal…|düşür…|engelle…|temizle…|yok et…|imha…|silin…)";

export const turkish: OptOutWords = {
  alone:
    "ret|red|iptal|dur|durdur(un|unuz)?|çıkar(ın|ınız)?( beni| bizi)?|listeden çık(ar|art|mak)…|abonelikten çık…|aboneliği iptal…|üyelik iptal…|sil(in|iniz)?( beni| bizi)?|beni (çıkar|sil|listeden çıkar)…|yazma(yın|yınız)?( artık| bir daha)?|gönderme(yin|yiniz)?( artık| bir daha)?|mail atma(yın|yınız)?( artık| bir daha)?|istemiyorum|istemiyoruz|rahatsız etme(yin|yiniz)?|yeter( artık)?|kes(in|iniz)?( artık| şunu)?|stop|unsubscribe|kaldırın|uğraşma(yın|yınız)?|aramayın|listeden çıkmak istiyorum|vazgeçtim|mail istemiyorum",
  courtesies:
    "lütfen|teşekkürler|teşekkür ederim|sağolun|sağ olun|merhaba|selam|iyi günler|kolay gelsin|hemen|derhal|artık|beni|bizi|bir daha|acilen|saygılar|hayır|ilgilenmiyorum|ilgilenmiyoruz|tamam|bana|bize|mail|listeden|e-posta|iyi çalışmalar",
  together: [
    "(istemi…|istemez…|arzu etm…) & (yer almak|bulunmak|olmak|kalmak|kayıtlı) & (liste…|kayıt…|sistem…|veritaban…|rehber…)",
    "(bir daha|eğer|tekrar|başka) & (yaz…|mail…|mesaj…|gönder…|ararsanız) & (şikayet…|engelle…|avukat…|spam|bildir…|savcı…)",
    "(sil…|çıkar…|kaldır…) & (onun|kendisinin|eşimin|babamın|annemin|müdürümüzün) & (adres…|mail…|bilgi…|numara…|isim|ismi…|ad…|e-?posta…)",
    "(rica…|lütfen|memnun|sevinir…|minnettar…|istiyor…|istemiyor…|talep…|söyledi|iletmemi|adına) & (kesmenizi|durdurmanızı|son vermenizi|bırakmanızı|yazmamanızı|göndermemenizi|atmamanızı|aramamanızı|yazmasanız|göndermeseniz|atmasanız|yazılmamasını|gönderilmemesini|almamak|alınmasın|çıkarılmayı|silinmeyi|çıkarılmak|silinmek|çıkarılmasını|silinmesini)",
    "(okul…|klinik…|muayenehane…|dükkan…|şirket…|büro…|dernek…|eczane…|babam…|annem…|müdür…|adres…|isim…|ismim…|adım…) & (çıkar…|sil…|kaldır…|düş…) & (liste…|kayıt…|sistem…|rehber…|veritaban…|defter…)",
    "(…ilmesin|…ılmasın|…ulmasın|…ülmesin|…ilmemesi…|…ılmaması…|…ulmaması…|…ülmemesi…|…nmasın|…nmesin|…nmaması…|…nmemesi…) & (artık|bir daha|bundan böyle|bundan sonra|lütfen|rica…|talep…|istiyor…|tarafıma|tarafımıza|bana|bize|kendisine|bu adrese|ricası…|diler…) & (gönder…|yolla…|at…|yaz…|ilet…|ara…|ulaş…|mail…|e-?posta…|tanıtım…|reklam…|teklif…|temas…|iletişim…)",
    "(çıkar…|sil…|kaldır…|düş…) & (beni|bizi|bu adresi|adresimi|adımı|numaramı) & (oradan|buradan|şuradan|hepsinden|her yerden|liste…|kayıt…|sistem…|rehber…)",
    "(hakkımda…|bana ait|tüm|bütün|her şey…) & (veri…|bilgi…|kayıt…|tuttuğunuz…|sakladığınız…) & (sil…|imha…|yok et…|kaldır…)",
    `${REMOVE} & ${MINE}`,
    `${REMOVE} & (adres…|ad…|isim|veri…|bilgi…|e-?posta…|mail…) & ${LIST}`,
    `(…me|…ma|…meyin|…mayın|…meyiniz|…mayınız|…memeniz|…mamanız|…memesi…|…maması…|…memenizi|…mamanızı|…mez|…maz|…mesin…|…masın…|…memek|…mamak) & (artık|bir daha|daha fazla|bundan sonra|bundan böyle|lütfen|tekrar|kesinlikle|asla|sakın|bana|bize|bu adrese|rica…|talep…|istiyor…|diler…) & (gönder…|yolla…|at…|yaz…|iletişim…|rahatsız…|ara…|ulaş…|temas…|meşgul…|taciz…|kur…|iletme…|uğraş…)`,
    `${MAIL} & (istemiyor…|istemem|istemez…|istenmiyor…|almak istem…|gönderme…|yollama…|atma…|göndermez…|gönderemez…|kesin…|kesiniz|durdur…|son ver…|bırak…|sonlandır…|vazgeç…|almayı reddet…|reddedi…|kabul etm…)( (artık|lütfen|bir daha|sizden|sizin|tarafınızdan|bana|$)|$)`,
    "(iletişim…|irtibat…|temas…|haber…|bilgilendirme…) & (istemiyor…|istemem…|istemez…|kurma…|geçme…|kurulma…|kesin…|almak istem…|kurulmasını istem…|sonlandır…)",
    "(durdur…|son ver…|kes…|bırak…|vazgeç…|sonlandır…) & (mail…|e-?posta…|gönderim…|mesaj…|yazma…|rahatsız…|taciz…|reklam…|ileti…|bunu|şunu|artık|derhal|hemen|göndermeyi|yazmayı|atmayı|aramayı)",
    "(unut…|kaybet…) & (adresimi…|mailimi…|e-?postamı|numaramı|beni|bizi)",
    "(istemi…|arzu etm…|tercih etm…|talep ed…|rica ed…|ister) & (aranma…|yazılma…|iletişim…|gönderilme…|rahatsız edil…|ulaşılma…|kontak…)",
    "(onay…|izin…|izn…|rıza…|muvafakat…) & (geri al…|geri çek…|iptal…|yok|vermedim|vermiyor…|olmadan|olmaksızın|bulunmuyor|almadan|almadınız|olmadığı…)",
  ],
  rights: [
    "(kvkk…|6563…|6698…|iys…|gdpr…|kanun…|yasa…|madde…|etk) & (onay…|izin…|rıza…|sil…|kaldır…|durdur…|itiraz…|talep…|geri al…|geri çek…|imha…|şikayet…|red…|gönderemez…|çıkar…)",
  ],
  reasons: [
    "yanlış (kişi|adres|numara|mail|insan)…|(şahsi|kişisel|özel) (mail|adres|hesap|e-?posta)…|(hiç|asla) … (üye olma…|kaydolma…|izin verme…|onay verme…)|(ikinci|üçüncü|dördüncü|beşinci|son|kaçıncı|2|3) (kez|kere|defa|uyarı|sefer)…|(kaç|defalarca|kez) … (söyle…|dedim|yaz…|belirt…)",
    "spam…|kvkk…|şikayet…|avukat…|taciz…|yasal…|suç|6563|6698|savcılık…|bildirdim|raporla…|hukuki|engelledim",
  ],
  offers: [
    "(yazmam|yazmayacağım|yazmayız|bırakırım|bırakacağım|rahatsız etmem|rahatsız etmeyeceğim|göndermem|göndermeyeceğim|dururum|duracağım|silerim|sileceğim|çıkarırım|çıkaracağım|keserim|bir daha … (yazma|rahatsız)…|bırakayım|durayım|sileyim|keseyim|çıkarayım|yazmayayım|ısrar etmem|ısrar etmeyeceğim|durdururum)",
  ],
  yes: "(evet|olur|tamam|peki|aynen|doğru|tabii|tabi|elbette|iyi olur|öyle)( (lütfen|öyle|yapın|yap|yapınız|olsun|teşekkürler|teşekkür|ederim|sevinirim|iyi|olur|tercih|bırakın|durun|dur|durdurun|yazmayın|göndermeyin|aynen|istemiyorum|memnun|olurum|isterim|sağolun)){0,6}|öyle (yapın|yapınız|yap|olsun)( lütfen)?|(bunu )?tercih ederim|yapın lütfen|lütfen yapın",
  asks: [
    "(yazmasanız|göndermeseniz|aramasanız|atmasanız|yollamasanız|iletmeseniz|rahatsız etmeseniz)|(aranmak|yazılmak|rahatsız edilmek|iletişime geçilmek|kontak kurulmak|mail almak|e-posta almak) … (istememekte…|istemiyor…|istemez|istemem…)|(istememekte…)",
    "(adres…|mail…|e-?posta…|bilgi…|veri…|isim…|ad…|beni|bizi|kayd…) … (siler|çıkarır|çıkartır|kaldırır) (mısınız|misiniz|mısın|misin)",
    `(bana|bize|bu adrese|buraya|tarafıma|tarafımıza|şirketimize|firmamıza) … (yazma|gönderme|yollama|atma|ulaşma|iletme)(yın|yin|yınız|yiniz|sın|sin|manızı|menizi)?`,
    "(rahatsız|meşgul|taciz) (etme…|edilme…|edil…)|peşimi bırak…|rahat bırak…|uğraşmayın|beni rahat|(yakamdan|yakamızdan) düş…|defol…|kaybol…",
    `(hala|hâlâ|halen|yine|gene|durmadan) … ${MAIL} … (gel…|al…|gönder…|at…|yolla…)|(hala|hâlâ|halen) … (gönderi…|yazı…|yollu…)`,
    `(artık|bir daha|başka|daha fazla) … ${MAIL} … (istem…|gönderme…|atma…|yollama…|almak istem…)`,
    "(abonelik…|üyelik…) … (iptal…|çık…|sonlandır…)|(listeden|listenizden|listelerinizden) … (çık…|sil…|kaldır…|düş…)",
    "(onay…|izin…|rıza…) … (gönderemez…|yazamaz…)|(gönderemez…|yazamaz…)",
  ],
  other: [
    "kağıt|kağıdı",
    "müşteriler…|müşterileriniz|(çözümünüz|yazılımınız|ürününüz|aracınız|sisteminiz) … (mı|mi|mu|mü|var)|kazanmak",
    "(kullanıcı…|müşteri…|abonelerimiz|alıcılar|üyelerimiz|insanlar) … (çık…|iptal…|sil…|istem…)|(bekleme|davetli|fiyat|katılımcı) liste…|(toplantı…|takvim…|fatura…|sözleşme…|ek dosya…|dosyayı|sayfa…|logo…|webinar…|davet…)",
    "(çekinme…|tereddüt etme…|unutma…|merak etme…|sorun etme…|dert etme…|durma…)|(durmak yok|silmeyin|çıkarmayın|kaldırmayın|iptal etmeyin)|eski … yazın|(bana|bize) yazın",
    "(iptal|çıkış) (link…|buton…|sayfa…|oran…|özelli…)",
  ],
  narrower: [
    "(ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık|ay|yıl|hafta|bayram|yaz)…? … (kadar|önce|dek)|kadar|şimdilik|bu (ay|hafta|yıl|sene)|önce|(?<!bundan )sonra(ya)?",
    "(bu kadar|çok) (sık|fazla|çok)|pdf…|ek…|fatura…",
  ],
  elsewhere: [
    "(ayrıldı…|emekli…|izinde|izne)|(?<!ma )bana yazın|ben bakıyorum|ben ilgileniyorum|devraldım",
    "(bunun )?yerine|telefonla|telefon edin|arayın|whatsapp…|başka (bir )?adres…|daha iyi|diğer adres…|onun yerine",
  ],
  hints: [
    "abonelik…|üyeliği…|spam…|kvkk…|istenmeyen|taciz…",
    "daha (az|seyrek)|(ayda|yılda|üç ayda) bir|bıktım…|yeter…|numaramı kimden|adresimi (nereden|kimden)|nereden buldunuz|(hiç )?(yollama|gönderme|yazma)…|sadece … (olursa|olduğunda|varsa|zaman)",
  ],
};
