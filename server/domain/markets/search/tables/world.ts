/** Places, weather, science, health and travel. */
export const WORLD = `
nyc = new york city = new york = ny = manhattan = big apple = central park; los angeles = la = lax
chicago = chi = midway; san francisco = sf = sfo = san fran = bay area
washington dc = dc = washington; philadelphia = philly = phl; las vegas = vegas = lv
new orleans = nola; miami = mia; boston = bos; denver = den; austin = atx; houston = hou
dallas = dfw; seattle = sea; phoenix = phx; atlanta = atl; minneapolis = msp = twin cities
san antonio = satx; salt lake city = slc; oklahoma city = okc
temperature = temp = temps = highest temperature = high temperature = daily temperature
temperature = max temp = high temp = max temperature = degrees = how hot = how warm
lowest temperature = low temperature = min temp = low temp = minimum temperature
lowest temperature = overnight low = how cold
weather = forecast = climate and weather > temperature, rain, snow
rain = rainfall = raining = precipitation = rainy = wet
snow = snowfall = snowing = snowy = snowstorm = inches of snow = blizzard
white christmas = snow on christmas = snow christmas = christmas snow
christmas = xmas = christmas day; hurricane = hurricanes = tropical storm = cyclone = typhoon
major hurricane = major hurricanes = category 3 = cat 3; category 5 = cat 5
tornado = tornadoes = tornados = twister = twisters
earthquake = earthquakes = quake = quakes = seismic = tremor = the big one = big one = magnitude
volcano = volcanoes = supervolcano = eruption = erupt = volcanic = yellowstone
tsunami = tidal wave; wildfire = wildfires = forest fire = fires
natural disaster = natural disasters > earthquake, hurricane, tornado, volcano, tsunami, wildfire
climate change = global warming = warming = hottest year = hottest
sea ice = arctic ice = arctic sea ice = ice extent = polar ice
hot = heat = heatwave = heat wave > temperature; cold = freeze = freezing > lowest temperature
space > spacex, nasa, moon, mars, starship; nasa = artemis = space agency
moon = lunar = moon landing = land on the moon = humans on the moon; mars = red planet
rocket = rockets = launch = launches = rocket launch
fusion = nuclear fusion = fusion energy = fusion power
quantum = quantum computer = quantum computing = quantum computers
vaccine = vaccines = vaccination = vax = jab; covid = covid 19 = coronavirus
bird flu = avian flu = h5n1 = avian influenza; flu = influenza; measles = measles cases = mmr
mpox = monkeypox; pandemic = epidemic = outbreak; fda = food and drug administration
psilocybin = psychedelic = psychedelics = magic mushrooms = mushrooms; mdma = ecstasy
ozempic = glp 1 = glp1 = wegovy = weight loss drug; cure = treatment; life expectancy = lifespan
tsa = airport security = tsa check ins = tsa checkins = check ins = checkins = air passengers = air travelers = airport passengers > travel
airport = airports > tsa
plane crash = airplane crash = airline crash = air crash = plane crashes = aviation accident
plane crash = commercial airline crash = crash; high speed rail = bullet train = hsr
orlando = mco; tampa = tpa; detroit = dtw; nashville = bna; charlotte = clt; portland = pdx
st louis = saint louis = stl; tonight weather > temperature, rain, snow; wind = wind speed = gusts
drought = reservoir = lake mead = water level; glacier = antarctica = antarctic
el nino = la nina = enso; northern lights = aurora = solar flare = solar storm
eclipse = solar eclipse; asteroid = comet = 3i atlas; landfall = make landfall = hurricane hits
co2 = carbon dioxide = carbon emissions = emissions; webb = james webb = telescope
blue origin = new glenn; boeing starliner = starliner
iss = space station = international space station; crispr = gene editing
alzheimers = alzheimer's = dementia; cancer = tumor = oncology; diabetes = diabetic
autism = tylenol; obesity = obese; opioid = fentanyl = overdose = overdoses
cdc = centers for disease control; who director = world health organization
hospitalization = hospitalizations = hospitalized; birth rate = fertility = births = population
train = trains = rail = amtrak; subway = metro = mta = congestion pricing
flight delays = delays = cancellations = flight cancellations = delayed flights
suez = suez canal = red sea shipping; strait of hormuz = hormuz
global temperature = average global temperature = global average temperature
hottest month = record warm = warmest; record high = record temperature; record low = record cold
polar vortex = cold snap; nor'easter = noreaster; snow day = school closing
blood moon = lunar eclipse; spacex starship = starship launch = starship flight
first human on mars = humans on mars = crewed mars; weight loss drug = ozempic; peptide = peptides
screwworm = new world screwworm; hantavirus = ebola = marburg
`;
