const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Small words of everyday questions that are also tickers, or words of company and token names: alone they name nothing. */
export const EVERYDAY = words(`
  3 3m 5 a ach algo all ally alphabet am amp an and any apache app apt ar are arm as ask at away b back bad ball
  band bandwidth bank bat be beat ben best bet big bil bill block blue blur bro brown bud but buy by c
  cadence call can capital carnival carrier cash cat cava celsius cfg chain chart charter chase circle cit
  coach coherent coin coke comp compass compound coo cop copper cor corr cost could cross curve d dash day
  deck delta desk did dis do doc docs does dot dow dry e each echo ed edu eg elastic elf else eric erie es
  ess etc even ever exc exe exp f f5 fang fast fig fil first fix flex floki flow for fox fun g gal
  gala gap gas gem gen get gis give go gold good grab graph grt h had hal has have he her here high him his
  hold holding hon hood how hub hum i ice if ill immutable imx in index ing injective iota is it its j just
  k keep key keys kim know l lab laser last late len leo less let li link lit lite live lmt loan long look
  love low luv m make maker mana mantle mar market mas mask match matic max may me mean met min mix model
  mos mosaic move movement much my n nasdaq near nee need neo net new news next nice no not now nu nyse o
  oasis of off oil ok old on once one only op open optimism option or ore organon origin our out over own
  oxy p paramount part path pay peg pen pep per pig pins pkg play plug point pol pool post price pro profit
  progressive prudential pump put q quant r race rain rare rate read real recursion red reg render rest
  rich rig rio riot ripe rok roll rope rose ross run rune running s safe said sale same san sand sandbox
  sap save say sea sector see sei sell sense set shall share she shell shop short should show shy signal
  silver siri sky slow smart snap snow so solid solv some sonic spectrum spot square stacks state ste
  stellar step still stock stop story strategy strike sui sun surge sushi t tak take tal tan tao tap
  tapestry target team tech tel tell tem ten ter test than thank that the them then theta they this three
  threshold tia time tip to toast today ton too top total trade travelers trend tru true trump try two txt
  u uni unit unity up upon ups upstart uri us use v vale value vertex very vet via w wait want was wat
  watch waters way we week well wen were west what when where which whirlpool who why wif will wing with
  word work workday world wormhole would x xyz y year yes yet you your yum z zero zil zip zoom
`);

/** Capital letters that in talk of markets mean something else, or are but a word said loudly; a cashtag still names the ticker. */
export const ACRONYMS = words(`
  A AI ALL AM AN AND ANY AR ARE AS ASK AT ATH ATM ATR B BAD BE BEST BIG BUT BUY BY CA CALL CAN CC CEO CF
  CFO COO CPI CT DAY DC DD DO DOW DTE EMA EPS ES ET ETF EU EUR EV EVER FCF FED FOR GBP GDP GET GO GOOD HAS
  HE HOLD HOW HR I IF IN IP IPO IS IT ITM IV JPY LA LET LNG LONG MAX ME MIN MY NASDAQ NEED NEW NEWS NO NOT
  NOW NYSE OF OI OK ON ONE OPEN OR OTC OTM OUT PC PE PEG PM PR PT PUT RE REAL RS RSI RUN SEC SEE SELL SHE
  SHORT SL SMA SO STOP TA TELL TO TOP TP TRUMP TV UK UN UP US USA USD VERY VS WE WELL WHO WHY YES YOU YTD
`);
