const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Small words of everyday questions that are also tickers, or words of company and token names: alone they name nothing. */
export const EVERYDAY = words(`
  3 3m 5 a ach acre act acts ago aims air aka algo all ally alphabet am amp an and any apache app apps apt
  ar are arm army as ask at away b back bad ball band bandwidth bank bar bark bat be beat belt ben best
  bet beta big bil bill bio bird bits block blue blur boat boil bold boom boot bot box brew bro brown
  bud bug bull but buy by c cadence cake call calm can capital card care carnival carrier cars cash cat
  cava celsius cent cert cfg chain char chart charter chase chef circle cit clip coach coherent coin coke
  cold comp compass compound con coo cook cop copper copy cor corr cost could cron cross cure curve cut d
  dan dash dave day deck deep delta desk did dig dim dis do doc docs does don dot dow dry dull dust duty e
  each earn easy eat echo ed edge edit edu eg elastic elf else eric erie es ess etc even ever exc exe exp
  f f5 fact fang fast feed fig fil first five fix flag flex floki flow fly for form four fox fun fund g
  gain gal gala game gap gas gem gen get gift gis give glue go gold good grab graph grid grow grt h hack
  had hail hal hard has have he help her here hero hide high him his hit hive hold holding hon hood hope
  hour how hub hum i ice icon if iii ill immutable imx in index info ing injective intl iota is it its j
  job joe just k keep ken key keys kids kim know l lab laser last late lead len lens leo less let li life
  lift line link lion lit lite live lmt loan logo long look lot love low luck lung luv m mac made main
  make maker man mana mantle mar market mas mask mass match matic max may me mean med met milk min mind
  mine mint mix model mood mos mosaic move movement much must my n nail nasdaq near nee need neo net new
  news next nice no node not now nu nyse o oasis odd of off oil ok old on once one only onto op open
  optimism option or ore organon origin oss our out over own owns oxy p pack paramount park part path pay
  pays peg pen pep per pick pie pig pink pins pipe pit pkg play plug plus poet point pol pole pool
  post pray pre price pro profit progressive prop prudential pump push put q quant r race rail rain rand
  rare rate read real recursion red reg rely rem render rent rest rich rig ring rio riot ripe rise road
  rock rok roll root rope rose ross rule run rune running ryan s safe said sail sale same san sand sandbox
  sap save say sea seat sector see seed seem sei self sell sense set shall share she shell ship shop short
  should show shy sid signal silver siri site size skin sky slow smart snap snow so solid solv some sonic southern
  spam spectrum spin spot square stacks state ste stellar stem step still stock stop story strategy strike
  sui sun sure surge sushi swan swim t tags tail tak take tal tan tao tap tapestry target task team tech
  tel tell tem ten tend ter test than thank that the them then theta they this three threshold tia tile
  time tiny tip to toast today toll ton too top total tour town tr trade travelers tree trend trip tru
  true trump try twin two txt u uni unit unity up upon ups upstart uri us use v vale value vertex very vet
  via vice vote w wait want was wash wat watch waters way we week well wen were west what when where
  which whirlpool who why wif will wing wise with wolf wood word work workday world wormhole would wrap x
  xyz y year yes yet you your yum z zero zil zip zone zoom
`);

/** Capital letters that in talk of markets mean something else, or are but a word said loudly; a cashtag still names the ticker. */
export const ACRONYMS = words(`
  A ADX AGI AI ALL AM AN AND ANY API AR ARE AS ASK AT ATH ATM ATR ATS B BAD BB BE BEST BIG BOE BUT BUY BY
  CA CALL CAN CC CEO CF CFA CFO CMF COO CPA CPI CSV CT DAO DAY DC DD DEC DO DOW DRS DTE DYOR EBIT EMA EOD
  EPS ES ESG ET ETF EU EUR EV EVER FCF FED FOR FRI FTC FWD GBP GDP GET GO GOOD GPT HAS HE HODL HOLD HOW HR
  HTB I IF IMF IMO IN IOT IP IPO IRS IS IT ITM IV JAN JPY KYC LA LBO LET LNG LONG LTM MAX ME MFI MIN MY
  NAN NASA NASDAQ NATO NEED NEW NEWS NO NOT NOV NOW NYC NYSE OF OI OK ON ONE OPEN OR OTC OTM OUT PB PC PDT
  PE PEG PM PMI PPI PR PS PT PUT RE REAL REIT ROC ROE RS RSI RUN SAR SAT SEC SEE SELL SF SHE SHORT SI SL
  SMA SMB SO STOP TA TBH TELL TLDR TO TOP TP TRUMP TV TY UAE UK UN UP US USA USD VERY VS WE WELL WHO WHY
  WTF WTO YES YOLO YOU YTD
`);
