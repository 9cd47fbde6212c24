/** Awards, films, television, music, games and celebrities. */
export const CULTURE = `
oscar = oscars = academy award = academy awards; golden globe = golden globes = gg
emmy = emmys = emmy awards; grammy = grammys = grammy awards = grammies; bafta = baftas
sag awards = sag award = screen actors guild = actor awards; tony = tonys = tony awards
critics choice = critics choice awards; palme dor = palme d or = cannes
awards = award season = award > oscar, grammy, emmy, golden globe
best picture = best film = best movie; best director = director
best actor = lead actor = leading actor; best actress = lead actress = leading actress
supporting actor = best supporting actor; supporting actress = best supporting actress
animated feature = best animated = animated film; album of the year = aoty
song of the year = soty; record of the year = roty grammy; best new artist = new artist
drama series = best drama = drama; comedy series = best comedy = comedy
movie = movies = film = films = cinema; movie > box office, rotten tomatoes, netflix movie
rotten tomatoes = rt = rt score = tomatometer = rotten tomatoes score = review score
rotten tomatoes = critics score = tomato score; metacritic = metascore
box office = gross = grossing = opening weekend = highest grossing = ticket sales
box office = box office weekend
netflix show = top netflix show = netflix series = netflix shows = top show
netflix movie = top netflix movie = netflix film = netflix movies = top movie
tv = television = tv show = series tv; spotify = spotify chart = spotify charts
spotify wrapped = top spotify artist = top artist = most streamed artist = top artist on spotify
top song = number one song = 1 song = number 1 song = no 1 song = biggest song
top song = most streamed song; billboard = billboard chart
hot 100 = billboard hot 100 = hot hundred
billboard 200 = top album = number 1 album = 1 album = album chart = number one album
album = albums = new album = lp; taylor swift = ~taylor = tswift = t swift = ~tay = swiftie
travis kelce = kelce
wedding = marry = marries = married = marriage = get married = engaged = engagement = wed
divorce = split = break up couple; pregnant = pregnancy = baby; kanye = kanye west = ~ye
drake = champagne papi; kendrick = kendrick lamar = k dot; beyonce = queen bey; bad bunny = benito
rihanna = riri; the weeknd = weeknd = abel tesfaye; sabrina carpenter = ~sabrina
ariana grande = ~ariana; olivia rodrigo = ~olivia; billie eilish = ~billie; justin bieber = bieber
ed sheeran = sheeran; travis scott = la flame; james bond = bond = 007 = next bond
gta 6 = gta vi = gta6 = grand theft auto 6 = grand theft auto vi = grand theft auto = gta
gta 6 = gta six; game of the year = goty = game awards
video game = video games = gaming = videogame; call of duty = cod; fortnite = epic games
nintendo = switch 2 = zelda = mario; playstation = ps5 = ps6; xbox = microsoft xbox
person of the year = time person of the year = time magazine = time person
word of the year = oxford word; snl = saturday night live; survivor = survivor winner
bachelor = bachelorette = the bachelor = the bachelorette; dancing with the stars = dwts
love island = love island usa; big brother = bb; american idol = idol; the voice = voice
traitors = the traitors; game of thrones = got = house of the dragon = hotd
stranger things = stranger things 5; star wars = mandalorian
marvel = mcu = avengers = avengers doomsday = doomsday
dune = dune 3 = dune part three = dune part 3 = dune three; batman = dc comics = superman
toy story = pixar; mrbeast = mr beast = mister beast = ~beast = jimmy donaldson
youtube = youtuber = yt = subscribers; joe rogan = rogan = jre; kai cenat = streamer
super bowl halftime = halftime show = half time show = halftime = halftime performer
super bowl halftime = halftime headliner = super bowl performer = perform at the super bowl
eurovision = eurovision song contest = esc; hot dog = hotdog = hot dogs = hotdogs
hot dog eating contest = nathans = hot dog contest = joey chestnut = chestnut
ballon d or = ballon dor = ballondor = golden ball; miss universe = miss world
kardashian = kim kardashian = kardashians; prince harry = meghan markle = meghan
bestseller = best seller = nyt best seller; original song = best song = best original song
original score = best score = film score; cinematography = best cinematography
visual effects = vfx = best visual effects
international feature = foreign film = best international film = best foreign film
documentary = best documentary = doc
screenplay = best screenplay = original screenplay = adapted screenplay
costume design = costumes = best costume design; casting = best casting
nominations = nominated for = oscar nominations = oscar nominees = nods
host = hosts = hosting = presenter; headline = headliner = headlines = headlining
coachella = coachella headliner; tour = concert = concerts = world tour = on tour
superbowl ad = super bowl ad = super bowl ads = super bowl commercials = super bowl commercial
timothee chalamet = chalamet = timothee; leonardo dicaprio = dicaprio = leo dicaprio
christopher nolan = nolan; spielberg = steven spielberg; villeneuve = denis villeneuve
tarantino = quentin tarantino; scorsese = martin scorsese; tom holland = spider man = spiderman
sydney sweeney = sweeney; dua lipa = dua; lady gaga = gaga; harry styles = ~styles
bruno mars = ~bruno; post malone = posty; morgan wallen = wallen; doja cat = doja
nicki minaj = nicki = nicki m; cardi b = cardi; eminem = slim shady; jay z = jayz
asap rocky = a$ap rocky = asap; miley cyrus = miley; katy perry = katy; selena gomez = selena
blackpink = kpop = k pop = bts; kpop demon hunters = demon hunters = huntrix = huntrx
harry potter = hogwarts; white lotus = the white lotus; squid game = squid games
the last of us = tlou; bridgerton = lady whistledown; wicked = wicked for good; frozen = frozen 3
avatar = avatar fire and ash; mission impossible = tom cruise; fast and furious = fast x
mario movie = super mario = super mario galaxy; minecraft = minecraft movie
elden ring = fromsoftware; half life 3 = half life = valve; elder scrolls = skyrim
twitch = streaming platform; podcast = podcasts; masked singer = the masked singer
the apprentice = apprentice; golden bachelor = the golden bachelor
top chef = great british bake off = bake off; jeopardy = wheel of fortune; book = novel = books
winds of winter = asoiaf = george rr martin = grrm; pulitzer = booker prize
ai song = ai generated song = ai music; number 1 hit = no 1 hit = number one hit = 1 hit
christmas song = mariah carey = all i want for christmas; love is blind = love is blind usa
best international song = eurovision winner; rotten tomatoes score = fresh or rotten
top grossing = highest grossing = biggest movie; met gala = met ball
grammy nominations = grammy nominees; hulu = disney plus = disney+; hbo = hbo max = max streaming
peacock = paramount plus; late night = colbert = stephen colbert = kimmel = jimmy kimmel
macys parade = thanksgiving parade; turkey pardon = pardon a turkey; new years eve = ball drop
`;
