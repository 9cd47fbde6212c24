/** Leagues, their championships and their teams, by the place that listings name them by. */
export const SPORTS = `
nfl = pro football = professional football = national football league = american football
nba = pro basketball = professional basketball = national basketball association
wnba = women's pro basketball = women's basketball = professional women's basketball
mlb = pro baseball = professional baseball = baseball = major league baseball
nhl = pro hockey = professional hockey = hockey = ice hockey
college football = cfb = ncaaf = ncaa football = fbs
college basketball = cbb = ncaab = ncaambb = ncaa basketball = men's college basketball
ncaa > college football, college basketball; mls = major league soccer
epl = premier league = english premier league = prem
champions league = ucl = uefa champions league; europa league = uel
la liga = laliga = spanish league; serie a = seriea = italian league; bundesliga = german league
ligue 1 = french league; liga mx = mexican league; fa cup = english cup
soccer = futbol > epl, champions league, la liga, mls, world cup, serie a, bundesliga
football > nfl, college football; basketball > nba, college basketball, wnba
f1 = formula 1 = formula one = formula1; grand prix = gp; nascar = stock car
indy 500 = indycar = indianapolis 500; motogp = moto gp; ufc = mma = mixed martial arts
boxing = boxing match = boxer; fight > ufc, boxing; tennis = atp = wta; golf = pga = pga tour
cricket = t20 = t20i = ipl = odi; rugby = six nations
chess = chess champion = world chess championship = world chess champion = chess world champion
esports = e sports > counter strike, league of legends, valorant
counter strike = cs2 = csgo = counterstrike; league of legends = lol worlds = lol = worlds
olympics = olympic = olympic games = summer olympics = la28; winter olympics = winter games
super bowl = superbowl = pro football champion = pro football championship = nfl championship
super bowl = nfl champion = nfl title = super bowl champion = sb = super bowl lxi
super bowl = super bowl 61 = the big game
nba champion = nba championship = nba finals = pro basketball champion = nba title = nba winner
nba champion = larry obrien
world series = pro baseball champion = mlb champion = mlb championship = baseball champion
stanley cup = pro hockey champion = nhl champion = nhl championship = hockey champion
college football champion = college football championship = cfp = college football playoff
college football champion = cfb national championship = ncaaf championship
college football champion = national championship = cfp championship = cfb champion = natty
march madness = ncaa tournament = college basketball champion
march madness = men's college basketball champion = march tournament = final four = big dance
march madness = college basketball championship = ncaa champion
eastern conference = nba east = east champion; western conference = nba west = west champion
afc champion = afc championship = american football conference champion = win the afc = afc title
nfc champion = nfc championship = national football conference champion = win the nfc = nfc title
premier league winner = premier league champion = english premier league champion = epl winner
premier league winner = epl champion = premier league title = premier league champions
champions league winner = ucl winner = uefa champions league winner = champions league champion
champions league winner = ucl final = champions league final
world cup = fifa world cup = world cup winner = fifa = mundial
champion = champions = winner = win = wins = championship = title = who wins = finals = final
mvp = most valuable player; rookie of the year = roty = best rookie; coach of the year = coty
heisman = heisman trophy
draft = first pick = 1st pick = first overall = number 1 pick = number one pick = 1st overall
draft = top pick; coach = head coach = next coach
trade = traded = next team = new team = signs with = free agency = free agent = sign with
trade = where will; game = games = match = matches = matchup; spread = point spread = handicap
total points = over under = total = points total = totals
touchdown = td = tds = anytime touchdown; opening day > mlb
drivers champion = f1 champion = drivers championship = f1 championship = f1 title
drivers champion = f1 drivers champion = world drivers champion
masters = masters tournament = augusta = the masters; us open = u.s. open
australian open = aus open = ao; french open = roland garros
wimbledon = wimbledon men's = wimbledon singles; ryder cup = ryder
the open = open championship = british open; men = men's = mens; women = women's = womens = ladies
gold medal = gold medals = medals = medal count; verstappen = max verstappen = mad max
norris = lando norris = lando; lewis hamilton = ~hamilton; leclerc = charles leclerc
scheffler = scottie scheffler = scottie; mcilroy = rory mcilroy = rory; alcaraz = carlos alcaraz
sinner = jannik sinner; djokovic = novak djokovic = djoker = ~novak
wembanyama = victor wembanyama = wemby; gilgeous alexander = shai gilgeous alexander = sga = shai
doncic = luka doncic = ~luka; jokic = nikola jokic
giannis = giannis antetokounmpo = antetokounmpo = greek freak; lebron = lebron james = king james
steph curry = stephen curry = ~curry = ~steph; mahomes = patrick mahomes; josh allen = ~allen
tom brady = ~brady; ohtani = shohei ohtani = shohei; aaron judge = ~judge; messi = lionel messi
ronaldo = cristiano ronaldo = cr7; mbappe = kylian mbappe; haaland = erling haaland
mcgregor = conor mcgregor = ~conor; jake paul = problem child; tyson fury = gypsy king
caitlin clark = caitlin
nfl: arizona/cardinals, atlanta/falcons, baltimore/ravens, buffalo/bills, carolina/panthers
nfl: chicago/bears, cincinnati/bengals, cleveland/browns, dallas/cowboys, denver/broncos
nfl: detroit/lions, green bay/packers, houston/texans, indianapolis/colts, jacksonville/jaguars
nfl: kansas city/chiefs, las vegas/raiders, los angeles c|la chargers/chargers
nfl: los angeles r|la rams/rams, miami/dolphins, minnesota/vikings, new england/patriots
nfl: new england/pats, new orleans/saints, new york g|ny giants/giants, new york j|ny jets/jets
nfl: philadelphia/eagles, pittsburgh/steelers, san francisco/49ers, san francisco/niners
nfl: seattle/seahawks, tampa bay/buccaneers, tampa bay/bucs, tennessee/titans
nfl: washington/commanders
nba: atlanta/hawks, boston/celtics, brooklyn/nets, charlotte/hornets, chicago/bulls
nba: cleveland/cavaliers, cleveland/cavs, dallas/mavericks, dallas/mavs, denver/nuggets
nba: detroit/pistons, golden state/warriors, houston/rockets, indiana/pacers
nba: los angeles c|la clippers/clippers, los angeles l|la lakers/lakers, memphis/grizzlies
nba: miami/heat, milwaukee/bucks, minnesota/timberwolves, minnesota/wolves, new orleans/pelicans
nba: new york/knicks, oklahoma city/thunder, orlando/magic, philadelphia/76ers
nba: philadelphia/sixers, phoenix/suns, portland/trail blazers, portland/blazers, sacramento/kings
nba: san antonio/spurs, toronto/raptors, utah/jazz, washington/wizards
mlb: arizona/diamondbacks, arizona/dbacks, atlanta/braves, baltimore/orioles, boston/red sox
mlb: chicago c|chi cubs/cubs, chicago ws|chicago w/white sox, cincinnati/reds, cleveland/guardians
mlb: colorado/rockies, detroit/tigers, houston/astros, kansas city/royals
mlb: los angeles a|la angels/angels, los angeles d|la dodgers/dodgers, miami/marlins
mlb: milwaukee/brewers, minnesota/twins, new york m|ny mets/mets, new york y|ny yankees/yankees
mlb: new york y/yanks, a's|athletics/athletics, philadelphia/phillies, pittsburgh/pirates
mlb: san diego/padres, san francisco/giants, seattle/mariners, st louis/cardinals, tampa bay/rays
mlb: texas/rangers, toronto/blue jays, washington/nationals, toronto/jays
nhl: anaheim/ducks, boston/bruins, buffalo/sabres, calgary/flames, carolina/hurricanes
nhl: chicago/blackhawks, colorado/avalanche, columbus/blue jackets, dallas/stars
nhl: detroit/red wings, edmonton/oilers, florida/panthers, los angeles/kings, minnesota/wild
nhl: montreal/canadiens, montreal/habs, nashville/predators, new jersey/devils
nhl: new york i|ny islanders/islanders, new york r|ny rangers/rangers, ottawa/senators
nhl: philadelphia/flyers, pittsburgh/penguins, san jose/sharks, seattle/kraken, st louis/blues
nhl: tampa bay/lightning, toronto/maple leafs, toronto/leafs, utah/mammoth, vancouver/canucks
nhl: vegas/golden knights, vegas/knights, washington/capitals, washington/caps, winnipeg/jets
epl: arsenal/gunners, aston villa/villa, chelsea/blues, crystal palace/palace, everton/toffees
epl: liverpool/reds, manchester city|man city/city
epl: manchester utd|manchester united|man united|man utd|man u/red devils
epl: newcastle|newcastle united/magpies, nottingham forest|nottingham/forest
epl: tottenham|tottenham hotspur/spurs, west ham/hammers, wolverhampton/wolves
epl: leeds|leeds united/leeds, brighton/seagulls
la liga: real madrid/madrid, barcelona|fc barcelona/barca, atletico madrid|atletico/atleti
serie a: juventus/juve, inter milan|inter/internazionale, ac milan|milan/rossoneri
serie a: as roma|roma/roma
bundesliga: bayern munich|bayern/fc bayern, borussia dortmund|dortmund/bvb
bundesliga: bayer leverkusen/leverkusen
ligue 1: paris sg|paris saint germain|psg/paris saint-germain
mls: inter miami/herons, los angeles galaxy|la galaxy/galaxy, los angeles fc/lafc
college football: ohio st|ohio state/buckeyes, michigan/wolverines, alabama/crimson tide
college football: texas/longhorns, texas a&m/aggies, notre dame/fighting irish, oklahoma/sooners
college football: penn st|penn state/nittany lions, lsu|louisiana st/lsu tigers
college football: clemson/clemson tigers, florida st|florida state/seminoles, usc/trojans
college basketball: duke/blue devils, north carolina|unc/tar heels, kentucky/uk wildcats
college basketball: kansas/jayhawks, uconn|connecticut/huskies, gonzaga/zags, purdue/boilermakers
college basketball: villanova/nova, ucla/bruins ucla
sec champion = sec championship = southeastern conference; big ten = b1g = big 10
big 12 = big twelve; acc = acc champion; al mvp = american league mvp
nl mvp = national league mvp
al champion = american league champion = alcs = american league pennant
al champion = american league championship = al pennant
nl champion = national league champion = nlcs = national league pennant
nl champion = national league championship = nl pennant; cy young = cy young award = best pitcher
home run derby = homerun derby = hr derby; home run = home runs = homers = homer
strikeouts = strikeout = ks; defensive player of the year = dpoy
offensive player of the year = opoy; comeback player of the year = cpoy = cboy
most improved player = mip; sixth man = sixth man of the year = 6moy; finals mvp = nba finals mvp
super bowl mvp = championship mvp = pro football championship mvp
nba cup = in season tournament = pro basketball cup = emirates nba cup
all star game = all star = all stars; slam dunk contest = dunk contest
three point contest = 3 point contest = 3pt contest
playoffs = playoff = postseason = make the playoffs = playoff qualifiers
division winner = win the division = division champion
win total = regular season wins = season wins = wins total = how many wins
first touchdown = first td; passing yards = pass yards; rushing yards = rush yards
receiving yards = rec yards; points = pts; rebounds = reb; assists = ast
relegation = relegated = relegate
golden boot = top scorer = top goalscorer = leading scorer = capocannoniere
both teams to score = btts; transfer = transfers = sign for; club world cup = cwc
nations league = uefa nations league; copa america = copa
euro 2028 = euros = european championship; afcon = africa cup of nations
world cup qualifier = world cup qualifying = world cup qualifiers; tour de france = tdf = cycling
kentucky derby = horse racing = derby; preakness = belmont = triple crown
pga championship = pga champ; players championship = the players; liv golf = liv = liv tour
atp finals = nitto atp finals; davis cup = billie jean king cup; swiatek = iga swiatek
sabalenka = aryna sabalenka; gauff = coco gauff; osaka = naomi osaka
zverev = alexander zverev = sascha zverev; taylor fritz = fritz; serena williams = ~serena
tiger woods = ~tiger; dechambeau = bryson dechambeau = bryson; piastri = oscar piastri
george russell = ~russell; antonelli = kimi antonelli; alonso = fernando alonso
constructors champion = constructors championship = constructor; jon jones = bones jones
topuria = ilia topuria; makhachev = islam makhachev; pereira = alex pereira = poatan
usyk = oleksandr usyk; canelo = canelo alvarez; anthony joshua = joshua = aj boxer
mayweather = floyd mayweather; wwe = wrestlemania = wrestling; dota 2 = dota = the international
valorant = vct = valorant champions; rugby world cup = rugby championship; ashes = the ashes
darts = pdc; snooker = world snooker; belichick = bill belichick
deion = deion sanders = coach prime; saban = nick saban; burrow = joe burrow
lamar jackson = ~lamar; jalen hurts = ~hurts; maye = drake maye; stafford = matthew stafford
rodgers = aaron rodgers; shedeur = shedeur sanders; mccaffrey = christian mccaffrey = cmc
flagg = cooper flagg; kevin durant = durant = ~kd; anthony edwards = ~edwards = ant man
tatum = jayson tatum; brunson = jalen brunson; embiid = joel embiid; james harden = ~harden
juan soto = ~soto; skubal = tarik skubal; raleigh = cal raleigh = big dumper
ovechkin = alex ovechkin = ovi; mcdavid = connor mcdavid; yamal = lamine yamal
salah = mohamed salah = mo salah; harry kane = ~kane; bellingham = jude bellingham
vinicius = vini jr = vinicius jr = vini; pep guardiola = ~pep = guardiola
mourinho = jose mourinho; pro football draft = nfl draft; pro basketball draft = nba draft
pro baseball draft = mlb draft; women's college basketball = wcbb = ncaaw = women's march madness
nwsl = national women's soccer league; super bowl coin toss = coin toss
gatorade color = gatorade bath; national anthem = anthem; world series mvp = fall classic
nba all star = pro basketball all star; pro bowl = pro bowlers
first coach fired = coach fired = fired coach; undefeated = perfect season
transfer portal = portal; bowl game = bowl games = rose bowl; ncaa hockey = frozen four
college world series = cws = college baseball; arizona st = arizona state; boise st = boise state
michigan st = michigan state = sparty; oregon st = oregon state; iowa st = iowa state
kansas st = kansas state = k state; nc state = north carolina st = nc st
mississippi st = mississippi state; ole miss = mississippi; oklahoma st = oklahoma state
san diego st = san diego state; texas tech = red raiders; miami fl = miami hurricanes = the u
indiana = hoosiers; oregon = ducks football; tennessee = vols; georgia = bulldogs football
florida = gators; auburn = war eagle; byu = brigham young; tcu = horned frogs; smu = mustangs smu
ucf = central florida; usf = south florida; st john's = st johns = red storm; creighton = bluejays
marquette = golden eagles; baylor = bears baylor; houston = cougars houston; arkansas = razorbacks
wisconsin = badgers; iowa = hawkeyes; nebraska = cornhuskers = huskers; illinois = illini
minnesota = gophers; maryland = terrapins = terps; virginia tech = hokies; syracuse = orangemen
louisville = cardinals louisville; vanderbilt = vandy; athletic bilbao = athletic club
real betis = betis; sevilla = sevilla fc; villarreal = yellow submarine; napoli = ssc napoli
lazio = ss lazio; atalanta = la dea; rb leipzig = leipzig; eintracht frankfurt = frankfurt
benfica = sl benfica; porto = fc porto; sporting = sporting lisbon = sporting cp; ajax = afc ajax
psv = psv eindhoven; celtic = celtic glasgow; galatasaray = gala = cimbom; fenerbahce = fener
boca juniors = boca; river plate = river; flamengo = mengao; al nassr = al nassr fc
al hilal = hilal
`;
