const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What follows a name or ticker where it is meant as such: `KO chart`, `apple earnings`. */
export const TALK = words(`
  analysis bars bias breakout breakdown bounce buy calls candles chart charts close coin crypto daily dividend dividends dip
  earnings eps estimate estimates expectations flow forecast gamma guidance headline headlines holders hourly ipo indicators iv level
  levels ma macd momentum news open options order outlook pattern position premarket prediction price prices prints profits pullback
  puts quarter quote rally rating report resistance results revenue risk rsi sales selloff sell sentiment setup setups share shares shorts
  shareholders signal signals squeeze stock stocks support swing target targets technicals ticker token trade trend upside valuation
  verdict volatility volume ytd
`);

/** What follows a company alone. */
export const STOCK = words("stock share shares ticker stonk");

/** What follows anything that is traded. */
export const TRADED = words("stock stocks share shares coin coins token tokens ticker crypto stonk");

/** What is bought, sold and asked about: words of a text that is about markets. */
export const MARKET = words(`
  bag bear bearish bears bet bought bull bullish bulls buy buying bounce coin coins compare dip dump etf etfs exchange fund
  hedge hedged hold holding holdings index invest investing investment investor investors long market markets moon overbought oversold
  portfolio portfolios position rally sector sell selling short shorting sold streaming ticker tickers trade trader traders trading
  doing looking opinion think thoughts undervalued overvalued versus vs watchlist down up higher lower safe risky ath crash crashing mooning pumping dumping
`);

/** What an instrument follows where it is meant: `analyze KO`, `ticker F`. */
export const LEAD = words(
  "analyze analyse analysis compare chart ticker tickers symbol symbols quote sym versus vs against buy sell short long",
);

/** What stands between the items of a list: `KO and PEP`, `KO vs PEP`. */
export const JOIN = words(
  "and or vs versus v n & against than with to over nor plus not of on about for beats",
);

/** Small words that stand before anything, and so name no ticker in `any stock`. */
export const FUNCTION = words(`
  a all am an and any are as at bad be best big but buy by can cheap do each else every few first for free from fun get go good
  green had has have he her here high his hold hot how i if in into is it its just key last less live long look low main many me
  more most much my near need new next nice no not now of off ok old on once one only open or other our out over own pay penny
  pick play public put real red rich run safe same see self sell she short should show single small so some such take tech that
  the their them then they this those to too top total two up us value very was way we well were what when which who why will
  with yes you your
`);

/** What makes of the word before it a thing and no company: `apple pie`, `ripple effect`. */
export const THINGS: Readonly<Record<string, ReadonlySet<string>>> = {
  apple: words(
    "pie pies tree trees juice harvest orchard orchards cider picking sauce crumble cake tart season slices strudel fritter crisp butter core cores blossom farm farmer farmers seeds",
  ),
  apples: words("and to from in on for are"),
  amazon: words(
    "rainforest river forest jungle basin deforestation delta tribe tribes fires package parcel rain",
  ),
  avalanche: words("shut risk warning safety rescue buried of hit"),
  caterpillar: words("butterfly cocoon turns eats eating into crawling on in"),
  chase: words("the a after it them"),
  duke: words("of university ellington blue"),
  ether: words("in anesthesia"),
  gold: words(
    "standard medal medals rush jewelry ring rings chain necklace coin coins star card watch fish digger medalist bars",
  ),
  coke: words("bottle can cans zero recipe float"),
  meta: words("analysis analyses description tag tags question data comment reddit joke game"),
  nike: words("goddess"),
  oracle: words("of says bone bones problem network networks contract contracts"),
  oracles: words("in of"),
  ripple: words("effect effects through across in"),
  shell: words("script scripts command commands company"),
  silver: words("medal medals lining spoon bullet"),
  target: words("price prices practice date weight zone level levels"),
  tesla: words("coil coils nikola"),
  uber: words("bullish bearish driver ride rides cool"),
  visa: words(
    "application applications interview requirements stamp status card cards appointment waiver free for to office sponsorship",
  ),
};

/** Names that are words of other talk too: in small letters they are names only where markets are spoken of. */
export const AMBIGUOUS = words(`
  affirm amazon apple avalanche caterpillar coke cosmos duke ether ford gold intel meta micron moderna oracle polygon ripple robinhood sales
  silver snowflake tether uber visa
`);

/** What people ask the price of that is neither a stock, nor a fund, nor a token. */
export const ABSENT = words("vix dax ftse nikkei dxy kospi sensex nifty cac stoxx euribor");

/** Companies that much is said of and that no US exchange lists. */
export const FOREIGN = words(`
  adidas airbus aldi anthropic aramco bmw bosch byd bytedance canva cargill chanel databricks deepseek discord epic foxconn gucci hermes huawei
  hyundai ikea kia lego lidl lvmh maersk mercedes midjourney nestle nestlé nintendo openai perplexity porsche puma roche rolex rosneft samsung
  siemens softbank spacex starlink stripe telegram tencent tiktok twitter valve volkswagen vw waymo xai xiaomi
`);

/** Names that no market holds, of places, times, people and authorities. */
export const ELSEWHERE = words(`
  africa america american april asia august australia austin berlin biden bitcoin's boston brazil britain buffett california canada
  chicago china chinese christmas congress cook december dimon donald easter elon england english europe european february fed
  france french friday german germany god gates google's hello hey hi huang india ireland israel italy january japan jensen june july
  korea london mars march may mexico monday moscow musk november october opec opera paris pelosi powell president russia russian
  saturday senate september silicon spain street sunday switzerland taiwan texas thanks thank thanksgiving thursday tim tokyo trump
  tuesday uk ukraine usa valley wall warren washington wednesday york zuckerberg please compare tell show give what how explain also
  ok okay yes no sorry sincerely regards dear mr mrs ms dr world health reuters bloomberg cnbc wsj json html csv api sql http https
`);

/** Capitals of analysis, offices and money that no instrument is called. */
export const CAPITAL_WORDS = words(`
  ABC ASAP ATM BOJ BTFD CAGR CAPE CBDC CCI CDC CEO CET COB CPI DCF DCA DEFI DEX DM DMA EBITDA ECB EDT EPA EST ETFS FAQ FDA FIFO FOMC FOMO FUD
  FX GAAP GMT HFT HTTP HTTPS IDK ICO IRA ISM JOLTS JSON KYC LMAO LOL MACD MOM MSG NASDAQ NAV NFP NFT NGL NYSE OBV OHLC OHLCV OPEC PCE PDF PIN PM
  POC QE QOQ QT RSI REIT REITS RN ROFL ROI RSVP SEC SELECT FROM WHERE AND ORDER SMS SQL SQZ SWIFT TBA TBD TLDR TTM TWAP USD UTC VPN VWAP WACC
  WSB WSJ XML YAML YOLO YOY CSV API URL GET POST PUT DELETE HEAD HTML OK STRONG SYSTEM ADMIN USER IGNORE NOTE PS FYI BTW IMHO AFAIK TIA PLS
  EUR GBP JPY CHF AUD CAD CNY KRW INR NZD MXN BRL XAU XAG
`);
