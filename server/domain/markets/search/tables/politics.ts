/** Offices, parties, elections, leaders and countries. */
export const POLITICS = `
us = usa = united states = america = american = united states of america
uk = united kingdom = britain = great britain = british = england = english > starmer
eu = european union = europe = european; france = french; germany = german; japan = japanese
china = chinese = prc = beijing; russia = russian = moscow = kremlin; ukraine = ukrainian = kyiv
israel = israeli; palestine = palestinian = palestinians; gaza = hamas = gaza strip
iran = iranian = tehran; saudi arabia = saudi = saudis = ksa; canada = canadian; mexico = mexican
brazil = brazilian = brasil; argentina = argentine = argentinian = argentinean; india = indian
italy = italian; spain = spanish; poland = polish; netherlands = dutch = holland
turkey = turkish = turkiye; south korea = korean = korea
north korea = north korean = dprk = kim jong un; taiwan = taiwanese
australia = australian = aussie; venezuela = venezuelan; colombia = colombian; chile = chilean
peru = peruvian; bolivia = bolivian; ireland = irish; scotland = scottish; portugal = portuguese
romania = romanian; hungary = hungarian; czech republic = czech = czechia; sweden = swedish
norway = norwegian; denmark = danish; finland = finnish; switzerland = swiss; austria = austrian
greece = greek; thailand = thai; philippines = filipino = philippine; pakistan = pakistani
egypt = egyptian; syria = syrian; lebanon = lebanese = hezbollah; cuba = cuban
greenland = buy greenland = greenland purchase = acquire greenland
middle east > israel, gaza, iran, saudi arabia, syria; nato = north atlantic treaty
un = united nations; secretary general = un secretary general = un chief = un secretary
prime minister = pm = premier = prime ministers
president = potus = presidency = presidential = presidents
next president = us president = next us president = president in 2028 = 2028 president
next president = presidential election; vice president = vp = veep
chancellor = german chancellor = chancellor of germany
supreme court = scotus = supreme court justice = supreme court justices = high court
congress = capitol hill > house, senate
house = house of representatives = us house = house control = control of the house
senate = us senate = senators = senator = senate control = control of the senate
speaker = speaker of the house = house speaker; attorney general = ag = us attorney general
secretary of state = state secretary
secretary of defense = defense secretary = secdef = pentagon chief = secretary of war
secretary of treasury = treasury secretary = secretary of the treasury
hhs = health and human services = health secretary = hhs secretary
dhs = homeland security = department of homeland security
doj = department of justice = justice department
department of education = education department = doe eliminated = dept of education
press secretary = press briefing = white house briefing
cabinet = cabinet member = cabinet members = administration; white house = oval office
democrat = democrats = democratic = dem = dems = democratic party = ~blue
republican = republicans = gop = rep = repubs = republican party = ~red
nominee = nominate = nominated = nomination = nominees = presidential nominee = primary
nominee = primaries = pick = candidate; election = elections
vote = voting = votes = ballot > election
midterm = midterms = midterm election = midterm elections = 2026 midterms > house, senate
blue wave > house, senate
government shutdown = shutdown = govt shutdown = federal shutdown = shut down
government shutdown = government shut down; shutdown length = how long shutdown = shutdown last
approval = approval rating = approval ratings = job approval = favorability = popularity
approval = poll numbers; impeach = impeachment = impeached
resign = resigns = resignation = step down = steps down = stepping down = leave office = out as
resign = out = ousted = leaves = leave = quit = quits = removed = fired = exit = departure
resign = departures = replaced = leaves office; retire = retirement = retires = retiring > resign
successor = succeed = succession = replace = replaces = replacement = next = named as
pardon = pardons = pardoned = clemency = commute
deport = deportation = deportations = deported = mass deportation
immigration = immigrants = migrants = border > deport, ice
executive order = executive orders = eo = eos; insurrection act = troops
national guard = guard deployment; martial law = military rule; third term = 3rd term = term limit
epstein = epstein files = epstein list = jeffrey epstein
obamacare = aca = affordable care act = aca subsidies = obamacare subsidies = aca credit
obamacare = health subsidies; obamacare > health insurance; marijuana = weed = cannabis = pot
legalize = legalization = legal = reschedule = rescheduled = rescheduling
gun = guns = gun control = firearms
daylight saving = daylight savings = daylight saving time = dst; filibuster = nuclear option
redistricting = gerrymandering = gerrymander
ceasefire = cease fire = truce = peace deal = peace = armistice = end of war = peace agreement > war
war = invade = invasion = invades = attack = attacks = military strike = military strikes = air strike = air strikes = airstrike = airstrikes = military action = conflict = fighting > ceasefire, russia ukraine
russia ukraine = ukraine war = russia ukraine war = ukraine russia
nuclear deal = iran deal = nuclear agreement = nuclear
nuclear weapon = nuke = nukes = atomic bomb = nuclear bomb = nuclear test
normalize = normalization = normalize relations = abraham accords = recognize
independence = secede = secession = separation = separatist = separatism = referendum
supreme leader = ayatollah = khamenei = iran leader
pope = papal = vatican = pontiff = holy father
king charles = ~king = monarch = throne = royal family = ~royals = prince william
trump = donald trump = djt = president trump = donald; biden = joe biden
kamala harris = kamala = ~harris; vance = jd vance = j d vance; newsom = gavin newsom = ~gavin
aoc = alexandria ocasio cortez = ocasio cortez; buttigieg = pete buttigieg = mayor pete
desantis = ron desantis; rubio = marco rubio
rfk = rfk jr = robert f kennedy = robert kennedy = kennedy = robert f kennedy jr
hegseth = pete hegseth; bondi = pam bondi; noem = kristi noem; patel = kash patel = fbi director
gabbard = tulsi gabbard = tulsi; bessent = scott bessent; mamdani = zohran mamdani = zohran
cuomo = andrew cuomo; bernie = bernie sanders = sanders; mtg = marjorie taylor greene
schumer = chuck schumer; jeffries = hakeem jeffries; thune = john thune
ghislaine maxwell = maxwell = ghislaine; diddy = sean combs = p diddy = puff daddy
sbf = sam bankman fried = bankman fried; hunter biden = ~hunter
obama = barack obama = michelle obama; starmer = keir starmer > uk
farage = nigel farage = reform uk; macron = emmanuel macron > france; le pen = marine le pen
merz = friedrich merz > germany; meloni = giorgia meloni > italy; carney = mark carney > canada
poilievre = pierre poilievre; trudeau = justin trudeau
netanyahu = bibi = benjamin netanyahu > israel; putin = vladimir putin > russia
zelensky = zelenskyy = zelenskiy = volodymyr zelensky = volodymyr zelenskyy
xi = xi jinping = jinping > china; modi = narendra modi > india
erdogan = recep tayyip erdogan > turkey; maduro = nicolas maduro > venezuela
milei = javier milei > argentina; lula = luiz inacio lula da silva > brazil
bolsonaro = jair bolsonaro = flavio bolsonaro; orban = viktor orban > hungary
takaichi = sanae takaichi > japan; mbs = mohammed bin salman > saudi arabia
kim jong un = kim > north korea; nobel = nobel prize
nobel peace = nobel peace prize = peace prize
governor = gov = gubernatorial = governors race = governors; mayor = mayoral = mayors
state of the union = sotu; say = mention = mentions = said = says
ufo = ufos = uap = uaps = alien = aliens = extraterrestrial = extraterrestrials
ufo = extraterrestrial life; ice = immigration and customs enforcement
fbi = federal bureau of investigation; irs = income tax = taxes > tax; california = ca = cali
texas = tx; florida = fl; pennsylvania = pa; north carolina = nc; new jersey = nj; arizona = az
michigan = mi; virginia = va; alaska = ak; arkansas = ar; colorado = co; connecticut = ct
georgia = ga = georgian; illinois = il; iowa = ia; kansas = ks; kentucky = ky; maryland = md
massachusetts = mass; minnesota = mn; missouri = mo; montana = mt; nebraska = ne; nevada = nv
new hampshire = nh; new mexico = nm; north dakota = nd; ohio = oh; oklahoma = okla; oregon = ore
rhode island = ri; south carolina = sc; south dakota = sd; tennessee = tn; utah = ut; vermont = vt
wisconsin = wi; west virginia = wv; wyoming = wy
swing state = swing states = battleground > arizona, georgia, michigan, nevada, north carolina, pennsylvania, wisconsin
state senate = legislature = statehouse; electoral college = electoral votes = electors
popular vote = national popular vote; margin of victory = mov = margin = winning margin
turnout = voter turnout; runoff = run off = second round; first round = 1st round
by election = special election = byelection
coalition = coalition government = governing coalition; snap election = early election
party = political party = new party = third party = america party
seats = seat count = number of seats; debate = debates
endorse = endorsement = endorsed = endorses = backs; concede = concession
swear in = inauguration = inaugural = sworn in; contempt = contempt of congress
indict = indictment = indicted = charged = criminal charges = prosecuted
convicted = conviction = guilty = verdict = found guilty
jail = prison = sentenced = sentence = incarcerated; arrest = arrested = arrests
assassination = assassinated = killed = die = death = dies = dead
supreme court nominee = scotus nominee = court vacancy
court packing = expand the court = size of the supreme court; alito = samuel alito = justice alito
clarence thomas = ~thomas = justice thomas; sotomayor = sonia sotomayor = justice sotomayor
john roberts = ~roberts = chief justice; 25th amendment = twenty fifth amendment
constitutional amendment = amendment = constitution; statehood = 51st state; medicaid = medicare
health insurance = healthcare = health care = insurance
big beautiful bill = reconciliation = reconciliation bill = obbb
government funding = funding bill = continuing resolution = spending bill = appropriations
save act = voter id; tariff refund = tariff refunds
supreme court tariffs = tariff case = tariffs case = tariff ruling = tariff decision
mar a lago = mar a lago trips; press conference = presser
meet = meeting = summit = meets = met = talks; visit = visits = trip = travel = travels
sanctions = sanction = sanctioned; belgium = belgian; iraq = iraqi = baghdad
afghanistan = afghan = taliban; nigeria = nigerian; kenya = kenyan; south africa = south african
ethiopia = ethiopian; indonesia = indonesian; vietnam = vietnamese; new zealand = nz = kiwi
bangladesh = bangladeshi; serbia = serbian; croatia = croatian; bulgaria = bulgarian
slovakia = slovak; slovenia = slovenian; moldova = moldovan; armenia = armenian
azerbaijan = azerbaijani = azeri; ecuador = ecuadorian; honduras = honduran
costa rica = costa rican; haiti = haitian; iceland = icelandic; lithuania = lithuanian
uae = united arab emirates = emirates = emirati; qatar = qatari; yemen = yemeni = houthi = houthis
libya = libyan; sudan = sudanese; somalia = somali = somaliland; congo = drc = congolese
hong kong = hk; singapore = singaporean; malaysia = malaysian; myanmar = burma = burmese
nepal = nepali; sri lanka = sri lankan; algeria = algerian; morocco = moroccan; tunisia = tunisian
cambodia = cambodian; kashmir = india pakistan; africa = african; asia = asian
latin america = south america = latam; g7 = group of seven; g20 = group of twenty
brics = brics nations; world leader = world leaders = leader out = leaders out
labour = labor party = labour party
conservative = tory = tories = conservatives = conservative party
liberal democrats = lib dems = lib dem; afd = alternative for germany
cdu = christian democrats = csu; spd = social democrats
national rally = rassemblement national = rn party; bardella = jordan bardella
weidel = alice weidel; badenoch = kemi badenoch; burnham = andy burnham; streeting = wes streeting
machado = maria corina machado = corina machado; petro = gustavo petro > colombia
sheinbaum = claudia sheinbaum > mexico; albanese = anthony albanese > australia
tusk = donald tusk > poland; sanchez = pedro sanchez > spain; zelensky > ukraine
lee jae myung = jae myung > south korea; yoon = yoon suk yeol > south korea
ishiba = shigeru ishiba > japan; von der leyen = ursula von der leyen > eu; shapiro = josh shapiro
pritzker = jb pritzker; whitmer = gretchen whitmer; beshear = andy beshear; wes moore = ~moore
ossoff = jon ossoff; mark kelly = ~kelly; booker = cory booker; fetterman = john fetterman
elizabeth warren = ~warren; ted cruz = ~cruz; hawley = josh hawley; paxton = ken paxton
cornyn = john cornyn; talarico = james talarico; jasmine crockett = ~crockett; haley = nikki haley
ramaswamy = vivek ramaswamy = vivek; tucker carlson = carlson = ~tucker
don jr = donald trump jr = trump jr; ivanka = ivanka trump; melania = melania trump = first lady
eric adams = ~adams; hochul = kathy hochul; stefanik = elise stefanik; katie porter = ~porter
swalwell = eric swalwell; walz = tim walz; mcconnell = mitch mcconnell; pelosi = nancy pelosi
mike johnson = ~johnson; leavitt = karoline leavitt > press secretary; lutnick = howard lutnick
homan = tom homan = border czar; stephen miller = ~miller; waltz = mike waltz
bolton = john bolton; comey = james comey; letitia james = tish james; miran = stephen miran
waller = christopher waller; warsh = kevin warsh; hassett = kevin hassett
brexit = eu exit = leave the eu = leaving the eu = eu loses a member = frexit
eu enlargement = join the eu = eu has a new member = eu expansion = new eu member
next government = coalition = government of = form a government = new government
silver bulletin = nate silver = silver approval; rcp = real clear politics = realclearpolitics
538 = fivethirtyeight; h1b = h1 b = h 1b = work visa; denali = mt mckinley = mount mckinley
usaid = agency eliminated = eliminate agencies > doge; district = congressional district = cd
by state = statewide; secretary of energy = energy secretary; secretary of labor = labor secretary
secretary of commerce = commerce secretary; secretary of transportation = transportation secretary
secretary of interior = interior secretary
national security adviser = national security advisor = nsa
dni = director of national intelligence; cia = central intelligence agency
sec chair = securities and exchange commission; ftc = federal trade commission
fcc = federal communications commission; epa = environmental protection agency
nih = national institutes of health; un security council = security council
icc = international criminal court; imf = international monetary fund
wto = world trade organization; opec plus = opec; abortion = roe v wade = abortion rights
death penalty = executed = execution; gay marriage = same sex marriage
gerrymander = redraw maps = new map; electoral map = tipping point
shutdown = government closed = government reopen = reopen the government
world war 3 = ww3 = wwiii = world war iii > war; coup = overthrow = regime change
hostage = hostages = hostage deal; two state solution = palestinian state = recognize palestine
`;
