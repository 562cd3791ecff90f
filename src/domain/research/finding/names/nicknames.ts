/** Each group one name: as on papers first, then what people are called, the likeliest in front. */
const GROUPS = `
  aaron ron ronnie; abigail abby gail; abraham abe bram; adrian ade; albert al bert; aleksander alexander alex sasha; aleksandr alexander alex sasha;
  aleksandra alexandra alex sasha; alessandro alex ale sandro; alexander alex sandy xander sasha lex;
  alexandra alex sandra sasha lexi; alfred al fred alfie; alison ali allie; allen al; amanda mandy; andreas andi andy;
  andrew andy drew; angela angie; ann annie; anna annie anja; anthony tony ant; antonio toni tonio; arthur art;
  barbara barb babs; bartholomew bart; benedikt ben; benjamin ben benny benji; bernard bernie; bradley brad;
  caroline caro carrie; carolyn carol; caterina katia; catherine cathy kate katie cat; charles charlie chuck chas;
  charlotte lottie charlie; christian chris; christina chris tina chrissy; christine chris chrissy; christoph chris;
  christopher chris kit topher; clifford cliff; cynthia cindy; daniel dan danny; daniela dani; david dave davey;
  deborah deb debbie; dennis den; dmitry dmitri dima; dominic dom nick; donald don donnie; dorothy dot dottie; douglas doug;
  edmund ed eddie; eduard edi; eduardo edu; edward ed eddie ted ned; eleanor ellie nora; elena lena;
  elisabeth lisa elli sissi; elizabeth liz beth lizzie betty eliza libby; emily em; enrique kike quique; ernest ernie;
  eugene gene; evgeny zhenya eugene; ferdinand ferdi; fernando fer nando; frances fran frankie; francesca franci;
  francesco franco checco; francis frank; francisco paco fran pancho; franklin frank; frederick fred freddie rick;
  friedrich fritz fred; gabriel gabe; gabriela gabi; gabriele gabi; geoffrey geoff; georg jorg schorsch; gerald gerry jerry;
  gerard gerry; giovanni gianni vanni; giuseppe beppe peppe; gregory greg; guadalupe lupe; guillermo memo guille; gustav gus;
  harold harry hal; heinrich heiner heinz; henry harry hank; herbert herb; howard howie; ignacio nacho; igor gosha; irina ira;
  isabella bella izzy; isabelle isa; ivan vanya; jacob jake; jacqueline jackie; jakob jake; james jim jimmy jamie; jan janek;
  jane janie; janet jan; jason jay; jeffrey jeff; jennifer jen jenny; jeremy jerry; jerome jerry; jessica jess jessie;
  jesus chuy; joachim achim jochen; joan joanie; joanna jo; johan joe; johannes hannes jo hans; john johnny jack jon;
  jonathan jon jonny nathan; jorge coque; jose pepe; josef sepp jupp; joseph joe joey; josephine jo josie; joshua josh;
  juan juanito; judith judy; julian jules; katarzyna kasia; katharina kathi katja; katherine kathy kate katie kat;
  kathleen kathy kath; kenneth ken kenny; kevin kev; kimberly kim; konstantin kostya kostas; konstantinos kostas dinos;
  kristen kris; kristina kris tina; laurence larry laurie; lawrence larry laurie; leonard leo len lenny; leonardo leo;
  leopold leo; lorenzo enzo; lourdes lulu; louis lou louie; lucas luke; ludwig lutz; luis lucho; magdalena magda lena;
  malgorzata gosia; manuel manu manolo; margaret maggie meg peg peggy marge; margarita rita; maria mary mia;
  mariateresa maite; mariana nana; marjorie marge; martin marty; martina tina; mathias matt; matthew matt;
  matthias matze matt; maximilian max; megan meg; melissa mel; michael mike mick mickey micha; michaela micha; michail misha;
  michal michael; michelle shelly; miguel migue; mikhail misha; mitchell mitch; mohammed mohamed mo muhammad;
  muhammad mohammed mo mohamed; nadezhda nadia; nancy nan; natalia natasha talia; nathan nate; nathaniel nathan nate;
  nicholas nick nicky nico; nicola nicky; nicolas nico; nicole nicky; nikolai kolya nick; nikolaos nikos; nikolaus klaus niko;
  norman norm; oleksandr alex sasha; oliver ollie; olivia liv livvy; pamela pam; panagiotis panos;
  patricia pat patty tricia trish; patrick pat paddy; pavel pasha; peter pete; petra peti; philip phil pip; phillip phil;
  rachel rach; rafael rafa; ralph ralf; ramon moncho; randall randy; raymond ray; rebecca becky becca; reginald reg reggie;
  richard rick dick rich ricky; robert bob rob bobby robbie bert; roberto beto; rodney rod; roger rog; roland roli;
  ronald ron ronnie; rosemary rose rosie; rudolf rudi; rupert rup; russell russ; salvatore toto; samantha sam;
  samuel sam sammy; sandra sandy; santiago santi; sebastian seb basti bastian; sergei sergey serge seryozha; sergio checo;
  sharon shaz; sidney sid; simon si; sofia sophie; sophia sophie; stanislav stas; stanley stan; stefan steffen;
  stefanie steffi; stephanie steph; stephen steve; steven steve; stuart stu; susan sue susie; susanne susi sanne;
  svetlana sveta lana; tatiana tanya; terence terry; teresa terri tess; theodore ted theo teddy; theresa terri tess;
  thomas tom tommy; timothy tim; tobias tobi; tomasz tomek; ulrich uli; ursula uschi ulla; valentina valya; valeria vale;
  vanessa nessa; veronica ronnie; victor vic; victoria vicky tori; vincent vince vinny; vincenzo enzo;
  vladimir vova volodya vlad; walter walt wally; wilhelm willi willy; william bill will billy willie liam; wolfgang wolf;
  yekaterina katya; zachary zach zack
`;

/** As old hands and registers shorten a first name in writing. */
const WRITTEN_SHORT =
  "wm william, geo george, chas charles, jas james, jos joseph, thos thomas, robt robert, edw edward, benj benjamin, saml samuel, danl daniel, fredk frederick, jno john, margt margaret, eliz elizabeth, nathl nathaniel, richd richard, theo theodore";

/** Short names that are many people's whole one, or the short one of too many: finding tries no other name for them. */
const OWN = new Set(
  "hans lisa alex max leo lena jack harry sasha hannes jan chris sam pat nick tina nina toni kim jo lee sandy ray al ben klaus jo kate max frank ian rita mary mia eva emma ella nora anja katja tanya sophie sofia mona jean lana mila marie maria anna peter stefan steffen ralf jorg rosa rose enzo gianni sandro marco mo mohamed mohammed muhammad alexander alexandra eugene michael dean carol carrie clara joan betty fred georg willi gene".split(
    " ",
  ),
);

interface Known {
  /** What people of that name are called. */
  called: string[];
  /** Names on papers of people called so. */
  formal: string[];
  /** It stands on papers itself: Jan is Janet's short name, and many people's whole one. */
  isFormal: boolean;
}

const known = new Map<string, Known>();
const entry = (name: string) =>
  known.get(name) ?? known.set(name, { called: [], formal: [], isFormal: false }).get(name)!;
for (const group of GROUPS.split(";")) {
  const [formal = "", ...called] = group.trim().split(/\s+/);
  const own = entry(formal);
  own.isFormal = true;
  own.called.push(...called);
  for (const each of called) entry(each).formal.push(formal);
}

for (const pair of WRITTEN_SHORT.split(", ")) {
  const [short = "", formal = ""] = pair.split(" ");
  entry(short).formal.unshift(formal);
}

const NOBODY: Known = { called: [], formal: [], isFormal: false };

/** Both ways, each in a-z and in order of likelihood. `name` in a-z. */
export const otherNames = (name: string): Readonly<Known> => known.get(name) ?? NOBODY;

/** Whether a name and its other form are rather one person's than two colleagues': Bill is a William, Hans no Johannes. */
export const isSamePerson = (name: string, other: string): boolean => {
  const [short, long] = otherNames(name).formal.includes(other) ? [name, other] : [other, name];
  const { formal, isFormal } = otherNames(short);
  return formal.includes(long) && !isFormal && !OWN.has(short);
};

/** Whether one person can have both as a first name: equal, or one a nickname of the other or of the same name. */
export function isSameGivenName(a: string, b: string): boolean {
  if (a === b) return true;
  const { called, formal } = otherNames(a);
  return (
    called.includes(b) ||
    formal.includes(b) ||
    formal.some((each) => otherNames(each).called.includes(b))
  );
}
