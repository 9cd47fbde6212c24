/** Central banks, indicators, markets, companies and coins. */
export const ECONOMY = `
fed = federal reserve = fomc = us central bank
fed decision = fed meeting = fomc meeting = fomc decision = fed rate decision = fed rate
fed decision = fed rates = fed funds rate = fed funds = fed interest rate = fed interest rates
interest rate = interest rates = policy rate = rate decision > fed decision
rate cut = rate cuts = cut rates = cutting rates = lower rates = cuts rates = easing = cut 25bps > fed decision
rate hike = rate hikes = hike rates = raise rates = raises rates = rate increase = hike 25bps > fed decision
25bps = 25 bps = 25 basis points = quarter point; 50bps = 50 bps = 50 basis points = half point
bps = basis points = basis point
fed chair = fed chairman = federal reserve chair = fed head = next fed chair
powell = jerome powell = jay powell > fed chair; ecb = european central bank = eu central bank
boe = bank of england; boj = bank of japan; boc = bank of canada
rba = reserve bank of australia = bank of australia; pboc = bank of china = peoples bank of china
snb = swiss national bank
cpi = consumer price index = consumer prices = inflation > core inflation, pce
core inflation = core cpi = cpi core = inflation core; pce = core pce = pce inflation
ppi = producer price index = producer prices; year over year = yoy = annual
month over month = mom
jobs report = jobs numbers = job numbers = jobs data = payrolls = nonfarm payrolls = nfp
jobs report = non farm payrolls = nonfarm = payroll = job gains = jobs added = jobs number
jobs > jobs report, unemployment, adp, jobless claims; employment > jobs report, unemployment, adp
unemployment = unemployment rate = jobless rate = u3 = joblessness = unemployed
jobless claims = initial claims = initial jobless claims = unemployment claims = weekly claims
jobless claims = claims; adp = private payrolls = adp employment
layoffs = layoff = job cuts = laid off
gdp = gross domestic product = economic growth = economic output = gdp growth = us growth
recession = economic downturn = slump = economic contraction
economy > gdp, recession, inflation, unemployment; stagflation > inflation, recession
national debt = us debt = federal debt = government debt = debt
deficit = budget deficit = federal deficit; debt ceiling = debt limit
credit rating = downgrade = us credit rating
gas price = gas prices = gasoline = gasoline price = gasoline prices = petrol = price of gas
gas price = pump prices = aaa gas = fuel price = fuel prices = petrol price = petrol prices
oil = crude = crude oil = wti = oil price = oil prices = brent = brent crude = petroleum
oil = barrel of oil = west texas intermediate
natural gas = natgas = nat gas = henry hub = ng futures; diesel = diesel price
gold = gold price = xau = bullion; silver = silver price = xag; copper = copper price
commodities > oil, gold, silver, natural gas, copper
egg = eggs = egg price = egg prices = dozen eggs
grocery = groceries = food prices > inflation, eggs
mortgage = mortgage rate = mortgage rates = 30 year mortgage = 30yr mortgage = home loan
mortgage = 30 year fixed
home price = home prices = house price = house prices = housing prices = home value
home price = home values = housing price = real estate prices
housing = housing market = real estate > home price, mortgage, rent
rent = rents = rental prices = rent prices
ten year = 10 year = 10yr = 10y = 10 year yield = 10yr yield = 10 year treasury = treasury 10 year
treasury yield = treasury yields = treasuries = bond yield = bond yields = t note = tnote
treasury yield = treasury 10 year yield; bonds = bond market > treasury yield
retail sales = consumer spending; pmi = ism = manufacturing index
consumer sentiment = consumer confidence = umich
tariff = tariffs = import tax = import taxes = import duty = import duties = levies
tariff revenue = customs revenue = customs duties = tariff income; trade war > tariffs, trade deal
trade deal = trade agreement = free trade agreement = fta
tariff checks = tariff rebate = tariff dividend = tariff dividends = tariff rebates
tariff checks = stimulus checks = stimulus check = tariff stimulus checks = tariff refund
minimum wage = min wage; wealth = net worth
richest = wealthiest = richest person = richest man = wealthiest person
trillionaire = first trillionaire
largest company = biggest company = most valuable company = top company = largest market cap
largest company = biggest market cap = highest market cap = company by market cap
market cap = market capitalization = mcap
sp 500 = s&p 500 = s&p500 = sp500 = s&p = spx = spy = inx = s and p = standard and poors
sp 500 = s&p index; nasdaq = nasdaq 100 = nasdaq100 = ndx = qqq = nas100
dow = dow jones = dow jones industrial average = djia = dji = dow 30
russell 2000 = russell = rut = iwm; nikkei = nikkei 225 = nky = japanese stocks
ftse = ftse 100 = uk stocks; dax = german stocks; kospi = korean stocks
vix = volatility index = volatility = fear index
stocks = stock market = stock = equities = wall street > sp 500, nasdaq, dow
ipo = ipos = initial public offering = go public = going public = goes public = public offering
ipo = public listing = stock market debut
earnings = earnings call = quarterly results = earnings report = quarterly earnings
deliveries = vehicle deliveries = cars delivered = car deliveries
acquisition = acquire = acquires = acquired = buyout = takeover = merger = merge = bought by
acquisition = purchase = buy; ceo = chief executive = chief executive officer
bankruptcy = bankrupt = chapter 11 = insolvency; antitrust = monopoly = break up = breakup
eur usd = eurusd = euro dollar = euro = euros = eur = euro exchange rate = dollar euro
usd jpy = usdjpy = yen = dollar yen = japanese yen = jpy
gbp usd = gbpusd = british pound = pound = sterling = gbp = pound dollar
usd cny = yuan = renminbi = rmb; usd mxn = mexican peso = peso
forex = fx = currency = currencies = exchange rate > eur usd, usd jpy, gbp usd; dollar index = dxy
crypto = cryptocurrency = cryptocurrencies = digital assets = coins = coin
bitcoin = btc = xbt = btcusd = btc usd = bitcoins = bit coin; ethereum = eth = ether = ethusd
solana = sol; xrp = ripple; dogecoin = doge; cardano = ada; shiba = shib = shiba inu
litecoin = ltc; bitcoin cash = bch; chainlink = link; polkadot = dot; avalanche = avax
stellar = xlm; binance coin = bnb; hyperliquid = hype
stablecoin = stablecoins = usdc = usdt = tether
altcoin = altcoins > ethereum, solana, xrp, dogecoin
memecoin = memecoins = meme coin > dogecoin, shiba; all time high = ath = record high
15m = 15 min = 15 mins = 15 minute = 15 minutes
how high = high = highest = peak = max = maximum = hit = reach = top out
how low = low = lowest = minimum = min = fall = bottom = drop; apple = aapl; microsoft = msft
google = googl = goog = alphabet; amazon = amzn; meta = facebook = fb = meta platforms
nvidia = nvda; tesla = tsla; netflix = nflx; openai = open ai = chatgpt = chat gpt = gpt
anthropic = claude; xai = grok; gemini = google ai; deepseek = deep seek
ai = artificial intelligence = llm = llms = large language model = language model = ai model = machine learning > openai, anthropic, xai, gemini, deepseek, agi
chatbot > openai, anthropic, xai, gemini
agi = artificial general intelligence = superintelligence; spacex = space x; starship > spacex
musk = elon musk = elon > tesla, spacex; altman = sam altman; bezos = jeff bezos > amazon
zuckerberg = mark zuckerberg = zuck; tim cook > apple; jensen huang = ~jensen > nvidia
jpmorgan = jp morgan = jpm = chase; goldman sachs = goldman = gs
berkshire hathaway = berkshire = buffett = warren buffett
warner bros = warner brothers = wbd = warner bros discovery = warner
paramount = paramount skydance = skydance; disney = walt disney = dis
tiktok = tik tok = bytedance; twitter = x formerly twitter > musk posts
musk posts = elon tweets = musk tweets = elon musk posts = elon posts = elon musk tweets = tweets
iphone = iphones; foldable = folding = foldable iphone = iphone fold
robotaxi = robo taxi = self driving = driverless = autonomous cars = fsd
microstrategy = mstr = strategy inc = saylor = michael saylor; gamestop = gme; robinhood = hood
palantir = pltr; airline = airlines = flight = flights; walmart = wmt; starbucks = sbux
mcdonalds = mcd = big mac; intel = intc; jolts = job openings; housing starts = home construction
new home sales = home sales = house sales
trade deficit = trade gap = trade balance = balance of trade; dot plot = fed dots
balance sheet = quantitative tightening = qt = quantitative easing = qe
emergency cut = emergency rate cut = emergency meeting = fed emergency meeting
terminal rate = highest fed rate = peak rate; dissent = dissents = dissenting
soft landing > gdp, recession; cost of living > inflation, groceries
wages = wage growth = pay = real wages = salaries = earnings growth
student loans = student debt = student loan; social security = retirement benefits
tax = taxes = tax cut = tax cuts = taxation; wealth tax = billionaire tax
billionaire = billionaires; bank failure = bank failures = bank run = bank collapse
delinquency = default = defaults = delinquencies; coffee = coffee price = coffee prices
cocoa = cocoa price; beef = beef prices = ground beef; uranium = uranium price
opec = oil cartel = opec plus = oil production
strategic petroleum reserve = spr = oil reserve = oil reserves
bitcoin reserve = strategic bitcoin reserve = btc reserve = national bitcoin reserve
bitcoin reserve = crypto reserve; bitcoin etf = btc etf = spot bitcoin etf; halving = halvening
nft = nfts; airdrop = airdrops; token launch = launch a token = new token
fdv = fully diluted valuation = fully diluted value; sui = sui coin; toncoin = ton; monero = xmr
zcash = zec; satoshi = satoshi nakamoto = nakamoto = bitcoin creator; amd = advanced micro devices
oracle = orcl; uber = uber technologies; airbnb = abnb; reddit = rddt; snap = snapchat
pinterest = pins; paypal = pypl; bank of america = boa = bofa = bac; wells fargo = wfc
citigroup = citi = citibank; blackrock = blk; pfizer = pfe; moderna = mrna
eli lilly = lilly = lly; novo nordisk = novo = nvo; unitedhealth = unh = united health
johnson & johnson = jnj = j&j; exxon = exxonmobil = xom; chevron = cvx; ford = ford motor
general motors = gm; rivian = rivn; nike = nke; target = tgt; coca cola = coke
pepsi = pepsico = pep; lockheed = lockheed martin = lmt
us steel = united states steel = nippon steel; delta = delta air lines
united airlines = united air; southwest = southwest airlines; spirit = spirit airlines
fannie mae = fannie = freddie mac = freddie = gse = gses; starlink = satellite internet
neuralink = brain chip = brain implant; optimus = tesla bot = humanoid = humanoid robot
data center = datacenter = data centers = datacenters
chips = chip = semiconductor = semiconductors = gpu = gpus
electric vehicle = ev = evs = electric vehicles = electric car = electric cars
nuclear power = nuclear energy = reactor = reactors = nuclear plant
solar = solar power = solar energy
top ai = best ai = top ai model = best ai model = leading ai = best llm = top llm = lmarena
top ai = chatbot arena = top model = best model; gpt 5 = gpt5; gpt 6 = gpt6
release = released = releases = come out = launch date = release date = drop date = launched
price = cost = costs = prices = pricing; hire = join = joins = hired = joining
sell = sold = sale = divest
fed maintains rate = hold rates = fed hold = fed holds = fed pause = no change
fed maintains rate = rates unchanged = unchanged = keep rates
fed nominee = fed chair nominee = fed chair pick; first rate cut = next rate cut
core ppi = ppi core; home depot = hd; johnson and johnson = jnj
trump coin = trump memecoin = official trump; world liberty financial = wlfi = world liberty
trump media = djt stock; pepe = pepe coin; tron = trx
sec crypto = crypto bill = clarity act = crypto regulation = market structure bill
genius act = stablecoin bill; bitcoin strategic = bitcoin purchases = buys bitcoin
prime rate = lending rate; 30 year yield = 30 year treasury = long bond
2 year yield = 2 year treasury; yield curve = inversion = inverted; job openings = vacancies
used cars = used car prices = manheim; rent freeze = freeze the rent = rent control
ups = united parcel service; fedex = federal express
spotify technology = spotify subscribers = spotify mau; doordash = door dash; crowdstrike = crwd
snowflake = snow inc; shopify = shop inc; asml = asml holding; tsmc = tsm = taiwan semiconductor
arm = arm holdings; broadcom = avgo; qualcomm = qcom; blue origin = bezos space
rocket lab = rklb
`;
